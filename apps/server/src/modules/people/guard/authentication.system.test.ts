import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '../../../db/database.ts'
import type { ApiKeyId } from '../../../kernel/ids.ts'
import { systemWork } from '../../../test/app/system-work.ts'
import { createTestApp, type TestApp } from '../../../test/app/test-app.ts'
import { listKeys, revokeKeyById } from '../api-keys/api-keys.queries.ts'

let app: TestApp
beforeAll(async () => {
  app = await createTestApp()
})
afterAll(async () => {
  await app.close()
})

test('a key that another process revokes while it is in heavy use is refused from the next request on', async () => {
  const account = await app.account()
  const elsewhere = openDatabase({ target: app.db.target })
  const [key] = await listKeys(elsewhere.sql, account.id)
  const statuses = () =>
    Promise.all(Array.from({ length: 20 }, async () => (await account.request('GET', '/jobs')).statusCode))
  let isRevoked = false
  const traffic = (async () => {
    // Bounded: a revocation takes a few rounds at most. The first refusal ends it: so many are taken from one address.
    for (let round = 0; round < 500 && !isRevoked; round += 1) if ((await statuses()).includes(401)) break
  })()
  expect(await statuses()).toEqual(Array.from({ length: 20 }, () => 200))
  expect(await revokeKeyById(systemWork(elsewhere.sql, account.id), key?.id as ApiKeyId)).toBeTruthy()
  const after = await statuses()
  isRevoked = true
  await traffic
  await elsewhere.close()
  expect(after).toEqual(Array.from({ length: 20 }, () => 401))
})
