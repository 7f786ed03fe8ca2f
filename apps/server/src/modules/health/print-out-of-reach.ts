import type { Context } from '../../context/context.ts'
import type { AccountId, PrinterId } from '../../kernel/ids.ts'
import { type HealthEntry, printOutOfReach } from '../../live/health-entries.ts'
import { findPrintOutOfReach, listShownOutOfReach } from './health.queries.ts'
import { recordHealth } from './health.service.ts'

/**
 * Brings the health of a printer in line with whether it holds a print of ours and does not answer. Shown at once, unlike a
 * line that drops: a person may have to go there.
 */
export async function showPrintOutOfReach(
  context: Pick<Context, 'db' | 'clock'>,
  accountId: AccountId,
  printerId: PrinterId,
): Promise<void> {
  const print = await findPrintOutOfReach(context.db.sql, accountId, printerId)
  const isShown = print?.is_shown === true
  if (!print || isShown === (print.since !== null)) return
  const { since } = print
  await recordHealth(context, accountId, { kind: 'printer', id: printerId }, (kept) => {
    const others = kept.filter(({ reason }) => reason !== printOutOfReach)
    if (since === null) return others
    const seen = print.progress === null ? '' : ` was last seen at ${Math.floor(print.progress)} %`
    const entry: HealthEntry = {
      since: since.toISOString(),
      reason: printOutOfReach,
      message: `The printer does not answer; our print ${print.what}${seen || ' is on it'}.`,
    }
    return [...others, entry]
  })
}

/** Takes it away where its print was ended meanwhile. */
export async function watchPrintsOutOfReach(context: Pick<Context, 'db' | 'clock'>): Promise<void> {
  for (const { account_id, id } of await listShownOutOfReach(context.db.sql)) {
    await showPrintOutOfReach(context, account_id, id)
  }
}
