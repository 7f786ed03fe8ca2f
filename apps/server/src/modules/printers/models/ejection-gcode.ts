import type { AttemptRow, PrinterRow } from '../../../db/rows.generated.ts'
import { type PushingBed, pushingBedOf } from './printer-models.ts'

/** Settings by which a printer ejects. */
export interface Ejection {
  /** The bed temperature in °C at which the print is pushed off. */
  cooldown_temp: number
  /** A person's own G-code; null for that of the model. */
  gcode: string | null
}

/** Reason why a print is sent without its ejection. */
export type EjectionRefusal = Exclude<NonNullable<AttemptRow['ejection']>, 'ordered'>

/** The connections whose printers run a firmware that waits, by `M190 R`, until the bed has cooled. */
const coolingFirmware: readonly PrinterRow['connection_type'][] = ['prusalink', 'octoprint', 'virtual']

/** Height over the bed at which the nozzle pushes, in mm: clear of the sheet, and below the middle of most prints. */
const pushZ = 3

/** Prints must stand this much above the pushing nozzle, in mm, to be moved at all. */
const leastGripMm = 5

/** Height above the print at which the nozzle travels, in mm. */
const clearanceMm = 10

/** What the front of a toolhead covers of the bed's width, in mm; passes lie no further apart. */
const passSpacingMm = 35

/** Passes keep this far from the sides, in mm. */
const sideMarginMm = 20

/** The last line of every ejection; simulated printers know by it that the file pushes its print off. */
export const ejectionEnd = '; ejection end'

/** The bed over which the model's own ejection moves; undefined where there is none that is known to be safe. */
export function bedForEjection(printer: Pick<PrinterRow, 'model' | 'connection_type'>): PushingBed | undefined {
  return coolingFirmware.includes(printer.connection_type) ? pushingBedOf(printer.model) : undefined
}

/**
 * Answers what is to be appended to a file so that the print ends by pushing itself off, or why nothing is. With the model's own
 * G-code the height of the print must be known, because the toolhead travels above it and pushes it below its middle.
 */
export function composeEjection(
  ejection: Ejection,
  printer: Pick<PrinterRow, 'model' | 'connection_type'>,
  file: { format: string; max_z_mm: number | null },
): { gcode: string } | { refusal: EjectionRefusal } {
  if (file.format !== 'gcode' && file.format !== 'bgcode') return { refusal: 'format_not_supported' }
  const { gcode, cooldown_temp } = ejection
  const bed = bedForEjection(printer)
  if (gcode !== null) {
    if (!gcode.includes('{clear_z}')) return { gcode: frame(fill(gcode, { cooldown_temp })) }
    if (file.max_z_mm === null) return { refusal: 'height_not_known' }
    const clear_z = file.max_z_mm + clearanceMm
    if (bed && clear_z > bed.height) return { refusal: 'too_tall' }
    return { gcode: frame(fill(gcode, { cooldown_temp, clear_z })) }
  }
  if (!bed) return { refusal: 'no_gcode_for_model' }
  if (file.max_z_mm === null) return { refusal: 'height_not_known' }
  if (file.max_z_mm < pushZ + leastGripMm) return { refusal: 'too_flat' }
  const clearZ = file.max_z_mm + clearanceMm
  if (clearZ > bed.height) return { refusal: 'too_tall' }
  return { gcode: frame(pushOff(bed, cooldown_temp, clearZ)) }
}

/**
 * The nozzle rises above the print, the heaters stay off until bed and nozzle are cool, then the toolhead stands behind the
 * print, low over the back edge, and the bed carries the print against it until it falls off the front. Z is never homed:
 * on these models that would drive the nozzle into the print.
 */
function pushOff(bed: PushingBed, cooldownTemp: number, clearZ: number): string {
  const clear = round(clearZ)
  return [
    `G1 Z${clear} F600 ; above the print`,
    'G28 X Y',
    `G1 X0 Y${bed.depth} F3000`,
    'M106 S255',
    `M190 R${cooldownTemp} ; wait until the bed has cooled`,
    `M109 R${cooldownTemp} ; and the nozzle, which is to touch the print`,
    'M107',
    ...passesOver(bed.width).flatMap((x) => [
      `G1 X${x} Y${bed.depth} F6000`,
      `G1 Z${pushZ} F600`,
      'G1 Y0 F1200 ; push',
      `G1 Z${clear} F600`,
    ]),
    `G1 X0 Y${bed.depth} F3000`,
  ].join('\n')
}

/** Answers where passes over a bed of this width run: the middle first, where most prints stand, then from side to side. */
export function passesOver(width: number): number[] {
  const span = width - 2 * sideMarginMm
  const gaps = Math.ceil(span / passSpacingMm)
  const all = Array.from({ length: gaps + 1 }, (_, index) => round(sideMarginMm + (index * span) / gaps))
  return [round(width / 2), ...all]
}

/** Heaters off before and after, whatever stands between, and moves that mean places on the bed. */
function frame(moves: string): string {
  return [
    '',
    '; ejection begin',
    'M400',
    'M104 S0',
    'M140 S0',
    'G90',
    moves.replaceAll('\r\n', '\n').trim(),
    'M400',
    'M104 S0',
    'M140 S0',
    'M107',
    ejectionEnd,
    '',
  ].join('\n')
}

/** Puts values in the place of `{name}`. */
export function fill(gcode: string, values: Record<string, number>): string {
  return gcode.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = values[name]
    return value === undefined ? whole : String(round(value))
  })
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}
