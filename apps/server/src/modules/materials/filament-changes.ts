import { fitsPrinter, hasFilament, type QueueDemand, type WaitingPrinter } from '../timeline/waiting-cause.ts'
import { type FilamentSupply, spreadFilament } from './spread-filament.ts'

/** A printer with what is on its spools. */
export interface LoadedPrinter extends WaitingPrinter {
  name: string
  /** Milligrams on the spool that was loaded last; null when no spool is known, and then it is taken to be enough. */
  remaining: number | null
  /** No job holds it: it could print as soon as its plate is clear. */
  is_free: boolean
}

/** What queued jobs need, with the plate that needs most. */
export interface FilamentDemand extends QueueDemand {
  jobs: number
  plate_grams: number | null
  /** Of all plates that are still to be printed, one after another. */
  print_seconds: number
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
 * Which printers a person should give which filament. First, for each filament that queued jobs need and that no fitting
 * printer has enough of, one fitting printer: a job that is bound to a printer decides itself; else it is the one that was
 * asked for before, then one of which nothing else is asked, a free one before a busy one. Then the free printers that
 * have nothing to do as they are loaded, as `spreadFilament` says. Jobs for the same printer and filament are one change.
 */
export function filamentChanges(
  printers: readonly LoadedPrinter[],
  demand: readonly FilamentDemand[],
  asked: readonly Pick<FilamentChange, 'printerId' | 'key'>[],
): FilamentChange[] {
  const changes = new Map<string, FilamentChange>()
  const changed = new Set<string>()
  const asks = new Set(asked.map(({ printerId, key }) => `${printerId} ${key}`))
  const fits = fitsPrinter()
  const supplies = demand.map((wanted) => {
    const fitting = printers.filter((printer) => fits(printer, wanted))
    return { wanted, key: keyOf(wanted), fitting, holders: fitting.filter((printer) => hasEnough(printer, wanted)) }
  })

  function ask(printer: LoadedPrinter, { wanted, key }: FilamentSupply, jobs: number): void {
    const place = `${printer.id} ${key}`
    const change = changes.get(place)
    if (change) {
      change.jobs += jobs
      return
    }
    changed.add(printer.id)
    changes.set(place, {
      printerId: printer.id,
      printerName: printer.name,
      key,
      filamentType: wanted.filament_type,
      color: wanted.color,
      jobs,
    })
  }

  for (const supply of supplies) {
    const { wanted, key, fitting, holders } = supply
    if (fitting.length === 0 || holders.length > 0) continue
    const isAsked = ({ id }: LoadedPrinter) => changes.has(`${id} ${key}`) || asks.has(`${id} ${key}`)
    const chosen =
      fitting.find(isAsked) ??
      fitting.find(({ id, is_free }) => is_free && !changed.has(id)) ??
      fitting.find(({ id }) => !changed.has(id)) ??
      fitting[0]
    if (chosen) ask(chosen, supply, wanted.jobs)
  }
  const idle = printers.filter(({ id, is_free }) => is_free && !changed.has(id))
  const isAsked = (printer: LoadedPrinter, key: string) => asks.has(`${printer.id} ${key}`)
  const isChosen = (printer: LoadedPrinter, key: string) => changes.has(`${printer.id} ${key}`)
  for (const { printer, supply } of spreadFilament(idle, supplies, { isAsked, isChosen })) ask(printer, supply, 1)
  return [...changes.values()]
}

function hasEnough(printer: LoadedPrinter, wanted: FilamentDemand): boolean {
  if (!hasFilament(printer, wanted)) return false
  return printer.remaining === null || wanted.plate_grams === null || printer.remaining >= wanted.plate_grams * 1_000
}
