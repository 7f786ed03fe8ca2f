import type { Catalogue, JobFacts, PrinterFacts } from './farm-facts.ts'
import type { FailedVerdict } from './judge.ts'
import { filamentsText, missingFilaments } from './missing-filaments.ts'
import { remedyKinds } from './rules.ts'

/** Answers how far a printer is from a start, by the failure that takes most effort: 0 where nothing is in the way. */
export function effortOf(failures: readonly FailedVerdict[]): number {
  let most = 0
  for (const { failure } of failures) most = Math.max(most, 1 + remedyKinds.indexOf(failure.remedy))
  return most
}

/** The failure that takes most effort, of equals the first: what to do about it decides. */
export function hardestOf(failures: readonly FailedVerdict[]): FailedVerdict | undefined {
  return failures.find((failed) => effortOf([failed]) === effortOf(failures))
}

/** Answers what is in the way at a printer, for people, beginning with what they can do about it where that is to load filament. */
export function remedySentence(
  { failure }: FailedVerdict,
  printer: PrinterFacts,
  job: JobFacts,
  catalogue: Catalogue,
): string {
  if (failure.remedy !== 'load_filament') {
    return `${printer.name}: ${failure.sentence}`
  }
  const filament = filamentsText(missingFilaments(printer, job, catalogue), job)
  return `Load ${filament} into ${printer.name}. ${failure.sentence}`
}
