import { cut, type Message, openLabel, openUrl, plainText, takeLabel, takeUrl } from '../message/message.ts'
import { type Adapter, need } from './adapter.ts'
import { receiptOf, unlikeAnswer } from './receipt.ts'

/** A section of more than 3,000 characters, as they are escaped, has the whole message refused. */
const longestText = 2_900
const longestTitle = 250

export const slack: Adapter = {
  needed: ['url'],
  optional: [],
  address: (settings) => need(settings, 'url'),
  async send(message, settings, send) {
    const answered = await send({ url: need(settings, 'url'), headers: {}, body: JSON.stringify(payloadOf(message)) })
    // 404 and 410: the app was removed, or the channel is not there any more.
    const receipt = receiptOf(answered)
    if (receipt.verdict !== 'accepted') return receipt
    return answered.text.trim() === 'ok' ? receipt : unlikeAnswer(receipt, 'Slack')
  },
}

function payloadOf(message: Message) {
  const { title, body } = message
  const links: [string, string | undefined][] = [
    [takeLabel, takeUrl(message)],
    [openLabel, openUrl(message)],
  ]
  const buttons = links.flatMap(([text, url]) =>
    url === undefined ? [] : [{ type: 'button', text: { type: 'plain_text', text }, url }],
  )
  const head = `*${escapeMrkdwn(cut(title, longestTitle))}*`
  const room = longestText - head.length
  const section = body === '' ? head : `${head}\n${escapeWithin(body, room)}`
  return {
    // What a phone shows beside the blocks.
    text: escapeWithin(plainText(message), longestText),
    blocks: [
      { type: 'section', text: { type: 'mrkdwn', text: section } },
      ...(buttons.length > 0 ? [{ type: 'actions', elements: buttons }] : []),
    ],
  }
}

function escapeMrkdwn(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** As much of a text as has room when it is escaped. */
function escapeWithin(text: string, most: number): string {
  if (escapeMrkdwn(text).length <= most) return escapeMrkdwn(text)
  let kept = ''
  for (const character of text) {
    const escaped = escapeMrkdwn(character)
    if (kept.length + escaped.length >= most) break
    kept += escaped
  }
  return `${kept}…`
}
