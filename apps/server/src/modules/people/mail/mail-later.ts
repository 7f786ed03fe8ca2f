import type { Context } from '../../../context/context.ts'
import { type Mail, sendMail } from './send-mail.ts'

/** Mails that are on their way to the mail server. */
const onTheWay = (context: Context): Set<Promise<unknown>> => context.memory.hold(noMails, context)

function noMails(_context: Context): Set<Promise<unknown>> {
  return new Set()
}

/** Sends a mail in the background, for what must not wait for the mail server. The log says why one was not sent. */
export function mailLater(context: Context, mail: Mail): void {
  const mails = onTheWay(context)
  const sent: Promise<unknown> = sendMail(context, mail).finally(() => mails.delete(sent))
  mails.add(sent)
}

/** Waits for mails that are on their way, for a service that stops. */
export async function finishMails(context: Context): Promise<void> {
  await Promise.all(onTheWay(context))
}
