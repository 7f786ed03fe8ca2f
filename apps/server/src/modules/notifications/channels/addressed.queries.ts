import type { Sql } from '../../../db/database.ts'
import { notFound } from '../../../kernel/errors.ts'
import type { AccountId, NotificationChannelId, UserId } from '../../../kernel/ids.ts'
import type { Addressed } from '../delivery/send-to-channel.ts'

/** A channel that was entered in a form, or a browser of this person, as it is sent to. @throws AppError `NOT_FOUND` */
export async function findAddressed(
  sql: Sql,
  accountId: AccountId,
  channelId: NotificationChannelId,
  browserOf?: UserId,
): Promise<Addressed> {
  const [row] = await sql<Addressed[]>`
    select c.id, c.kind, c.settings_sealed, u.email from notification_channels c left join users u on u.id = c.user_id
    where c.account_id = ${accountId} and c.id = ${channelId}
      and ${browserOf === undefined ? sql`c.kind <> 'web_push'` : sql`c.kind = 'web_push' and c.user_id = ${browserOf}`}`
  if (!row) throw notFound('channel')
  return row
}
