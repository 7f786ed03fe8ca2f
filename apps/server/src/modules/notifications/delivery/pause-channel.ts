import type { Context } from '../../../context/context.ts'
import { workIn } from '../../events/work.ts'
import { listManagerEmails } from '../../people/accounts/members.queries.ts'
import { mailLater } from '../../people/mail/mail-later.ts'
import { channelPausedMail } from '../../people/mail/messages.ts'
import { deleteBrowser, type HeldChannel, pauseByRule } from './due.queries.ts'

/**
 * Pauses a channel that takes nothing any more, and tells those who run the account: by an event, which other channels tell of, and
 * by mail. A browser that has ended its subscription is forgotten, and its person told by the list of their devices.
 */
export async function pauseChannel(context: Context, channel: HeldChannel, reason: 'failing' | 'gone'): Promise<void> {
  const { account_id: accountId, id, kind, name } = channel
  const isBrowser = kind === 'web_push'
  const isPaused = await context.db.begin(async (sql) => {
    const work = workIn(sql, { accountId, actor: 'system', now: context.clock.now() })
    if (isBrowser) {
      const userId = await deleteBrowser(work, id)
      if (userId === undefined) return false
      await work.record({ type: 'push_device.removed', subjectId: id, data: { user_id: userId, why: reason } })
      return true
    }
    if (!(await pauseByRule(work, id, reason))) return false
    await work.record({ type: 'notification_channel.paused', subjectId: id, data: { reason, kind } })
    return true
  })
  if (!isPaused) return
  context.log.info({ account_id: accountId, channel_id: id, kind, reason }, 'a channel of notifications was paused')
  if (isBrowser) return
  try {
    for (const email of await listManagerEmails(context.db.sql, accountId)) {
      mailLater(context, channelPausedMail(email, { name, reason }))
    }
  } catch (error) {
    // It is paused, and the event and its page say so.
    context.log.warn({ err: error, channel_id: id }, 'no one was told by mail of a channel that was paused')
  }
}
