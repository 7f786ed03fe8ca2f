import { createHmac } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { createSecretBox } from '../../../kernel/secret-box.ts'
import { newSecrets, openSecrets, rotateSecrets, sealSecrets, signatureHeaders } from './webhook-secrets.ts'

const body = '{"type":"job.queued"}'
const hourMs = 3_600_000

test('a signature is the HMAC-SHA256 of ID, time and body by the bytes of the secret', () => {
  const now = new Date('2026-11-20T09:30:00.900Z')
  const secrets = newSecrets()
  expect(secrets.current).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  const headers = signatureHeaders(secrets, 'evt_1', now, body)
  const key = Buffer.from(secrets.current.slice('whsec_'.length), 'base64')
  const hmac = createHmac('sha256', key).update(`evt_1.1795167000.${body}`).digest('base64')
  expect(headers).toEqual({
    'webhook-id': 'evt_1',
    'webhook-timestamp': '1795167000',
    'webhook-signature': `v1,${hmac}`,
  })
})

test('after a rotation both secrets verify until the overlap ends, and then the new one alone', () => {
  const now = new Date()
  const before = newSecrets()
  const after = rotateSecrets(before, now, new Date(now.getTime() + hourMs))
  expect(after.current).not.toBe(before.current)
  const during = signatureHeaders(after, 'evt_1', now, body)
  for (const secret of [before.current, after.current]) {
    expect(new Webhook(secret).verify(body, during)).toEqual({ type: 'job.queued' })
  }
  const later = new Date(now.getTime() + hourMs)
  expect(signatureHeaders(after, 'evt_1', later, body)['webhook-signature'].split(' ')).toHaveLength(1)
})

test('a rotation without overlap ends the former secret at once, and many rotations keep few', () => {
  const now = new Date()
  expect(rotateSecrets(newSecrets(), now, now).former).toEqual([])
  let secrets = newSecrets()
  for (let n = 0; n < 9; n += 1) secrets = rotateSecrets(secrets, now, new Date(now.getTime() + hourMs))
  expect(secrets.former).toHaveLength(4)
})

test('sealed secrets open for their own endpoint alone', () => {
  const box = createSecretBox('00'.repeat(32))
  const secrets = newSecrets()
  const sealed = sealSecrets(box, 'whk_1', secrets)
  expect(sealed.includes(secrets.current)).toBe(false)
  expect(openSecrets(box, 'whk_1', sealed)).toEqual(secrets)
  expect(() => openSecrets(box, 'whk_2', sealed)).toThrow()
})
