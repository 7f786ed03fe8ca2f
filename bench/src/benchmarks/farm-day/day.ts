import type { FileVersionId, HubId, JobId, PrinterId } from '@printyard/server/kernel/ids'
import {
  type FarmFacts,
  type FilamentPlace,
  type JobFacts,
  type PrinterFacts,
  rememberDistances,
  rememberModels,
} from '@printyard/server/modules/matching/farm-facts'
import { fold } from '@printyard/server/modules/matching/filament-match'
import { hasPlaceFor } from '@printyard/server/modules/matching/missing-filaments'
import type {
  FarmPlan,
  OrderPriority,
  PlannedLine,
  PlannedOrder,
  PlannedPrinter,
} from '@printyard/virtual-printers/farm/farm-plan'
import { type Filament, filaments } from '@printyard/virtual-printers/farm/farm-stock'
import type { PrinterTime } from './printer-time.ts'

/** A printer of a simulated day. Moments are seconds from its beginning. */
export interface DayPrinter {
  planned: PlannedPrinter
  /** As the rules see it; kept up to date. */
  facts: PrinterFacts
  job: DayJob | undefined
  /** Its print failed and lies on the plate. */
  spoilt: DayJob | undefined
  /** What a person should load when nothing prints on it. */
  wanted: Filament | undefined
  /** What was asked for, in the words of who asks. */
  wantedKey: string | undefined
  /** The job that waits for what is wanted. Only first-in-first-out binds a job before it can start. */
  boundTo: DayJob | undefined
  /** No one needs to be told of it twice. */
  isVisitDue: boolean
  /** A person's hands are in it. */
  isInHands: boolean
  visits: number
  time: PrinterTime
}

export interface DayJob {
  line: PlannedLine
  order: DayOrder
  facts: JobFacts
  status: 'queued' | 'bound' | 'printing' | 'failed' | 'completed'
  tries: number
  arrivedAt: number
  firstStartAt: number | undefined
}

interface DayOrder {
  planned: PlannedOrder
  openJobs: number
  completedAt: number | undefined
}

/** A farm in the middle of its day. */
export interface Day {
  plan: FarmPlan
  now: number
  farm: FarmFacts
  printers: DayPrinter[]
  /** All that have arrived, in that order. */
  jobs: DayJob[]
  orders: DayOrder[]
}

/** The day is one on which no clocks change. */
const beginning = Date.UTC(2026, 10, 16, 6)

export const dateAt = (seconds: number) => new Date(beginning + seconds * 1_000)

export function beginDay(plan: FarmPlan): Day {
  return {
    plan,
    now: 0,
    farm: {
      now: dateAt(0),
      workingHours: null,
      heatingAtOnce: null,
      heatingGapSeconds: null,
      heatingGroups: new Map(),
      colorHexByName: new Map(filaments.map(({ filament }) => [fold(filament.color), filament.hex])),
      isSameModel: rememberModels(),
      colorDistance: rememberDistances(),
      spools: null,
    },
    printers: plan.printers.map(toPrinter),
    jobs: [],
    orders: [],
  }
}

function toPrinter(planned: PlannedPrinter): DayPrinter {
  return {
    planned,
    facts: {
      id: planned.name as PrinterId,
      name: planned.name,
      model: planned.model,
      hub_id: `hub-${planned.hub}` as HubId,
      is_active: true,
      in_maintenance: false,
      auto_start: true,
      plate_state: 'clear',
      nozzle_size: planned.nozzle,
      power_group: '',
      total_print_seconds: 0,
      connection_type: 'virtual',
      ejection_cooldown_temp: null,
      ejection_gcode: null,
      fence: 0,
      plate_run_mark: null,
      has_live_attempt: false,
      hub_online: true,
      status: 'idle',
      remaining_minutes: null,
      build_plate: '',
      feeding: 'single',
      places: [placeOf(planned.loaded, planned.grams)],
      volume_mm: null,
      blocking_problem: null,
      refusals: undefined,
    },
    job: undefined,
    spoilt: undefined,
    wanted: undefined,
    wantedKey: undefined,
    boundTo: undefined,
    isVisitDue: false,
    isInHands: false,
    visits: 0,
    time: { since: 0, cause: undefined, seconds: new Map() },
  }
}

/** The spool holder of a printer, with what hangs there. */
export function placeOf({ type, color }: Pick<Filament, 'type' | 'color'>, grams: number): FilamentPlace {
  return {
    slot: null,
    name: '',
    type,
    color,
    color_hex: '',
    preset_id: '',
    tool: null,
    grams,
    left_grams: grams,
    is_empty: false,
    is_active: true,
  }
}

/** What hangs at a printer: each has one holder. */
export function loadedOn({ places: [place] }: PrinterFacts): FilamentPlace & { grams: number } {
  if (place?.grams == null) throw new Error('a printer of a simulated day has one place, of which the grams are known')
  return { ...place, grams: place.grams }
}

const ranks: Record<OrderPriority, number> = { urgent: 0, high: 1, normal: 2, low: 3 }

/** The jobs of an order that has just come in. */
export function takeOrder(day: Day, planned: PlannedOrder): void {
  const order: DayOrder = { planned, openJobs: planned.lines.length, completedAt: undefined }
  day.orders.push(order)
  for (const line of planned.lines) {
    const { file } = line
    day.jobs.push({
      line,
      order,
      facts: {
        id: line.name as JobId,
        file_version_id: file.name as FileVersionId,
        plates_done: 0,
        assigned_printer_id: null,
        file_model: file.model,
        nozzle_diameter: file.nozzle,
        bed_type: null,
        filaments: [
          {
            indexes: [0],
            type: file.filament.type,
            color: file.filament.color,
            preset_id: '',
            tool: null,
            grams: file.grams,
          },
        ],
        any_color: !file.isColorWanted,
        plate_seconds: file.printSeconds,
        width_mm: null,
        depth_mm: null,
        height_mm: file.heightMm,
        priority_rank: ranks[planned.priority],
        due_date: dateAt(planned.dueAt),
        queue_position: day.jobs.length + 1,
        refusals: undefined,
        option: null,
        alternatives: [],
      },
      status: 'queued',
      tries: 0,
      arrivedAt: day.now,
      firstStartAt: undefined,
    })
  }
}

/** Nothing prints on it, its plate is clear and no one works at it. */
export function isReady({ facts, isInHands }: DayPrinter): boolean {
  return facts.status === 'idle' && !facts.has_live_attempt && facts.plate_state === 'clear' && !isInHands
}

/** Whether a job could be printed there whatever is loaded. */
export function isKindFor({ planned }: DayPrinter, { line: { file } }: DayJob): boolean {
  return planned.model === file.model && planned.nozzle === file.nozzle
}

export function hasFilamentFor({ facts }: DayPrinter, { facts: wanted }: DayJob, { farm }: Day): boolean {
  return wanted.filaments.every((need) => hasPlaceFor(facts, wanted, need, farm))
}
