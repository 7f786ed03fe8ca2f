import { flatJpeg, type Rgb } from './flat-jpeg.ts'
import type { VirtualPrinter, VirtualPrinterActivity, VirtualReport } from './virtual-printer.ts'

const COLUMNS = 80
const ROWS = 60
const PLATE_ROW = 50
/** The part grows to this height over the plate, and is this wide. */
const PART_ROWS = 34
const PART_FROM = 26
const PART_TO = 54

const frameColor: Rgb = [70, 74, 80]
const plateColor: Rgb = [150, 120, 60]
const doneColor: Rgb = [90, 200, 120]
const leftColor: Rgb = [40, 44, 48]
const inkColor: Rgb = [235, 235, 235]

const lamps: Record<VirtualPrinterActivity, Rgb> = {
  idle: [120, 120, 120],
  heating: [230, 120, 40],
  printing: doneColor,
  paused: [240, 200, 60],
  changing_filament: [80, 140, 230],
  fault: [220, 50, 50],
}

/** Digits of three by five squares, a row per number. */
const digits = [
  [7, 5, 5, 5, 7],
  [2, 6, 2, 2, 7],
  [7, 1, 7, 4, 7],
  [7, 1, 7, 1, 7],
  [5, 5, 7, 1, 1],
  [7, 4, 7, 1, 7],
  [7, 4, 7, 5, 7],
  [7, 1, 1, 1, 1],
  [7, 5, 7, 5, 7],
  [7, 5, 7, 1, 7],
] as const

/**
 * What the camera of a simulated printer sees: what lies on its plate, as high as it is printed and in the colour of the
 * filament, the nozzle above it, a lamp for what the printer does, and the percentage. A JPEG of 640 × 480 pixels and a few
 * kilobytes.
 */
export function drawStill(printer: Pick<VirtualPrinter, 'report' | 'plate'>): Buffer {
  const report = printer.report()
  const air: Rgb = report.lightOn ? [60, 66, 74] : [22, 24, 28]
  const rows: Rgb[][] = Array.from({ length: ROWS }, () => Array.from({ length: COLUMNS }, () => air))
  const fill = (left: number, top: number, right: number, bottom: number, color: Rgb) => {
    for (let row = top; row < bottom; row += 1) rows[row]?.fill(color, left, right)
  }
  const progress = heightOnPlate(report, printer.plate)
  const partTop = PLATE_ROW - Math.round(progress * PART_ROWS)
  fill(0, 0, COLUMNS, 2, frameColor)
  fill(0, 0, 2, ROWS, frameColor)
  fill(COLUMNS - 2, 0, COLUMNS, ROWS, frameColor)
  fill(8, PLATE_ROW, COLUMNS - 8, PLATE_ROW + 2, plateColor)
  if (progress > 0) {
    // An edge, or a black part would not be seen in the dark.
    fill(PART_FROM - 1, partTop - 1, PART_TO + 1, PLATE_ROW, frameColor)
    fill(PART_FROM, partTop, PART_TO, PLATE_ROW, rgbOf(report.filament?.colorHex))
  }
  fill(36, partTop - 8, 44, partTop - 3, frameColor)
  fill(39, partTop - 3, 41, partTop, frameColor)
  fill(4, 4, 8, 8, lamps[report.activity])
  const shownColumns = COLUMNS - 8
  fill(4, ROWS - 4, 4 + shownColumns, ROWS - 2, leftColor)
  fill(4, ROWS - 4, 4 + Math.round(progress * shownColumns), ROWS - 2, doneColor)
  for (const [place, digit] of [...String(Math.round(progress * 100))].entries()) {
    for (const [line, bits] of (digits[Number(digit)] ?? []).entries()) {
      for (const column of [0, 1, 2]) {
        if (bits & (4 >> column)) fill(60 + place * 4 + column, 4 + line, 61 + place * 4 + column, 5 + line, inkColor)
      }
    }
  }
  return flatJpeg(rows)
}

/**
 * Answers how far what lies on the plate is printed, 0 to 1. A print that was taken off is nowhere, whatever the last report says
 * of it.
 */
function heightOnPlate({ runId, lastResult, progress }: VirtualReport, plate: VirtualPrinter['plate']): number {
  if (plate.length === 0) return 0
  const isItsRun = plate.at(-1)?.runId === runId
  return isItsRun && lastResult !== 'completed' ? progress : 1
}

function rgbOf(hex = '#808080'): Rgb {
  const channel = (at: number) => Number.parseInt(hex.slice(at, at + 2), 16) || 0
  return [channel(1), channel(3), channel(5)]
}
