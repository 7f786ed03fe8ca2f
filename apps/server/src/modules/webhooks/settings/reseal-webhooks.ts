import type { Sql } from '../../../db/database.ts'
import type { WebhookRow } from '../../../db/rows.generated.ts'
import { openIfReadable, type SecretBox } from '../../../kernel/secret-box.ts'

/**
 * Seals the secrets of all webhooks again, by the present key. Answers how many, and which cannot be opened by any key: they stay as they
 * are. `sql` is a transaction.
 */
export async function resealWebhooks(
  secrets: Pick<SecretBox, 'seal' | 'open'>,
  sql: Sql,
): Promise<{ sealed: number; unreadable: string[] }> {
  const webhooks = await sql<Pick<WebhookRow, 'account_id' | 'id' | 'secrets_sealed'>[]>`
    /* every account: the key is that of the whole service */
    select account_id, id, secrets_sealed from webhooks order by account_id, id for update`
  const unreadable: string[] = []
  for (const { account_id, id, secrets_sealed } of webhooks) {
    const opened = openIfReadable(secrets, secrets_sealed, id)
    if (opened === undefined) unreadable.push(id)
    else {
      await sql`
        update webhooks set secrets_sealed = ${secrets.seal(opened.value, id)}
        where account_id = ${account_id} and id = ${id}`
    }
  }
  return { sealed: webhooks.length - unreadable.length, unreadable }
}
