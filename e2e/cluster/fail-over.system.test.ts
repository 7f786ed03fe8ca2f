import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { openDatabase } from '@printyard/server/db/database'
import { migrate } from '@printyard/server/db/migrate'
import { scopes } from '@printyard/server/kernel/actor'
import { type AccountId, newId } from '@printyard/server/kernel/ids'
import { createHubWithToken } from '@printyard/server/modules/hubs/hubs.service'
import { insertAccount } from '@printyard/server/modules/people/accounts/accounts.queries'
import { createApiKey } from '@printyard/server/modules/people/api-keys/api-keys.service'
import { systemWork } from '@printyard/server/test/app/system-work'
import { connectTestHub, type TestHub } from '@printyard/server/test/farm/test-hub'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { apiClient, eventually, makeFarmFolder, startServiceProcess } from '../test/farm-processes.ts'
import { addSlicedFileRows } from '../test/sliced-file-rows.ts'
import { type ReplicatedPostgres, startReplicatedPostgres } from './test/replicated-postgres.ts'

/** From when the address of the database leads to the promoted replica. */
const recoveredMs = 15_000
const printers = 6

interface Answer {
  data: { id: string; status: string; is_online: boolean; issued_number: number }
}

let postgres: ReplicatedPostgres
let folder: Awaited<ReturnType<typeof makeFarmFolder>>
let service: Awaited<ReturnType<typeof startServiceProcess>>
let request: ReturnType<typeof apiClient>
let hub: TestHub
let accountId: AccountId
let printerIds: string[]
const fileId = newId('printFile')

beforeAll(async () => {
  postgres = await startReplicatedPostgres()
  folder = await makeFarmFolder()
  await migrate({ target: { url: postgres.url }, log: pino({ level: 'silent' }) })
  const db = openDatabase({ target: { url: postgres.url } })
  accountId = newId('account')
  await insertAccount(db.sql, { id: accountId, name: 'Farm', time_zone: 'UTC' })
  const { key } = await createApiKey(systemWork(db.sql, accountId), { name: 'test', scopes, expiresAt: null })
  const made = await createHubWithToken(systemWork(db.sql, accountId), 'Hub')
  await addSlicedFileRows(db.sql, { accountId, fileId, content: Buffer.from('G28\n') })
  await db.close()
  service = await startServiceProcess(join(folder.path, 'service'), {
    settings: { DATABASE_URL: postgres.url, PRINTYARD_SECRET_KEY: 'ab'.repeat(32) },
  })
  request = apiClient(service.url, key)
  printerIds = []
  for (let number = 1; number <= printers; number += 1) {
    const { body } = await request<Answer>('POST', '/printers', {
      name: `Printer ${number}`,
      model: 'MK4S',
      hub_id: made.id,
      connection_type: 'virtual',
    })
    printerIds.push(body.data.id)
    await request('POST', `/printers/${body.data.id}/control`, { action: 'clear_bed' })
  }
  hub = await connectTestHub(service.url, made.token)
  for (const id of printerIds) hub.telemetry(id, { status: 'idle' })
  for (const id of printerIds) {
    await eventually(
      'the printer',
      () => request<Answer>('GET', `/printers/${id}/status`),
      ({ body }) => body.data.status === 'idle',
    )
  }
}, 240_000)
afterAll(async () => {
  await hub?.close()
  await service?.kill()
  await postgres?.close()
  await folder?.remove()
}, 60_000)

const queue = (printerId?: string) =>
  request<Answer>('POST', '/jobs', { print_file_id: fileId, ...(printerId !== undefined && { printer_id: printerId }) })

test('a replica that is promoted has all that was acknowledged, nothing is started twice, and the service goes on by itself', async () => {
  const acknowledged: string[] = []
  const starts: Promise<number>[] = []
  let isOver = false
  /** When the first write was acknowledged after the last one that was not. */
  let wentOnAtMs = Number.POSITIVE_INFINITY
  async function write(): Promise<void> {
    while (!isOver) {
      const answer = await queue().catch(() => ({ status: 0, body: undefined }))
      if (answer.status < 300 && answer.body) {
        acknowledged.push(answer.body.data.id)
        wentOnAtMs = Math.min(wentOnAtMs, performance.now())
      } else {
        expect(answer.status).toBe(503)
        wentOnAtMs = Number.POSITIVE_INFINITY
      }
    }
  }
  const jobs = await Promise.all(
    printerIds.map(async (id) => {
      const { body } = await queue(id)
      acknowledged.push(body.data.id)
      return body.data.id
    }),
  )
  const start = (id: string) =>
    request('POST', `/jobs/${id}/start`).then(
      ({ status }) => status,
      () => 0,
    )
  const writing = [write(), write()]
  await wait(500)
  for (const id of jobs) {
    starts.push(start(id))
    await wait(3)
  }
  await postgres.killPrimary()
  await wait(1_000)
  // Some ways lead there before it is promoted: until then writes are refused as while there is no server.
  postgres.leadToReplica()
  await wait(1_000)
  await postgres.promote()
  const promotedAtMs = performance.now()
  await Promise.all(starts)
  await eventually(
    'the service to be ready',
    () => fetch(`${service.url}/readyz`),
    ({ ok }) => ok,
  )
  await eventually('writes to go on', async () => wentOnAtMs, Number.isFinite)
  await wait(1_000)
  isOver = true
  await Promise.all(writing)
  const tookMs = wentOnAtMs - promotedAtMs
  process.stdout.write(`writes went on ${Math.round(tookMs)} ms after the replica was promoted\n`)
  expect(tookMs).toBeLessThan(recoveredMs)

  // A caller without an answer asks again; one that had it does not.
  for (const id of jobs) await start(id)
  const db = openDatabase({ target: { url: postgres.replicaUrl } })
  try {
    const there = new Set(
      (await db.sql<{ id: string }[]>`select id from jobs where account_id = ${accountId}`).map(({ id }) => id),
    )
    expect(acknowledged.length).toBeGreaterThan(10)
    expect(acknowledged.filter((id) => !there.has(id))).toEqual([])
    const given = hub.commands().filter(({ kind }) => kind === 'print')
    const attempts = await db.sql<{ id: string; job_id: string }[]>`
      select id, job_id from attempts where account_id = ${accountId}`
    const jobOf = new Map(attempts.map(({ id, job_id }) => [id, job_id]))
    const started = given.map(({ args }) => jobOf.get(String(args.attempt_id as string)))
    // Each start that was given stands in the records, and no job was started twice.
    expect(started).not.toContain(undefined)
    expect(new Set(started).size).toBe(started.length)
  } finally {
    await db.close()
  }
}, 120_000)
