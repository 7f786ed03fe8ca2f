import type { Context } from '../../../context/context.ts'
import type { Actor } from '../../../kernel/actor.ts'
import { type NotificationChannelId, newId, type UserId } from '../../../kernel/ids.ts'
import { workOf } from '../../events/work.ts'
import { sendToChannel } from '../delivery/send-to-channel.ts'
import type { ListedNotification } from '../log/notifications.queries.ts'
import { insertTest } from '../log/notifications.queries.ts'
import type { Message } from '../message/message.ts'
import { findAddressed } from './addressed.queries.ts'

/**
 * Sends a test to a channel once and at once, also while it is paused, and logs what the other side answered.
 *
 * @param browserOf whose browser it is to be; without it a channel that was entered in a form
 */
export async function sendTest(
  context: Context,
  actor: Actor,
  channelId: NotificationChannelId,
  browserOf?: UserId,
): Promise<ListedNotification> {
  const { db, clock, config } = context
  const channel = await db.beginFor(actor.accountId, async (sql) => {
    const found = await findAddressed(sql, actor.accountId, channelId, browserOf)
    if (browserOf === undefined) {
      await workOf(context, actor, sql).record({ type: 'notification_channel.tested', subjectId: channelId, data: {} })
    }
    return found
  })
  const at = clock.now()
  const message: Message = {
    id: newId('notification', at.getTime()),
    kind: 'test',
    severity: 'medium',
    title: 'Test of Printyard',
    body: 'This channel works: what your rules say arrives here.',
    subject: `test ${channelId}`,
    path: '/settings/notifications',
    takePath: undefined,
    publicUrl: config.publicUrl,
    picture: undefined,
    at,
  }
  const receipt = await sendToChannel(context, channel, message)
  return insertTest(db.sql, actor.accountId, channelId, message, receipt)
}
