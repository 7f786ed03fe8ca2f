import { cut, type Message, openLabel, openUrl, type Severity, takeLabel, takeUrl } from '../message/message.ts'
import { type Adapter, type ChannelSettings, need } from './adapter.ts'
import { readObject, receiptOf, unlikeAnswer } from './receipt.ts'

// Form and limits: ntfy, docs/publish.md (2025-07).
const priorities: Record<Severity, number> = { low: 2, medium: 3, high: 5 }
const longestTitle = 250
const longestBody = 3_000

export const ntfy: Adapter = {
  needed: ['topic'],
  optional: ['server', 'token'],
  defaults: { server: 'https://ntfy.sh' },
  address: (settings) => need(settings, 'server'),
  async send(message, settings, send) {
    const answered = await send(message.picture ? withPicture(message, settings) : asJson(message, settings))
    const receipt = receiptOf(answered)
    if (receipt.verdict !== 'accepted') return receipt
    return typeof readObject(answered.text)?.id === 'string' ? receipt : unlikeAnswer(receipt, 'ntfy')
  },
}

function asJson(message: Message, settings: ChannelSettings) {
  const click = openUrl(message)
  const body = {
    topic: need(settings, 'topic'),
    title: cut(message.title, longestTitle),
    message: textOf(message),
    priority: priorities[message.severity],
    ...(click !== undefined && { click }),
    actions: actionsOf(message),
  }
  return { url: need(settings, 'server'), headers: authorization(settings), body: JSON.stringify(body) }
}

/** The picture is the body then, and the rest stands in header fields, which take ASCII alone. */
function withPicture(message: Message, settings: ChannelSettings) {
  const { server, topic } = { server: need(settings, 'server'), topic: need(settings, 'topic') }
  const click = openUrl(message)
  const actions = actionsOf(message)
  return {
    url: `${server.replace(/\/$/, '')}/${encodeURIComponent(topic)}`,
    method: 'PUT' as const,
    headers: {
      ...authorization(settings),
      'content-type': message.picture?.type ?? '',
      'x-filename': message.picture?.name ?? '',
      'x-title': encodedWord(cut(message.title, longestTitle)),
      'x-message': encodedWord(textOf(message)),
      'x-priority': String(priorities[message.severity]),
      ...(click !== undefined && { 'x-click': click }),
      ...(actions.length > 0 && { 'x-actions': encodedWord(JSON.stringify(actions)) }),
    },
    body: message.picture?.bytes ?? Buffer.alloc(0),
  }
}

const textOf = ({ title, body }: Message) => cut(body === '' ? title : body, longestBody)

/** A title of any language in a header field (RFC 2047). */
const encodedWord = (text: string) => `=?UTF-8?B?${Buffer.from(text).toString('base64')}?=`

function authorization({ token }: ChannelSettings): Record<string, string> {
  return token === undefined ? {} : { authorization: `Bearer ${token}` }
}

/** Taking a task opens the page that asks to confirm: the app would send a request of its own at one touch, from anyone's phone. */
function actionsOf(message: Message): object[] {
  const links = [
    [takeLabel, takeUrl(message)],
    [openLabel, openUrl(message)],
  ]
  return links.flatMap(([label, url]) => (url === undefined ? [] : [{ action: 'view', label, url, clear: false }]))
}
