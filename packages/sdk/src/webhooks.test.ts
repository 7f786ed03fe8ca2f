import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { WebhookVerificationError } from './errors.ts'
import { verifyWebhook } from './webhooks.ts'

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
const other = `whsec_${Buffer.alloc(32, 8).toString('base64')}`
const body = JSON.stringify({
  type: 'job.completed',
  timestamp: '2026-11-20T09:30:00.000Z',
  data: { subject_id: 'job_ä' },
})

function signed(at = new Date(), by = secret) {
  return {
    'webhook-id': 'evt_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': new Webhook(by).sign('evt_1', at, body),
  }
}

test('a message that the published library signs is read, as text or bytes, from any kind of headers', async () => {
  const message = { id: 'evt_1', type: 'job.completed', data: { subject_id: 'job_ä' } }
  expect(await verifyWebhook(body, signed(), secret)).toMatchObject(message)
  expect(await verifyWebhook(Buffer.from(body), new Headers(signed()), secret)).toMatchObject(message)
  const capitals = Object.fromEntries(Object.entries(signed()).map(([name, value]) => [name.toUpperCase(), value]))
  expect(await verifyWebhook(body, capitals, secret)).toMatchObject(message)
})

test('during a rotation either secret and either signature will do', async () => {
  const both = { ...signed(), 'webhook-signature': `v1,AAAA v1a,xyz ${signed()['webhook-signature']}` }
  expect(await verifyWebhook(body, both, [other, secret])).toMatchObject({ id: 'evt_1' })
})

test.each([
  ['another body', () => [body.replace('completed', 'failed'), signed(), secret]],
  ['another ID', () => [body, { ...signed(), 'webhook-id': 'evt_2' }, secret]],
  ['another secret', () => [body, signed(), other]],
  ['no signature', () => [body, { ...signed(), 'webhook-signature': '' }, secret]],
  ['a signature that is none', () => [body, { ...signed(), 'webhook-signature': 'v1,!!! v1,' }, secret]],
  ['no timestamp', () => [body, { ...signed(), 'webhook-timestamp': 'now' }, secret]],
  ['six minutes ago', () => [body, signed(new Date(Date.now() - 360_000)), secret]],
  ['six minutes ahead', () => [body, signed(new Date(Date.now() + 360_000)), secret]],
  ['no secret', () => [body, signed(), 'whsec_']],
] satisfies [string, () => [string, Record<string, string>, string]][])('%s is refused', async (_, given) => {
  const [text, headers, by] = given()
  await expect(verifyWebhook(text, headers, by)).rejects.toBeInstanceOf(WebhookVerificationError)
})
