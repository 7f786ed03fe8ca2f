import { Writable } from 'node:stream'
import { expect, test } from 'vitest'
import { makeLog } from './service.ts'

function capture() {
  let text = ''
  const stream = new Writable({
    write(chunk, _encoding, done) {
      text += String(chunk)
      done()
    },
  })
  return { log: makeLog({ logLevel: 'info' }, stream), read: () => text }
}

test('secrets and personal data do not reach the log, wherever a careless line puts them', () => {
  const { log, read } = capture()
  const secrets = {
    token: 'tok-1',
    password: 'pass-2',
    access_code: 'code-3',
    api_key: 'key-4',
    connection: { host: 'conn-5' },
    customer_name: 'name-6',
    customer_email: 'mail-7',
    owner_email: 'mail-8',
  }
  log.info({ input: secrets }, 'one')
  log.info({ req: { headers: { authorization: 'Bearer auth-9', cookie: 'cookie-10' } } }, 'two')
  expect(read()).not.toMatch(/tok-1|pass-2|code-3|key-4|conn-5|name-6|mail-7|mail-8|auth-9|cookie-10/)
  expect(read()).toContain('[redacted]')
})

test('a line is one JSON object with its level as a word and its time in ISO 8601', () => {
  const { log, read } = capture()
  log.warn({ hub_id: 'hub_1' }, 'gone')
  expect(JSON.parse(read())).toMatchObject({
    level: 'warn',
    hub_id: 'hub_1',
    msg: 'gone',
    time: expect.stringMatching(/^\d{4}-.*Z$/),
  })
})
