import type { PrinterId } from '../../kernel/ids.ts'
import type { Catalogue, Equipment, PlateNeed, PrinterFacts } from '../matching/farm-facts.ts'
import { isMeantFor, kindFit } from '../matching/judge.ts'
import { rememberKinds } from '../matching/likeness.ts'
import type { Demand } from '../matching/load-demand.ts'
import { filamentsText, missingFilaments } from '../matching/missing-filaments.ts'
import { type FilamentSupply, spreadFilament } from './spread-filament.ts'

/** A printer that a person may be asked to give other filament. */
export type LoadedPrinter = Equipment &
  Pick<PrinterFacts, 'name'> & {
    /** No job holds it: it could print as soon as its plate is clear. */
    is_free: boolean
    /** It is known what is loaded: its hub is connected, or it has none. */
    is_in_sight: boolean
  }

export interface FilamentChange {
  printerId: PrinterId
  printerName: string
  /** Tells filaments apart, whatever the case they are written in. */
  key: string
  /** For people, such as `PETG Blue`. */
  filament: string
  jobs: number
}

/** One line for each filament, `type|color`. */
export const keyOf = ({ filaments, any_color }: PlateNeed) =>
  filaments.map(({ type, color }) => `${type}|${any_color ? '' : color}`.toLowerCase()).join('\n')

/**
 * Answers which printers a person should give which filament. First, for each filament that queued jobs need and that no fitting
 * printer has enough of, one fitting printer: a job that is bound to a printer decides itself; else it is the one that was
 * asked for before, then one of which nothing else is asked, a free one before a busy one. Then the free printers that
 * have nothing to do as they are loaded, as `spreadFilament` says. Jobs for the same printer and filament are one change.
 */
export function filamentChanges(
  printers: readonly LoadedPrinter[],
  demand: readonly Demand[],
  asked: readonly Pick<FilamentChange, 'printerId' | 'key'>[],
  catalogue: Catalogue,
): FilamentChange[] {
  const changes = new Map<string, FilamentChange>()
  const changed = new Set<PrinterId>()
  const asks = new Set(asked.map(({ printerId, key }) => `${printerId} ${key}`))
  const fitOf = rememberKinds(kindFit, catalogue)
  const supplies = gather(demand.filter(namesFilament)).map((wanted) => {
    const possible = printers.filter(
      (printer) => isMeantFor(printer, wanted, catalogue) && fitOf(printer, wanted) !== 'never',
    )
    const holders = possible.filter((printer) => fitOf(printer, wanted) === 'fits')
    const fitting = possible.filter(({ is_in_sight }) => is_in_sight)
    return { wanted, key: keyOf(wanted), fitting, holders }
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
      filament: filamentsText(missingFilaments(printer, wanted, catalogue), wanted),
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
  const idle = printers.filter(({ id, is_free, is_in_sight }) => is_free && is_in_sight && !changed.has(id))
  const isAsked = (printer: LoadedPrinter, key: string) => asks.has(`${printer.id} ${key}`)
  const isChosen = (printer: LoadedPrinter, key: string) => changes.has(`${printer.id} ${key}`)
  for (const { printer, supply } of spreadFilament(idle, supplies, { isAsked, isChosen })) ask(printer, supply, 1)
  return [...changes.values()]
}

/** A job that names neither material nor colour takes whatever is loaded. */
function namesFilament({ filaments, any_color }: PlateNeed): boolean {
  return filaments.some(({ type, color }) => type !== '' || (!any_color && color !== ''))
}

/** Wishes for the same filament in one, with the plate that needs most of it: one spool serves all of them. */
function gather(demand: readonly Demand[]): Demand[] {
  const alike = Map.groupBy(demand, (wanted) =>
    JSON.stringify([
      wanted.assigned_printer_id,
      wanted.file_model,
      wanted.nozzle_diameter,
      wanted.bed_type,
      keyOf(wanted),
    ]),
  )
  return [...alike.values()].map((wishes) => wishes.reduce(joined))
}

function joined(one: Demand, other: Demand): Demand {
  return {
    ...one,
    jobs: one.jobs + other.jobs,
    print_seconds: one.print_seconds + other.print_seconds,
    filaments: one.filaments.map((need, place) => ({
      ...need,
      grams: most(need.grams, other.filaments[place]?.grams),
    })),
    width_mm: most(one.width_mm, other.width_mm),
    depth_mm: most(one.depth_mm, other.depth_mm),
    height_mm: most(one.height_mm, other.height_mm),
  }
}

function most(a: number | null, b: number | null | undefined): number | null {
  return a === null || b == null ? (a ?? b ?? null) : Math.max(a, b)
}
