import type { Context } from '../../../context/context.ts'
import type { NotificationChannelRow } from '../../../db/rows.generated.ts'
import { openSender } from '../../outbound/open-sender.ts'
import type { Sender } from '../../outbound/send-request.ts'
import type { ChannelSettings, Receipt } from '../adapters/adapter.ts'
import { adapters } from '../adapters/adapters.ts'
import { openSettings, redact } from '../adapters/channel-settings.ts'
import { sendByMail } from '../adapters/mail.ts'
import { loadPushKeys, pushSubject } from '../adapters/push-keys.ts'
import { sendToBrowser } from '../adapters/web-push.ts'
import type { Message } from '../message/message.ts'

export type Addressed = Pick<NotificationChannelRow, 'id' | 'kind' | 'settings_sealed'> & { email: string | null }

/** Answers what sends the notifications of this service: to the addresses that admins enter, and to browsers, which anyone registers. */
function sendersOf(context: Context): { channels: Sender; browsers: Sender } {
  return context.memory.hold(makeSenders, context)
}

function makeSenders(context: Context) {
  const open = (networks: string | undefined) => openSender(context, 'Printyard-Notifications', networks)
  return { channels: open(context.config.outboundNetworks), browsers: open(context.config.pushNetworks) }
}

/** Ends the connections that are kept. */
export function closeSenders(context: Context): void {
  for (const sender of Object.values(sendersOf(context))) sender.close()
}

/** Sends a message to a channel once. A picture that is not taken is left out. Throws only when `signal` has ended it. */
export async function sendToChannel(
  context: Context,
  channel: Addressed,
  message: Message,
  signal?: AbortSignal,
): Promise<Receipt> {
  let settings: ChannelSettings
  try {
    settings = openSettings(context.secrets, channel.id, channel.settings_sealed)
  } catch (error) {
    context.log.error({ err: error, channel_id: channel.id }, 'the settings of a channel cannot be opened')
    const answer = 'The stored settings cannot be decrypted: enter them again.'
    return { verdict: 'refused', status_code: null, answer, duration_ms: 0, retryAfterMs: 0 }
  }
  const attempt = (what: Message) => sendBy(context, channel, settings, what, signal)
  const first = await attempt(message)
  const receipt =
    first.verdict === 'refused' && message.picture ? await attempt({ ...message, picture: undefined }) : first
  return { ...receipt, answer: redact(receipt.answer, settings) }
}

async function sendBy(
  context: Context,
  { kind, email }: Addressed,
  settings: ChannelSettings,
  message: Message,
  signal: AbortSignal | undefined,
): Promise<Receipt> {
  const { channels, browsers } = sendersOf(context)
  const sender = kind === 'web_push' ? browsers : channels
  const send = (request: Parameters<Sender['send']>[0]) => sender.send(request, signal)
  if (kind === 'mail') return sendByMail(context, email ?? undefined, message)
  if (kind === 'web_push') {
    const identity = { keys: await loadPushKeys(context), subject: pushSubject(context.config) }
    return sendToBrowser(message, settings, identity, send)
  }
  return adapters[kind].send(message, settings, send)
}
