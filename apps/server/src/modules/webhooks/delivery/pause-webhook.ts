import type { Context } from '../../../context/context.ts'
import type { AccountId, WebhookId } from '../../../kernel/ids.ts'
import { workIn } from '../../events/work.ts'
import { listManagerEmails } from '../../people/accounts/members.queries.ts'
import { mailLater } from '../../people/mail/mail-later.ts'
import { webhookPausedMail } from '../../people/mail/messages.ts'
import { pauseByRule } from './due.queries.ts'

/** Pauses a webhook that takes nothing any more, and tells those who run the account. What waits for it stays. */
export async function pauseWebhook(
  context: Context,
  accountId: AccountId,
  webhookId: WebhookId,
  reason: 'failing' | 'gone',
): Promise<void> {
  const now = context.clock.now()
  const paused = await context.db.begin(async (sql) => {
    const work = workIn(sql, { accountId, actor: 'system', now })
    const row = await pauseByRule(work, webhookId, reason)
    if (!row) return undefined
    const failing_since = row.failing_since?.toISOString() ?? null
    await work.record({ type: 'webhook.paused', subjectId: webhookId, data: { reason, failing_since } })
    return row
  })
  if (!paused) return
  context.log.info({ account_id: accountId, webhook_id: webhookId, reason }, 'a webhook was paused')
  try {
    const target = {
      host: new URL(paused.url).host,
      description: paused.description,
      reason,
      since: paused.failing_since,
    }
    for (const email of await listManagerEmails(context.db.sql, accountId)) {
      mailLater(context, webhookPausedMail(email, target))
    }
  } catch (error) {
    // It is paused, and the event and the page of the webhook say so.
    context.log.warn({ err: error, webhook_id: webhookId }, 'no one was told by mail of a webhook that was paused')
  }
}
