import type { Catalogue, Equipment, PlateNeed } from '../matching/farm-facts.ts'
import { isMeantFor, kindFit } from '../matching/judge.ts'
import { rememberKinds } from '../matching/likeness.ts'
import type { WaitingCause } from './period-cause.ts'

/**
 * Answers for any printer that is ready why it waits: no job can be printed there as it is equipped, or one could but for the filament,
 * or one fits altogether. The demand is that of the whole farm, so that one reading serves all its printers.
 */
export function makeWaitingCause(
  demand: readonly PlateNeed[],
  catalogue: Catalogue,
): (printer: Equipment) => WaitingCause {
  const fitOf = rememberKinds(kindFit, catalogue)
  return (printer) => {
    let cause: WaitingCause = 'no_matching_job'
    for (const wanted of demand) {
      if (!isMeantFor(printer, wanted, catalogue)) continue
      const fit = fitOf(printer, wanted)
      if (fit === 'fits') return 'not_started'
      if (fit === 'filament') cause = 'filament'
    }
    return cause
  }
}
