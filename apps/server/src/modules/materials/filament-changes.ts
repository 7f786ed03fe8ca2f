import { fitsPrinter, hasFilament, type QueueDemand, type WaitingPrinter } from '../printer-timeline/waiting-cause.ts'

/** A printer with what is on its spools. */
export interface LoadedPrinter extends WaitingPrinter {
  name: string
  /** Milligrams on the spool that was loaded last; null when no spool is known, and then it is taken to be enough. */
  remaining: number | null
}

/** What queued jobs need, with the plate that needs most. */
export interface FilamentDemand extends QueueDemand {
  jobs: number
  plate_grams: number | null
}

export interface FilamentChange {
  printerId: string
  printerName: string
  /** Tells filaments apart, whatever the case they are written in. */
  key: string
  filamentType: string
  color: string
  jobs: number
}

const keyOf = ({ filament_type, color }: FilamentDemand) => `${filament_type.trim()}|${color.trim()}`.toLowerCase()

/**
 * Which printers a person should give which filament: for each filament that queued jobs need and that no fitting printer
 * has enough of, one fitting printer. A job that is bound to a printer decides itself; else it is the one that was asked
 * for before, then one of which nothing else is asked. Jobs for the same printer and filament are one change.
 */
export function filamentChanges(
  printers: readonly LoadedPrinter[],
  demand: readonly FilamentDemand[],
  asked: readonly Pick<FilamentChange, 'printerId' | 'key'>[],
): FilamentChange[] {
  const changes = new Map<string, FilamentChange>()
  const fits = fitsPrinter()
  for (const wanted of demand) {
    const fitting = printers.filter((printer) => fits(printer, wanted))
    if (fitting.length === 0 || fitting.some((printer) => hasEnough(printer, wanted))) continue
    const key = keyOf(wanted)
    const isAsked = (printer: LoadedPrinter) =>
      changes.has(`${printer.id} ${key}`) || asked.some((each) => each.printerId === printer.id && each.key === key)
    const isFree = (printer: LoadedPrinter) => ![...changes.values()].some((each) => each.printerId === printer.id)
    const chosen = fitting.find(isAsked) ?? fitting.find(isFree) ?? fitting[0]
    if (!chosen) continue
    const change = changes.get(`${chosen.id} ${key}`)
    if (change) change.jobs += wanted.jobs
    else {
      changes.set(`${chosen.id} ${key}`, {
        printerId: chosen.id,
        printerName: chosen.name,
        key,
        filamentType: wanted.filament_type,
        color: wanted.color,
        jobs: wanted.jobs,
      })
    }
  }
  return [...changes.values()]
}

function hasEnough(printer: LoadedPrinter, wanted: FilamentDemand): boolean {
  if (!hasFilament(printer, wanted)) return false
  return printer.remaining === null || wanted.plate_grams === null || printer.remaining >= wanted.plate_grams * 1_000
}
