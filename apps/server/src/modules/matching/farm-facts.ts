import type { PrinterStatus } from '@printyard/protocol/printer-state'
import type { PrinterRow } from '../../db/rows.generated.ts'
import type { FileVersionId, JobId, PrinterId } from '../../kernel/ids.ts'
import { isSameModel } from '../printers/models/printer-models.ts'
import { colorDistance } from './color-distance.ts'
import type { SpoolFacts } from './spools.ts'
import type { WorkingHours } from './working-hours.ts'

/** Starts that a printer refused, or of a job that printers refused, since its last good one. */
export interface Refusals {
  count: number
  lastAt: Date
  /** The code given last, such as `PRINTER_REFUSED`. */
  reason: string
}

/** A place that a printer draws filament from. Texts are empty and numbers null where nothing is known. */
export interface FilamentPlace {
  /** The number by which the printer is told; null for the only place of a printer that names none. */
  slot: number | null
  /** As people find it at the printer, such as `AMS 1 slot 2`; empty for the only place of a printer. */
  name: string
  type: string
  color: string
  color_hex: string
  /** The maker's ID of the material, such as `GFA00`. */
  preset_id: string
  /** The tool that it feeds, from 0; null when the only one, any, or not known. */
  tool: number | null
  /**
   * Free on the spool: what is left by its ledger, less what a print that runs has reserved and what is kept back; else as a person
   * entered it. Null also where the account does not ask for it.
   */
  grams: number | null
  /** Amount left on the spool by its ledger, reserved or not; null where none is loaded. */
  left_grams: number | null
  is_empty: boolean
  /** The printer draws from it now, or would. */
  is_active: boolean
}

/** What the rules about a pair look at of a printer. */
export interface Equipment {
  id: PrinterId
  model: string
  nozzle_size: number | null
  /** As a person entered it; empty when not known. */
  build_plate: string
  /** At least one. */
  places: readonly FilamentPlace[]
  /**
   * Way in which a file's filaments get to the places: `told`: the printer is told with each start; `fixed`: filament 0 is drawn from place 0 and so
   * on; `single`: there is one place.
   */
  feeding: 'told' | 'fixed' | 'single'
  /** Width, depth and height that the model can print, in mm; null for models that are not known. */
  volume_mm: readonly [number, number, number] | null
}

/** What the rules need of a printer. Texts are empty and numbers null where nothing is known. */
export type PrinterFacts = Equipment &
  Pick<
    PrinterRow,
    | 'name'
    | 'hub_id'
    | 'is_active'
    | 'in_maintenance'
    | 'auto_start'
    | 'plate_state'
    | 'power_group'
    | 'total_print_seconds'
    | 'fence'
    | 'plate_run_mark'
    | 'connection_type'
    | 'ejection_cooldown_temp'
    | 'ejection_gcode'
  > & {
    has_live_attempt: boolean
    hub_online: boolean
    /** As its own hub last reported; null before the first report, or while the hub is away. */
    status: PrinterStatus | null
    remaining_minutes: number | null
    /** Problem that keeps prints from succeeding, in a sentence; null for nothing. */
    blocking_problem: string | null
    refusals: Refusals | undefined
  }

/** A filament that the next plate of a job uses. Texts are empty and numbers null where nothing is asked. */
export interface FilamentNeed {
  /** Its positions among all filaments of the project, from 0: the `T` of the G-code. Several where the file names one filament twice. */
  indexes: readonly number[]
  type: string
  /** A name, or `#RRGGBB`. */
  color: string
  preset_id: string
  /** The tool that its G-code is written for, from 0; null when any or not known. */
  tool: number | null
  grams: number | null
}

/** What the rules about a pair look at of a job: its next plate. */
export interface PlateNeed {
  /** The printer that a person gave it; null when any will do. */
  assigned_printer_id: PrinterId | null
  file_model: string | null
  nozzle_diameter: number | null
  /** The build plate that the file is sliced for, as its slicer wrote it. */
  bed_type: string | null
  /** At least one. */
  filaments: readonly FilamentNeed[]
  /** The colours are only what the slicer showed: any will do. */
  any_color: boolean
  width_mm: number | null
  depth_mm: number | null
  height_mm: number | null
}

/** What the rules and the order need of a job. */
export interface JobFacts extends PlateNeed {
  id: JobId
  file_version_id: FileVersionId
  plates_done: number
  plate_seconds: number | null
  priority_rank: number
  due_date: Date | null
  queue_position: number
  refusals: Refusals | undefined
  /** Which of the ways in which the job can be printed this is, the preferred one first; null where there is just one. */
  option: number | null
  /** The job in its other ways; they have none themselves. */
  alternatives: readonly JobFacts[]
}

/** A job in each way in which it can be printed, the preferred one first. */
export function waysOf(job: JobFacts): readonly JobFacts[] {
  if (job.alternatives.length === 0) return [job]
  return [job, ...job.alternatives].sort((a, b) => (a.option ?? 0) - (b.option ?? 0))
}

/** What the printers of one power group do with their heaters. */
export interface HeatingGroup {
  heating: number
  lastStartAt: Date | null
}

/** What the rules about a pair look at besides the pair. */
export interface Catalogue {
  /** The colours that the account has names for: name in lower case → `#RRGGBB` in upper case. */
  colorHexByName: ReadonlyMap<string, string>
  isSameModel(a: string, b: string): boolean
  /** Answers how far two colours `#RRGGBB` lie apart. */
  colorDistance(a: string, b: string): number
  /** The spools of the farm; null where they were not looked at. */
  spools: readonly SpoolFacts[] | null
}

/** Everything else that the rules look at. */
export interface FarmFacts extends Catalogue {
  now: Date
  /** Null when prints may end at any time. */
  workingHours: WorkingHours | null
  heatingAtOnce: number | null
  heatingGapSeconds: number | null
  heatingGroups: ReadonlyMap<string, HeatingGroup>
}

/** `colorDistance` that remembers: a farm has a few dozen colours and compares them for every pair. */
export function rememberDistances(): Catalogue['colorDistance'] {
  return rememberPairs(colorDistance)
}

/** `isSameModel` that remembers: a farm has a handful of models and asks thousands of times. */
export function rememberModels(): Catalogue['isSameModel'] {
  return rememberPairs(isSameModel)
}

function rememberPairs<Answer>(ask: (a: string, b: string) => Answer): (a: string, b: string) => Answer {
  const known = new Map<string, Map<string, Answer>>()
  return (a, b) => {
    let answers = known.get(a)
    if (!answers) {
      answers = new Map()
      known.set(a, answers)
    }
    let answer = answers.get(b)
    if (answer === undefined) {
      answer = ask(a, b)
      answers.set(b, answer)
    }
    return answer
  }
}
