import type { Context } from '../../../context/context.ts'
import { AppError } from '../../../kernel/errors.ts'
import type { AccountId, AttemptId, PrinterId } from '../../../kernel/ids.ts'
import { isOutOfReach as isPrinterOutOfReach } from '../../../live/own-printer.ts'
import { type AttemptRow, findLiveAttemptOfPrinter } from '../../attempts/attempts.queries.ts'
import type { Work } from '../../events/work.ts'
import { settleAttemptIn } from './attempts.service.ts'

type Place = Pick<AttemptRow, 'printer_id' | 'hub_id'>

/** True when only a person can see what the printer of an attempt does. */
export function isOutOfReach(
  context: Pick<Context, 'hubs' | 'printers'>,
  accountId: AccountId,
  { printer_id, hub_id }: Place,
): boolean {
  return isPrinterOutOfReach(context, accountId, { id: printer_id, hub_id })
}

/** The refusal that asks a person to look first. */
export const outOfReach = (action: string) => new AppError('PRINTER_OUT_OF_REACH', { action })

/** Ends an attempt on the word of a person who looked, as cancelled. Call `releaseAttempt` after the commit. */
export async function endAsSeenOver(context: Context, work: Work, attemptId: AttemptId): Promise<void> {
  await settleAttemptIn(context, work, attemptId, {
    phase: 'finished',
    outcome: 'cancelled',
    reason_code: 'SEEN_OVER',
    evidence: { kind: 'person', run_id: null, detail: 'A person looked: it is over' },
  })
}

/**
 * Frees a printer of its live attempt before it is put out of use, deleted or cleared: with the words of a person who looked,
 * and only when no one else can see it. Answers the attempt that was ended.
 * @throws AppError PRINTER_OUT_OF_REACH when the printer does not answer its hub and those words are missing.
 */
export async function freeFromAttempt(
  context: Context,
  work: Work,
  printerId: PrinterId,
  { action, seenOver }: { action: string; seenOver: boolean },
): Promise<AttemptRow | undefined> {
  const attempt = await findLiveAttemptOfPrinter(work.sql, work.accountId, printerId)
  if (!attempt || !isOutOfReach(context, work.accountId, attempt)) return undefined
  if (!seenOver && context.hubs.isOnline(attempt.hub_id)) throw outOfReach(action)
  if (!seenOver) return undefined
  await endAsSeenOver(context, work, attempt.id)
  return attempt
}

/** Tells the hub of an attempt that it is over, so that it lets go of the printer. One that is away is told at its next hello. */
export function releaseAttempt(context: Pick<Context, 'hubs'>, attempt: Place & Pick<AttemptRow, 'id'>): void {
  const { id: attempt_id, printer_id, hub_id } = attempt
  context.hubs.release(hub_id, [{ attempt_id, printer_id }])
}
