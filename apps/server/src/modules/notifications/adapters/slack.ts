import { cut, type Message, openLabel, openUrl, plainText, takeLabel, takeUrl } from '../message/message.ts'
import { type Adapter, need } from './adapter.ts'
import { receiptOf, unlikeAnswer } from './receipt.ts'

/** A section of more than 3,000 characters has the whole message refused; escaping makes a text longer. */
const longestText = 2_000

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
  const section = [`*${escapeText(cut(title, 250))}*`, escapeText(cut(body, longestText))].filter((line) => line !== '')
  return {
    // What a phone shows beside the blocks.
    text: escapeText(cut(plainText(message), longestText)),
    blocks: [
      { type: 'section', text: { type: 'mrkdwn', text: section.join('\n') } },
      ...(buttons.length > 0 ? [{ type: 'actions', elements: buttons }] : []),
    ],
  }
}

const escapeText = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
