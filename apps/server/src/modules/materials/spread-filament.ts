import type { Demand } from '../matching/load-demand.ts'
import type { LoadedPrinter } from './filament-changes.ts'

/** A filament that queued jobs need, with the printers that could print them and those that have enough of it. */
export interface FilamentSupply {
  wanted: Demand
  key: string
  fitting: readonly LoadedPrinter[]
  holders: readonly LoadedPrinter[]
}

/**
 * Work that waits for each printer with the filament, from which on one more gets it: a change takes a person several
 * minutes and leaves the rest of a spool on the shelf. Our choice.
 */
const worthwhileSeconds = 30 * 60

/** What was asked for stays so until much less waits, so that no one is told to do it and not to do it in turn. */
const stillWorthwhileSeconds = 10 * 60

interface Share {
  supply: FilamentSupply
  fitting: ReadonlySet<LoadedPrinter>
  /** Printers that have the filament or are to get it. */
  printers: number
  /** Jobs that no free printer will take. */
  jobsLeft: number
}

/**
 * Free printers that have no job for what they are loaded with, each with the filament of which most waits for every
 * printer that has it, as long as that is worth a change. Else a hundred printers would stand beside the one that has the
 * colour of the day.
 */
export function spreadFilament(
  free: readonly LoadedPrinter[],
  supplies: readonly FilamentSupply[],
  known: {
    /** True when this change was asked for before. */
    isAsked(printer: LoadedPrinter, key: string): boolean
    /** True when it is to be made already. */
    isChosen(printer: LoadedPrinter, key: string): boolean
  },
): { printer: LoadedPrinter; supply: FilamentSupply }[] {
  const chosen: { printer: LoadedPrinter; supply: FilamentSupply }[] = []
  const rest = new Set(free)
  const shares = supplies.map((supply): Share => {
    const takers = supply.holders.filter((printer) => rest.has(printer)).slice(0, supply.wanted.jobs)
    for (const printer of takers) rest.delete(printer)
    const coming = supply.fitting.filter((printer) => known.isChosen(printer, supply.key)).length
    return {
      supply,
      fitting: new Set(supply.fitting),
      printers: supply.holders.length + coming,
      jobsLeft: supply.wanted.jobs - takers.length - coming,
    }
  })

  function take(printer: LoadedPrinter, share: Share | undefined): void {
    if (!share) return
    rest.delete(printer)
    share.printers += 1
    share.jobsLeft -= 1
    chosen.push({ printer, supply: share.supply })
  }

  const isWorth = (share: Share, seconds: number) => share.jobsLeft > 0 && workPerPrinter(share) > seconds
  for (const printer of [...rest]) {
    take(
      printer,
      shares.find(
        (share) =>
          share.fitting.has(printer) &&
          known.isAsked(printer, share.supply.key) &&
          isWorth(share, stillWorthwhileSeconds),
      ),
    )
  }
  for (const printer of [...rest]) {
    take(
      printer,
      shares
        .filter((share) => share.fitting.has(printer) && isWorth(share, worthwhileSeconds))
        .reduce<Share | undefined>(
          (best, share) => (best && workPerPrinter(best) >= workPerPrinter(share) ? best : share),
          undefined,
        ),
    )
  }
  return chosen
}

function workPerPrinter({ supply, printers }: Share): number {
  return supply.wanted.print_seconds / Math.max(1, printers)
}
