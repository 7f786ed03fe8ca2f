import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FileVersionId, type HubId, newId } from '../../kernel/ids.ts'
import { createTestApp, type TestAccount, type TestApp } from '../../test/app/test-app.ts'
import { addTestFile, readSlicedFile } from '../../test/farm/sliced-file.ts'
import { signFileUrl } from './hub-files.routes.ts'

let t: TestApp
let farm: TestAccount
let sliced: Buffer
let versionId: FileVersionId
let hubId: HubId
let now: Date
beforeAll(async () => {
  now = new Date()
  t = await createTestApp({ context: { clock: { now: () => now } } })
  farm = await t.account()
  sliced = await readSlicedFile()
  versionId = (await addTestFile(t, farm, sliced)).versions[0]?.id as FileVersionId
  hubId = await addHub(farm)
})
afterAll(() => t.close())

async function addHub(account: TestAccount): Promise<HubId> {
  const id = newId('hub')
  const hub = { account_id: account.id, id, name: id, token_hash: createHash('sha256').update(id).digest() }
  await t.db.sql`insert into hubs ${t.db.sql(hub)}`
  return id
}

const inOneMinute = () => new Date(now.getTime() + 60_000)
const sign = (expiresAt = inOneMinute()) => signFileUrl(t.context, farm.id, versionId, hubId, expiresAt)

test('a hub pulls the bytes with no other credential, whole or from where it broke off', async () => {
  const whole = await t.app.inject(sign())
  expect(whole.statusCode).toBe(200)
  expect(whole.rawPayload.equals(sliced)).toBe(true)
  const etag = `"${createHash('sha256').update(sliced).digest('hex')}"`
  expect(whole.headers).toMatchObject({ etag, 'accept-ranges': 'bytes', 'content-length': String(sliced.length) })
  const rest = await t.app.inject({ url: sign(), headers: { range: 'bytes=1000-', 'if-range': etag } })
  expect(rest.statusCode).toBe(206)
  expect(rest.headers['content-range']).toBe(`bytes 1000-${sliced.length - 1}/${sliced.length}`)
  expect(rest.rawPayload.equals(sliced.subarray(1000))).toBe(true)
})

test('a range of something else that has the same name is not continued', async () => {
  const answer = await t.app.inject({ url: sign(), headers: { range: 'bytes=1000-', 'if-range': '"other"' } })
  expect(answer.statusCode).toBe(200)
  expect(answer.rawPayload.equals(sliced)).toBe(true)
})

test('what the hub has already is not sent again', async () => {
  const etag = (await t.app.inject(sign())).headers.etag as string
  const answer = await t.app.inject({ url: sign(), headers: { 'if-none-match': etag } })
  expect(answer.statusCode).toBe(304)
  expect(answer.body).toBe('')
})

test('an address ends at its time', async () => {
  const url = sign(inOneMinute())
  const before = now
  now = new Date(before.getTime() + 59_000)
  expect((await t.app.inject(url)).statusCode).toBe(200)
  now = new Date(before.getTime() + 60_000)
  const late = await t.app.inject(url)
  now = before
  expect(late.statusCode).toBe(404)
  expect(late.json().error.code).toBe('FILE_LINK_INVALID')
})

test('an address that was changed in any part is refused', async () => {
  const stranger = await t.account()
  const otherHub = await addHub(farm)
  const otherVersion = (await addTestFile(t, farm, sliced)).versions[0]?.id as FileVersionId
  const url = sign()
  const forged = [
    url.replace(versionId, otherVersion),
    url.replace(hubId, otherHub),
    url.replace(farm.id, stranger.id),
    url.replace(/expires=\d+/, `expires=${Math.floor(now.getTime() / 1000) + 3600}`),
    url.replace(/expires=\d+/, 'expires=Infinity'),
    url.replace(/signature=.*/, 'signature='),
    url.replace(/signature=.*/, `signature=${'A'.repeat(43)}`),
    `${url}&signature=x`,
    url.replace(/\?.*/, ''),
  ]
  for (const address of forged) {
    const answer = await t.app.inject(address)
    expect(answer.statusCode, address).toBe(404)
    expect(answer.json().error.code).toBe('FILE_LINK_INVALID')
  }
})

test('a hub that lost its token pulls nothing more', async () => {
  const url = signFileUrl(t.context, farm.id, versionId, await addHub(farm), inOneMinute())
  expect((await t.app.inject(url)).statusCode).toBe(200)
  await t.db.sql`update hubs set token_hash = null where account_id = ${farm.id} and id <> ${hubId}`
  expect((await t.app.inject(url)).json().error.code).toBe('FILE_LINK_INVALID')
})
