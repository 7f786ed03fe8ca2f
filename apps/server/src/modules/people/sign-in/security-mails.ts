import type { Context } from '../../../context/context.ts'
import type { UserId } from '../../../kernel/ids.ts'
import { mailLater } from '../mail/mail-later.ts'
import { type SecurityChange, securityMail } from '../mail/messages.ts'
import { findUser } from './sessions.queries.ts'

/** Tells a person by mail what has changed of how they sign in. Call it after the commit; it never throws. */
export async function mailPerson(context: Context, userId: UserId, change: SecurityChange): Promise<void> {
  try {
    const user = await findUser(context.db.sql, userId)
    if (user) mailLater(context, securityMail(user.email, change, context.clock.now()))
  } catch (error) {
    // The change is made, and answered already.
    context.log.warn({ err: error, user_id: userId, change }, 'a person was not told of a change by mail')
  }
}
