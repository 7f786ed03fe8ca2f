import { AppError } from '../../../kernel/errors.ts'
import type { FarmFacts, JobFacts, PrinterFacts } from '../../matching/farm-facts.ts'
import { type FailedVerdict, failuresFor } from '../../matching/judge.ts'
import type { RuleName } from '../../matching/rules.ts'
import { otherModel } from '../../matching/sliced-for.ts'

/** What keeps a printer from taking a job; `details.reason` of PRINTER_UNAVAILABLE. */
type UnavailableReason =
  | 'inactive'
  | 'in_maintenance'
  | 'plate_not_clear'
  | 'offline'
  | 'busy'
  | 'error'
  | 'not_reported_yet'

const unavailableSentences: Record<UnavailableReason, string> = {
  inactive: 'it is switched off in the settings',
  in_maintenance: 'it is in maintenance',
  plate_not_clear: 'its plate is not clear; take the print off and clear the plate',
  offline: 'its hub cannot reach it',
  busy: 'it is busy',
  error: 'it reports an error',
  not_reported_yet: 'its hub has not reported it yet',
}

export function unavailable(reason: UnavailableReason): AppError {
  return new AppError('PRINTER_UNAVAILABLE', { why: unavailableSentences[reason] }, { details: { reason } })
}

/** Which failures have an error of their own, in the order in which they are told. */
const ownErrors: readonly [RuleName, (printer: PrinterFacts, job: JobFacts) => AppError][] = [
  ['model_matches', ({ model }, { file_model }) => otherModel(model, file_model)],
  ['printer_active', () => unavailable('inactive')],
  ['in_service', () => unavailable('in_maintenance')],
  ['hub_online', () => new AppError('HUB_OFFLINE', {}, { retryAfterSeconds: 10 })],
  ['reachable', ({ status }) => unavailable(status === null ? 'not_reported_yet' : 'offline')],
  ['idle', ({ status }) => unavailable(status === 'error' ? 'error' : 'busy')],
  ['plate_clear', () => unavailable('plate_not_clear')],
  ['no_live_attempt', () => unavailable('busy')],
]

/**
 * Asks the rules that bind anybody whether a person may start the job there. What is not known of the printer is left to them, and so
 * is what they set aside. Answers the rules that fail and are set aside.
 * @throws AppError for the other failures
 */
export function refuseStart(
  printer: PrinterFacts,
  job: JobFacts,
  farm: FarmFacts,
  setAside: readonly RuleName[] = [],
): RuleName[] {
  const failures = failuresFor('anybody', printer, job, farm)
  const isSetAside = ({ rule }: FailedVerdict) => rule.canBeSetAside === true && setAside.includes(rule.name)
  const standing = failures.filter((failed) => !isSetAside(failed))
  if (standing.length > 0) throw errorFor(standing, printer, job)
  return failures.map(({ rule }) => rule.name)
}

function errorFor(failures: readonly FailedVerdict[], printer: PrinterFacts, job: JobFacts): AppError {
  const own = ownErrors.find(([name]) => failures.some(({ rule }) => rule.name === name))
  if (own) return own[1](printer, job)
  return new AppError(
    'JOB_DOES_NOT_FIT',
    { why: failures.map(({ failure }) => failure.sentence).join(' ') },
    {
      details: {
        rules: failures.map(({ rule, failure }) => ({
          rule: rule.name,
          sentence: failure.sentence,
          may_be_set_aside: rule.canBeSetAside ?? false,
        })),
      },
    },
  )
}
