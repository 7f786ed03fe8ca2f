import type { Sql } from '../../../db/database.ts'
import type { NotificationChannelRow, PushKeyRow } from '../../../db/rows.generated.ts'
import { openIfReadable, type SecretBox } from '../../../kernel/secret-box.ts'
import { keysId } from '../adapters/push-keys.ts'

/**
 * Seals the settings of all channels, and the keys of web push, again by the present key. Answers how many channels, and what cannot
 * be opened by any key: it stays as it is. `sql` is a transaction.
 */
export async function resealChannels(
  secrets: Pick<SecretBox, 'seal' | 'open'>,
  sql: Sql,
): Promise<{ sealed: number; unreadable: string[] }> {
  const channels = await sql<Pick<NotificationChannelRow, 'account_id' | 'id' | 'settings_sealed'>[]>`
    /* every account: the key is that of the whole service */
    select account_id, id, settings_sealed from notification_channels order by account_id, id for update`
  const unreadable: string[] = []
  for (const { account_id, id, settings_sealed } of channels) {
    const opened = openIfReadable(secrets, settings_sealed, id)
    if (opened === undefined) unreadable.push(id)
    else {
      await sql`
        update notification_channels set settings_sealed = ${secrets.seal(opened.value, id)}
        where account_id = ${account_id} and id = ${id}`
    }
  }
  const sealed = channels.length - unreadable.length
  const [keys] = await sql<Pick<PushKeyRow, 'private_key_sealed'>[]>`
    select private_key_sealed from push_keys where id = ${keysId} for update`
  if (keys) {
    const opened = openIfReadable(secrets, keys.private_key_sealed, keysId)
    if (opened === undefined) unreadable.push(keysId)
    else await sql`update push_keys set private_key_sealed = ${secrets.seal(opened.value, keysId)} where id = ${keysId}`
  }
  return { sealed, unreadable }
}
