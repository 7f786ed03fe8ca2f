import type { PrinterRow } from '../../db/rows.generated.ts'
import { isSameModel } from '../printers/models/printer-models.ts'
import type { WaitingCause } from './period-cause.ts'

/** A printer that is ready to print, as far as a job is matched with it. */
export type WaitingPrinter = Pick<
  PrinterRow,
  'id' | 'model' | 'nozzle_size' | 'current_filament_type' | 'current_color' | 'current_color_hex'
>

/** Queued jobs that ask for the same. */
export interface QueueDemand {
  /** The printer that the jobs are bound to; null when any may take them. */
  printer_id: string | null
  /** What the file was sliced for; null when it does not say, and then it fits any. */
  printer_model: string | null
  nozzle_diameter: number | null
  /** Empty when any will do. */
  filament_type: string
  color: string
}

/** Nozzles are given with at most two decimals; this tells apart what differs and not what was rounded. */
const sameNozzleMm = 0.005

/**
 * Answers for any printer that is ready why it waits: no job fits its model and nozzle, or one does but not its filament,
 * or one fits altogether. The demand is that of the whole farm, so that one reading serves all its printers.
 */
export function makeWaitingCause(demand: readonly QueueDemand[]): (printer: WaitingPrinter) => WaitingCause {
  const fits = fitsPrinter()
  return (printer) => {
    const fitting = demand.filter((wanted) => fits(printer, wanted))
    if (fitting.length === 0) return 'no_matching_job'
    return fitting.some((wanted) => hasFilament(printer, wanted)) ? 'not_started' : 'filament'
  }
}

/** Whether a job could be printed on a printer whatever filament is loaded. Remembers which models are the same. */
export function fitsPrinter(): (printer: WaitingPrinter, wanted: QueueDemand) => boolean {
  const sameModels = new Map<string, boolean>()
  function isModel(printer: string, file: string): boolean {
    const key = `${printer}\n${file}`
    const known = sameModels.get(key) ?? isSameModel(printer, file)
    sameModels.set(key, known)
    return known
  }
  return (printer, wanted) =>
    (wanted.printer_id === null || wanted.printer_id === printer.id) &&
    (wanted.printer_model === null || isModel(printer.model, wanted.printer_model)) &&
    isNozzle(printer, wanted)
}

function isNozzle({ nozzle_size: nozzle }: WaitingPrinter, { nozzle_diameter: wanted }: QueueDemand): boolean {
  return nozzle === null || wanted === null || Math.abs(nozzle - wanted) < sameNozzleMm
}

/** Whether the loaded filament is what a job asks for. What nobody has said is loaded is not. */
export function hasFilament(
  printer: Pick<WaitingPrinter, 'current_filament_type' | 'current_color' | 'current_color_hex'>,
  wanted: Pick<QueueDemand, 'filament_type' | 'color'>,
): boolean {
  const isType = wanted.filament_type === '' || isSameWord(wanted.filament_type, printer.current_filament_type)
  const isColor =
    wanted.color === '' ||
    isSameWord(wanted.color, printer.current_color) ||
    isSameWord(wanted.color, printer.current_color_hex)
  return isType && isColor
}

function isSameWord(a: string, b: string): boolean {
  return a.trim().toLowerCase() === b.trim().toLowerCase()
}
