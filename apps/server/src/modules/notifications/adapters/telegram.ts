import { escapeHtml } from '../../../kernel/escape-html.ts'
import { cut, type Message, openLabel, openUrl, takeLabel, takeUrl } from '../message/message.ts'
import { type Adapter, need } from './adapter.ts'
import { multipart } from './multipart.ts'
import { readObject, receiptOf, secondsIn, unlikeAnswer } from './receipt.ts'

// Limits of the Bot API: 4,096 characters of text, 1,024 of a caption. Escaping makes a text longer, so it is cut below them.
const longestText = 3_000
const longestCaption = 800

export const telegram: Adapter = {
  needed: ['token', 'chat_id'],
  optional: ['server'],
  defaults: { server: 'https://api.telegram.org' },
  address: (settings) => need(settings, 'server'),
  async send(message, settings, send) {
    const { picture } = message
    const base = `${need(settings, 'server').replace(/\/$/, '')}/bot${need(settings, 'token')}`
    const chat_id = need(settings, 'chat_id')
    const keyboard = keyboardOf(message)
    const answered = await send(
      picture === undefined
        ? {
            url: `${base}/sendMessage`,
            headers: {},
            body: JSON.stringify({
              chat_id,
              text: htmlOf(message, longestText),
              parse_mode: 'HTML',
              ...(keyboard && { reply_markup: keyboard }),
            }),
          }
        : {
            url: `${base}/sendPhoto`,
            ...multipart(
              {
                chat_id,
                caption: htmlOf(message, longestCaption),
                parse_mode: 'HTML',
                ...(keyboard && { reply_markup: JSON.stringify(keyboard) }),
              },
              'photo',
              picture,
            ),
          },
    )
    const body = readObject(answered.text)
    // 404: no such bot. 403: the bot was blocked, or is no member of the chat any more.
    const receipt = receiptOf(answered, [403, 404, 410])
    if (receipt.verdict === 'accepted') return body?.ok === true ? receipt : unlikeAnswer(receipt, 'Telegram')
    const { description, parameters } = body ?? {}
    const { retry_after } = (parameters ?? {}) as Record<string, unknown>
    return {
      ...receipt,
      answer: typeof description === 'string' ? description : receipt.answer,
      retryAfterMs: Math.max(receipt.retryAfterMs, secondsIn(retry_after)),
    }
  },
}

function htmlOf({ title, body }: Message, most: number): string {
  const head = `<b>${escapeHtml(cut(title, 250))}</b>`
  return body === '' ? head : `${head}\n${escapeHtml(cut(body, most - 300))}`
}

/** Buttons take public addresses alone: Telegram refuses the whole message for another. */
function keyboardOf(message: Message) {
  const links: [string, string | undefined][] = [
    [takeLabel, takeUrl(message)],
    [openLabel, openUrl(message)],
  ]
  const buttons = links.flatMap(([text, url]) => (url?.startsWith('https://') ? [{ text, url }] : []))
  return buttons.length === 0 ? undefined : { inline_keyboard: [buttons] }
}
