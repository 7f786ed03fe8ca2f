import { createHash } from 'node:crypto'
import { cut, type Message, type Severity, takeLabel } from '../message/message.ts'
import { type ChannelSettings, need, type Receipt, type Send } from './adapter.ts'
import { loadWebPush, type PushKeys } from './push-keys.ts'
import { receiptOf } from './receipt.ts'

/** A browser that is off for longer is told nothing of then. */
const keptSeconds = 24 * 3_600

/** Push services take 4,096 bytes with the encryption; these leave room for any script. */
const longestTitle = 120
const longestBody = 400

const urgencies: Record<Severity, 'low' | 'normal' | 'high'> = { low: 'low', medium: 'normal', high: 'high' }

/** What the service worker of the dashboard is given. Its addresses are of this service, from the root. */
function payloadOf(message: Message) {
  const { title, body, path, subject, severity, takePath } = message
  return {
    title: cut(title, longestTitle),
    body: cut(body, longestBody),
    url: path,
    tag: subject,
    urgency: urgencies[severity],
    ...(takePath !== undefined && { actions: [{ action: 'take', title: takeLabel, url: takePath }] }),
  }
}

/** Sends to one browser: encrypted for it, and signed by the keys of this service. */
export async function sendToBrowser(
  message: Message,
  settings: ChannelSettings,
  { keys, subject }: { keys: PushKeys; subject: string },
  send: Send,
): Promise<Receipt> {
  const endpoint = need(settings, 'endpoint')
  const subscription = { endpoint, keys: { p256dh: need(settings, 'p256dh'), auth: need(settings, 'auth') } }
  const webPush = await loadWebPush()
  const { headers, body } = webPush.generateRequestDetails(subscription, JSON.stringify(payloadOf(message)), {
    TTL: keptSeconds,
    urgency: urgencies[message.severity],
    topic: topicOf(message.subject),
    vapidDetails: { subject, publicKey: keys.publicKey, privateKey: keys.privateKey },
  })
  // The sender counts the bytes itself.
  const { 'Content-Length': _, ...others } = headers as Record<string, string | number>
  const texts = Object.fromEntries(Object.entries(others).map(([name, value]) => [name.toLowerCase(), String(value)]))
  const answered = await send({ url: endpoint, headers: texts, body: body ?? Buffer.alloc(0) })
  return withClock(receiptOf(answered), answered.theirNow)
}

/** Signatures are good for twelve hours from the time of this machine, and push services take none that are good for over a day. */
const signedForMs = 12 * 3_600_000

/** What push services answer to a signature that is over, or is good for too long. */
const unsigned = [401, 403]

/** A signature that was refused because the clock of this machine is wrong is good once that is set. */
function withClock(receipt: Receipt, theirNow: Date | undefined): Receipt {
  const isWrongTime = theirNow !== undefined && Math.abs(theirNow.getTime() - Date.now()) > signedForMs
  return isWrongTime && unsigned.includes(receipt.status_code ?? 0) ? { ...receipt, verdict: 'retry' } : receipt
}

/** A message that waits at the push service is replaced by the next of the same topic. */
const topicOf = (subject: string) => createHash('sha256').update(subject).digest('base64url').slice(0, 32)
