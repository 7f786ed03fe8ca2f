import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { sampleOf } from '@printyard/protocol/test/sample'
import { createTestApp, type TestAccount, type TestApp } from '@printyard/server/test/app/test-app'
import { addTestFile, readSlicedFile } from '@printyard/server/test/farm/sliced-file'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startLaterService } from './later-service.ts'
import { isInstalled, languages, makeClient, runClient } from './made-client.ts'

const documentFile = fileURLToPath(new URL('../../apps/server/openapi.json', import.meta.url))

/** So that a client meets the limit, and not before it has asked for everything else. */
const callsPerMinute = 40

let t: TestApp
let later: Awaited<ReturnType<typeof startLaterService>>
beforeAll(async () => {
  t = await createTestApp({ config: { rateLimitPerMinute: callsPerMinute } })
  await t.app.listen({ port: 0, host: '127.0.0.1' })
  later = await startLaterService(t.app.listeningOrigin)
})
afterAll(async () => {
  await later.close()
  await t.close()
})

async function queueJobs(account: TestAccount, fileId: string): Promise<void> {
  for (let count = 0; count < 4; count += 1) {
    const answer = await account.request('POST', '/jobs', { print_file_id: fileId })
    expect(answer.statusCode, answer.body).toBe(201)
  }
}

const jobsOf = (account: TestAccount) =>
  t.db.sql<{ id: string; number_of_units: number }[]>`
    select id, number_of_units from jobs where account_id = ${account.id} order by created_at desc, id desc`

test('the document that clients are made of is the one that the service serves', async () => {
  expect(JSON.parse(readFileSync(documentFile, 'utf8')).paths['/public/v1/jobs'].get.operationId).toBe('listJobs')
})

describe.each(sampleOf(languages, 2))('the client in $name, by its generator from our document', (language) => {
  test.skipIf(!isInstalled(language))('compiles, lists, enqueues, pages, and is refused as told', async () => {
    const folder = await makeClient(language, documentFile)
    const account = await t.account()
    const { id: fileId } = await addTestFile(t, account, await readSlicedFile())
    await queueJobs(account, fileId)

    const seen = await runClient(language, folder, {
      SERVICE_URL: t.app.listeningOrigin,
      LATER_URL: later.url,
      API_KEY: account.key,
      FILE_ID: fileId,
    })

    const [newest, ...others] = await jobsOf(account)
    expect(newest?.number_of_units).toBe(2)
    const ids = [newest, ...others].map((job) => job?.id)
    expect(seen).toEqual({
      listed: 4,
      enqueued: newest?.id,
      pages: [ids.slice(0, 2), ids.slice(2, 4), ids.slice(4)],
      missing: { status: 404, code: 'NOT_FOUND' },
      limited: { status: 429, code: 'RATE_LIMITED' },
      later: ids.map(() => 'drying'),
    })
  })
})
