import type { Limits } from '../limits.ts'
import type { PrintFacts } from '../print-file.ts'
import type { FilamentBody } from '../settings/filament-weight.ts'
import type { GcodeComments } from './gcode-comments.ts'
import type { GcodeScan } from './gcode-scan.ts'

/** What a dialect gets to read, and the facts it fills in. Whatever it leaves unknown is taken from the moves. */
export interface GcodeReading {
  comments: GcodeComments
  scan: GcodeScan
  limits: Limits
  facts: PrintFacts
  /** Body of the filament at an index, so that missing weights can be computed. */
  bodies: Map<number, FilamentBody>
}
