import type { FarmFacts, JobFacts, PrinterFacts } from '@printyard/server/modules/scheduler/farm-facts'
import { rememberModels } from '@printyard/server/modules/scheduler/farm-facts'
import { fold, isColorLoaded, isSameMaterial } from '@printyard/server/modules/scheduler/filament-match'
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
  /** What somebody should load when nothing prints on it. */
  wanted: Filament | undefined
  /** What was asked for, in the words of who asks. */
  wantedKey: string | undefined
  /** The job that waits for what is wanted. Only first-in-first-out binds a job before it can start. */
  boundTo: DayJob | undefined
  /** Nobody needs to be told of it twice. */
  isVisitDue: boolean
  /** Somebody's hands are in it. */
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
      id: planned.name,
      name: planned.name,
      model: planned.model,
      hub_id: `hub-${planned.hub}`,
      is_active: true,
      in_maintenance: false,
      auto_start: true,
      plate_state: 'clear',
      nozzle_size: planned.nozzle,
      power_group: '',
      loaded_filament_grams: planned.grams,
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
      filament_type: planned.loaded.type,
      color: planned.loaded.color,
      color_hex: '',
      build_height_mm: null,
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
        id: line.name,
        file_version_id: file.name,
        plates_done: 0,
        assigned_printer_id: null,
        file_model: file.model,
        nozzle_diameter: file.nozzle,
        filament_type: file.filament.type,
        color: file.filament.color,
        any_color: !file.isColorWanted,
        grams_per_plate: file.grams,
        plate_seconds: file.printSeconds,
        height_mm: file.heightMm,
        priority_rank: ranks[planned.priority],
        due_date: dateAt(planned.dueAt),
        queue_position: day.jobs.length + 1,
        refusals: undefined,
      },
      status: 'queued',
      tries: 0,
      arrivedAt: day.now,
      firstStartAt: undefined,
    })
  }
}

/** Nothing prints on it, its plate is clear and nobody works at it. */
export function isReady({ facts, isInHands }: DayPrinter): boolean {
  return facts.status === 'idle' && !facts.has_live_attempt && facts.plate_state === 'clear' && !isInHands
}

/** Whether a job could be printed there whatever is loaded. */
export function isKindFor({ planned }: DayPrinter, { line: { file } }: DayJob): boolean {
  return planned.model === file.model && planned.nozzle === file.nozzle
}

export function hasFilamentFor({ facts }: DayPrinter, job: DayJob, day: Day): boolean {
  const { file } = job.line
  return (
    isSameMaterial(facts.filament_type, file.filament.type) &&
    (!file.isColorWanted || isColorLoaded(file.filament.color, facts, day.farm)) &&
    (facts.loaded_filament_grams ?? 0) >= file.grams
  )
}
