import { cut, type Message, openLabel, openUrl, type Severity, takeLabel, takeUrl } from '../message/message.ts'
import { type Adapter, need } from './adapter.ts'
import { multipart } from './multipart.ts'
import { readObject, receiptOf, secondsIn } from './receipt.ts'

// Limits: discord-api-docs, resources/message.mdx (2026-08).
const longestTitle = 256
const longestText = 4_000
const colors: Record<Severity, number> = { low: 0x2f9e44, medium: 0xf08c00, high: 0xe03131 }

export const discord: Adapter = {
  needed: ['url'],
  optional: [],
  address: (settings) => need(settings, 'url'),
  async send(message, settings, send) {
    const url = new URL(need(settings, 'url'))
    // Without it a message that was not kept is answered as if it were.
    url.searchParams.set('wait', 'true')
    const payload = JSON.stringify(payloadOf(message))
    const { picture } = message
    const request =
      picture === undefined ? { headers: {}, body: payload } : multipart({ payload_json: payload }, 'files[0]', picture)
    const answered = await send({ url: url.href, ...request })
    const receipt = receiptOf(answered)
    const retryAfterMs = Math.max(receipt.retryAfterMs, secondsIn(readObject(answered.text)?.retry_after))
    return { ...receipt, retryAfterMs: receipt.verdict === 'retry' ? retryAfterMs : 0 }
  },
}

function payloadOf(message: Message) {
  const { title, body, severity, picture, at } = message
  const open = openUrl(message)
  const links = [link(takeLabel, takeUrl(message)), link(openLabel, open)].flatMap((each) => each ?? [])
  const description = [cut(escapeMarkdown(body), longestText - 600), links.join(' · ')].filter((part) => part !== '')
  const embed = {
    title: cut(escapeMarkdown(title), longestTitle),
    description: description.join('\n'),
    color: colors[severity],
    timestamp: at.toISOString(),
    ...(open !== undefined && { url: open }),
    ...(picture && { image: { url: `attachment://${picture.name}` } }),
  }
  return { embeds: [embed], allowed_mentions: { parse: [] } }
}

const link = (label: string, url: string | undefined) => (url === undefined ? undefined : `[${label}](${url})`)

/** Names of printers and files are no formatting. */
const escapeMarkdown = (text: string) => text.replaceAll(/[\\`*_~|[\]()<>#]/g, String.raw`\$&`)
