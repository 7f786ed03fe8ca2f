import { escapeHtml } from '../../../kernel/escape-html.ts'
import {
  cut,
  type Message,
  openLabel,
  openUrl,
  type Picture,
  plainText,
  takeLabel,
  takeUrl,
} from '../message/message.ts'
import { type Adapter, type ChannelSettings, need, type Receipt, type Send } from './adapter.ts'
import { readObject, receiptOf, secondsIn, unlikeAnswer } from './receipt.ts'

/** An event may have 65,536 bytes; the text stands in it twice. */
const longestText = 8_000

export const matrix: Adapter = {
  needed: ['server', 'token', 'room_id'],
  optional: [],
  address: (settings) => need(settings, 'server'),
  async send(message, settings, send) {
    const receipt = await sendEvent(settings, message.id, textEvent(message), send)
    if (receipt.verdict === 'accepted' && message.picture)
      await sendPicture(settings, message.id, message.picture, send)
    return receipt
  },
}

const headersOf = (settings: ChannelSettings) => ({ authorization: `Bearer ${need(settings, 'token')}` })
const urlOf = (settings: ChannelSettings, path: string) =>
  `${need(settings, 'server').replace(/\/$/, '')}/_matrix/${path}`

/** @param transactionId makes an event that is sent twice one event */
async function sendEvent(
  settings: ChannelSettings,
  transactionId: string,
  event: object,
  send: Send,
): Promise<Receipt> {
  const room = encodeURIComponent(need(settings, 'room_id'))
  const answered = await send({
    url: urlOf(settings, `client/v3/rooms/${room}/send/m.room.message/${encodeURIComponent(transactionId)}`),
    method: 'PUT',
    headers: headersOf(settings),
    body: JSON.stringify(event),
  })
  const body = readObject(answered.text)
  const receipt = receiptOf(answered)
  if (receipt.verdict === 'accepted') {
    return typeof body?.event_id === 'string' ? receipt : unlikeAnswer(receipt, 'a Matrix server')
  }
  // Older servers say it in the body alone.
  const asked = typeof body?.retry_after_ms === 'number' ? secondsIn(body.retry_after_ms / 1_000) : 0
  return { ...receipt, retryAfterMs: Math.max(receipt.retryAfterMs, asked) }
}

function textEvent(message: Message) {
  const links: [string, string | undefined][] = [
    [takeLabel, takeUrl(message)],
    [openLabel, openUrl(message)],
  ]
  const known = links.flatMap(([label, url]) => (url === undefined ? [] : [{ label, url }]))
  const text = cut(plainText(message), longestText)
  const html = [
    `<b>${escapeHtml(cut(message.title, 250))}</b>`,
    escapeHtml(cut(message.body, longestText)).replaceAll('\n', '<br>'),
    known.map(({ label, url }) => `<a href="${escapeHtml(url)}">${label}</a>`).join(' · '),
  ]
  return {
    msgtype: 'm.text',
    body: [text, ...known.map(({ label, url }) => `${label}: ${url}`)].join('\n'),
    format: 'org.matrix.custom.html',
    formatted_body: html.filter((line) => line !== '').join('<br>'),
  }
}

/** The text has arrived: a picture that does not is no reason to send it again. */
async function sendPicture(settings: ChannelSettings, messageId: string, picture: Picture, send: Send): Promise<void> {
  const uploaded = await send({
    url: urlOf(settings, `media/v3/upload?filename=${encodeURIComponent(picture.name)}`),
    headers: { ...headersOf(settings), 'content-type': picture.type },
    body: picture.bytes,
  })
  const url = readObject(uploaded.text)?.content_uri
  if (uploaded.failure !== null || typeof url !== 'string') return
  const info = { mimetype: picture.type, size: picture.bytes.length }
  await sendEvent(settings, `${messageId}-picture`, { msgtype: 'm.image', body: picture.name, url, info }, send)
}
