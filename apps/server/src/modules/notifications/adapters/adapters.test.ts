import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import type { Answered, OutboundRequest } from '../../outbound/send-request.ts'
import { newSecrets } from '../../webhooks/rules/webhook-secrets.ts'
import type { Message } from '../message/message.ts'
import type { ChannelSettings } from './adapter.ts'
import { adapters } from './adapters.ts'
import { redact } from './channel-settings.ts'

const picture = { bytes: Buffer.from([0xff, 0xd8, 0xff, 1, 2, 3]), type: 'image/jpeg' as const, name: 'camera.jpg' }
const message: Message = {
  id: 'ntf_1',
  kind: 'needs_person',
  severity: 'high',
  title: 'Drucker <Ä> & "B" *fails*',
  body: 'Rack 2',
  subject: 'wlt_1',
  path: '/worklist',
  takePath: '/take#token',
  publicUrl: 'https://farm.example.com',
  picture: undefined,
  at: new Date(),
}

const settings: Record<keyof typeof adapters, ChannelSettings> = {
  ntfy: { server: 'https://ntfy.example', topic: 'farm', token: 'tk_1' },
  telegram: { server: 'https://telegram.example', token: '1:abc', chat_id: '-100' },
  discord: { url: 'https://discord.example/api/webhooks/1/abc' },
  slack: { url: 'https://slack.example/services/a/b' },
  matrix: { server: 'https://matrix.example', token: 'syt_1', room_id: '!a:example' },
  webhook: { url: 'https://erp.example/hook', secret: newSecrets().current },
}

type Answer = { status?: number; text?: string; retryAfterMs?: number; failure?: Answered['failure'] }

/** What a service that answers so is sent, and what the adapter makes of it. */
async function sendTo(kind: keyof typeof adapters, answers: Answer[], what = message) {
  const sent: OutboundRequest[] = []
  const receipt = await adapters[kind].send(what, settings[kind], async (request) => {
    const { status = 200, text = '', retryAfterMs = 0, failure } = answers[sent.length] ?? {}
    sent.push(request)
    const isTaken = status >= 200 && status < 300
    const said = failure ?? (isTaken ? null : 'status')
    return { failure: said, status_code: failure ? null : status, answer: text, text, retryAfterMs, duration_ms: 5 }
  })
  return { receipt, sent, json: () => JSON.parse(String(sent[0]?.body)) }
}

const good: Record<keyof typeof adapters, string> = {
  ntfy: '{"id":"x","event":"message"}',
  telegram: '{"ok":true,"result":{}}',
  discord: '{"id":"1"}',
  slack: 'ok',
  matrix: '{"event_id":"$1"}',
  webhook: '',
}
const kinds = Object.keys(adapters) as (keyof typeof adapters)[]

test.each(kinds)('%s: accepted, too many, too large, trouble, silence', async (kind) => {
  const verdict = async (answer: Answer) => (await sendTo(kind, [answer])).receipt.verdict
  expect(await verdict({ text: good[kind] })).toBe('accepted')
  expect((await sendTo(kind, [{ status: 429, retryAfterMs: 7_000 }])).receipt).toMatchObject({
    verdict: 'retry',
    retryAfterMs: 7_000,
  })
  expect(await verdict({ status: 413 })).toBe('refused')
  expect(await verdict({ status: 400 })).toBe('refused')
  expect(await verdict({ status: 502 })).toBe('retry')
  expect(await verdict({ failure: 'timeout' })).toBe('retry')
  expect(await verdict({ failure: 'address_refused' })).toBe('refused')
  expect(await verdict({ status: 410 })).toBe('gone')
})

test.each(kinds.filter((kind) => kind !== 'webhook'))(
  '%s: a channel that is not there any more is gone',
  async (kind) => {
    expect((await sendTo(kind, [{ status: 404, text: '{}' }])).receipt.verdict).toBe('gone')
  },
)

test.each(['ntfy', 'telegram', 'slack', 'matrix'] as const)(
  '%s: a login page that answers 200 took nothing',
  async (kind) => {
    const { receipt } = await sendTo(kind, [{ text: '<html>Sign in</html>' }])
    expect(receipt).toMatchObject({ verdict: 'retry', answer: expect.stringContaining('Not an answer of') })
  },
)

test('waits that stand in the body of an answer count', async () => {
  const ofTelegram = '{"ok":false,"error_code":429,"description":"Too Many Requests","parameters":{"retry_after":9}}'
  expect((await sendTo('telegram', [{ status: 429, text: ofTelegram }])).receipt).toMatchObject({
    retryAfterMs: 9_000,
    answer: 'Too Many Requests',
  })
  expect((await sendTo('discord', [{ status: 429, text: '{"retry_after":1.5}' }])).receipt.retryAfterMs).toBe(1_500)
  expect((await sendTo('matrix', [{ status: 429, text: '{"retry_after_ms":2500}' }])).receipt.retryAfterMs).toBe(2_500)
})

test('a bot that was blocked is gone', async () => {
  expect((await sendTo('telegram', [{ status: 403, text: '{"ok":false}' }])).receipt.verdict).toBe('gone')
})

test('names are text: no markup of the channel comes of them', async () => {
  expect((await sendTo('telegram', [{}])).json().text).toBe(
    '<b>Drucker &lt;Ä&gt; &amp; &quot;B&quot; *fails*</b>\nRack 2',
  )
  expect((await sendTo('slack', [{}])).json().blocks[0].text.text).toContain('Drucker &lt;Ä&gt; &amp; "B"')
  expect((await sendTo('discord', [{}])).json()).toMatchObject({
    embeds: [{ title: String.raw`Drucker \<Ä\> & "B" \*fails\*` }],
    allowed_mentions: { parse: [] },
  })
  expect((await sendTo('matrix', [{ text: good.matrix }])).json().formatted_body).toContain('&lt;Ä&gt;')
})

test('texts are cut to what the channel takes', async () => {
  const long = { ...message, title: 'ä'.repeat(500), body: '<'.repeat(20_000) }
  expect((await sendTo('discord', [{}], long)).json().embeds[0].description.length).toBeLessThanOrEqual(8_000)
  expect((await sendTo('discord', [{}], long)).json().embeds[0].title.length).toBe(256)
  expect(Buffer.byteLength((await sendTo('ntfy', [{}], long)).json().message)).toBeLessThanOrEqual(4_096)
})

test('every channel has the link that takes the task and the one that opens the page', async () => {
  for (const kind of kinds) {
    const { sent } = await sendTo(kind, [{ text: good[kind] }])
    expect(String(sent[0]?.body)).toContain('https://farm.example.com/take#token')
    expect(String(sent[0]?.body)).toContain('https://farm.example.com/worklist')
    const without = { ...message, publicUrl: undefined }
    expect(String((await sendTo(kind, [{ text: good[kind] }], without)).sent[0]?.body)).not.toContain('/take#')
  }
})

test('a picture goes with it where the channel takes one', async () => {
  const filmed = { ...message, picture }
  const ntfy = (await sendTo('ntfy', [{ text: good.ntfy }], filmed)).sent[0]
  expect(ntfy).toMatchObject({ method: 'PUT', url: 'https://ntfy.example/farm', body: picture.bytes })
  // Header fields take ASCII alone.
  expect(Object.values(ntfy?.headers ?? {}).join()).toMatch(/^[\x20-\x7e]+$/)
  for (const kind of ['telegram', 'discord'] as const) {
    const [request] = (await sendTo(kind, [{ text: good[kind] }], filmed)).sent
    expect(request?.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/)
    expect(Buffer.from(request?.body ?? '').includes(picture.bytes)).toBe(true)
  }
  const matrix = await sendTo('matrix', [{ text: good.matrix }, { text: '{"content_uri":"mxc://a/b"}' }, {}], filmed)
  expect(matrix.sent.map(({ url }) => new URL(url).pathname)).toEqual([
    '/_matrix/client/v3/rooms/!a%3Aexample/send/m.room.message/ntf_1',
    '/_matrix/media/v3/upload',
    '/_matrix/client/v3/rooms/!a%3Aexample/send/m.room.message/ntf_1-picture',
  ])
  const failing = await sendTo('matrix', [{ text: good.matrix }, { status: 413 }], filmed)
  expect(failing.receipt.verdict).toBe('accepted')
})

test('the messages of a webhook are verified by the library of Standard Webhooks', async () => {
  const { sent } = await sendTo('webhook', [{}])
  const verified = new Webhook(settings.webhook.secret ?? '').verify(String(sent[0]?.body), sent[0]?.headers ?? {})
  expect(verified).toMatchObject({ type: 'notification', data: { id: 'ntf_1', severity: 'high' } })
})

test('what was entered is cut out of answers', () => {
  expect(redact('bad token 1:abcdef', { token: '1:abcdef' })).toBe('bad token [redacted]')
  expect(redact(null, {})).toBeNull()
})

test('slack: a long text stays below what a section takes, as it is escaped', async () => {
  const sent = await sendTo('slack', [{}], { ...message, body: '&'.repeat(9_000) })
  const { text, blocks } = sent.json()
  for (const each of [text, blocks[0].text.text]) expect(each.length).toBeLessThanOrEqual(3_000)
  expect(blocks[0].text.text).toContain('&amp;&amp;…')
})
