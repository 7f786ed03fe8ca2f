import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { leaseMs, marginMs } from '@printyard/server/db/coherence/lease-clock'
import { lockClass as noticeLock } from '@printyard/server/db/coherence/notice-session'
import { type ApiKeyId, newId } from '@printyard/server/kernel/ids'
import { revokeKeyById } from '@printyard/server/modules/people/api-keys/api-keys.queries'
import { createApiKey } from '@printyard/server/modules/people/api-keys/api-keys.service'
import { systemWork } from '@printyard/server/test/app/system-work'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type FarmDatabase, openFarmDatabase } from '../test/farm-database.ts'
import { apiClient, eventually, makeFarmFolder, startServiceProcess } from '../test/farm-processes.ts'
import { type SilentProxy, startSilentProxy } from '../test/silent-proxy.ts'

type Service = Awaited<ReturnType<typeof startServiceProcess>>

/** Two services on one database, the far one behind a network of its own, and this process, which revokes. */
let database: FarmDatabase
let folder: Awaited<ReturnType<typeof makeFarmFolder>>
let proxy: SilentProxy
let near: Service
let far: Service
let printerId: string

beforeAll(async () => {
  database = await openFarmDatabase()
  folder = await makeFarmFolder()
  const { target } = database.db
  if (!('socketPath' in target)) throw new Error('The databases of tests are reached by a socket.')
  proxy = await startSilentProxy(target.socketPath)
  ;[near, far] = await Promise.all([startService('near', database.db.url), startFar()])
  const added = await apiClient(near.url, database.key)<{ data: { id: string } }>('POST', '/printers', {
    name: 'Printer',
    model: 'MK4S',
    connection_type: 'virtual',
  })
  printerId = added.body.data.id
}, 120_000)
afterEach(() => {
  proxy.heal()
  process.kill(far.pid, 'SIGCONT')
})
afterAll(async () => {
  await Promise.all([near?.kill(), far?.kill()])
  await proxy?.close()
  await database?.db.close()
  await folder?.remove()
}, 60_000)

function startService(name: string, url: string): Promise<Service> {
  const settings = { DATABASE_URL: url, PRINTYARD_SECRET_KEY: 'ab'.repeat(32) }
  return startServiceProcess(join(folder.path, name), { settings })
}

function startFar(): Promise<Service> {
  const { target } = database.db
  if (!('socketPath' in target)) throw new Error('The databases of tests are reached by a socket.')
  return startService('far', `postgresql://${target.user}@127.0.0.1:${proxy.port}/${target.database}`)
}

async function makeKey(): Promise<{ id: ApiKeyId; key: string }> {
  const work = systemWork(database.db.sql, database.accountId)
  return await createApiKey(work, { name: newId('apiKey'), scopes: ['read'], expiresAt: null })
}

/** How many processes a change waits for. */
async function countMembers(): Promise<number> {
  const [row] = await database.db.sql<{ members: number }[]>`
    select count(*)::int as members from pg_locks
    where locktype = 'advisory' and classid = ${noticeLock}::oid and granted
      and database = (select oid from pg_database where datname = current_database())`
  return row?.members ?? 0
}

/** Refusals after which a lane ends: a service takes a number of them per minute from one address. */
const enoughRefusals = 2

/** Uses a key at a service without a pause, by a request that needs the database for nothing but the key and the printer. */
function useKey(service: Service, key: string) {
  const answers: { sentAt: number; status: number }[] = []
  let isOver = false
  const lanes = Array.from({ length: 3 }, async () => {
    for (let refusals = 0; !isOver && refusals < enoughRefusals; ) {
      const sentAt = performance.now()
      const status = await statusFor(service, key)
      answers.push({ sentAt, status })
      if (status === 401) refusals += 1
      if (status !== 200) await wait(100)
    }
  })
  return {
    answers,
    passedAfter: (time: number) => answers.filter(({ sentAt, status }) => sentAt > time && status === 200).length,
    async stop() {
      isOver = true
      await Promise.all(lanes)
    },
  }
}

/** 0 for a request that was not answered. */
async function statusFor(service: Service, key: string): Promise<number> {
  try {
    const answer = await fetch(`${service.url}/public/v1/printers/${printerId}/status`, {
      headers: { authorization: `Bearer ${key}` },
      signal: AbortSignal.timeout(3_000),
    })
    await answer.arrayBuffer()
    return answer.status
  } catch {
    return 0
  }
}

/** Answers when the revocation was answered, and how long that took. */
async function revoke(id: ApiKeyId): Promise<{ at: number; tookMs: number }> {
  const startedAt = performance.now()
  await revokeKeyById(systemWork(database.db.sql, database.accountId), id)
  const at = performance.now()
  return { at, tookMs: at - startedAt }
}

/** What a machine that is busy with other things may add. */
const slackMs = 1_500

test('no request passes after the revocation was answered, at processes that are in heavy use, and it takes no lease', async () => {
  const took: number[] = []
  for (let round = 0; round < 5; round += 1) {
    const { id, key } = await makeKey()
    const uses = [useKey(near, key), useKey(far, key)]
    await eventually(
      'the key to be in use',
      async () => Math.min(...uses.map((use) => use.passedAfter(0))),
      (passed) => passed > 20,
    )
    const revoked = await revoke(id)
    await wait(300)
    for (const use of uses) {
      await use.stop()
      expect(use.passedAfter(revoked.at)).toBe(0)
      expect(use.answers.at(-1)?.status).toBe(401)
    }
    took.push(revoked.tookMs)
  }
  took.sort((a, b) => a - b)
  console.info(`revoked in ${took.map(Math.round).join(', ')} ms`)
  expect(took[2]).toBeLessThan(leaseMs / 2)
}, 60_000)

test('a process that was stopped lets nothing pass when it goes on, and holds up a revocation for one lease', async () => {
  const { id, key } = await makeKey()
  const other = await makeKey()
  const use = useKey(far, key)
  await wait(300)
  process.kill(far.pid, 'SIGSTOP')
  const revoked = await revoke(id)
  expect(revoked.tookMs).toBeLessThan(leaseMs + marginMs + slackMs)
  // Its session is ended: no one waits for it again.
  await wait(300)
  const next = await revoke(other.id)
  expect(next.tookMs).toBeLessThan(leaseMs)
  console.info(
    `revoked in ${Math.round(revoked.tookMs)} ms beside a stopped process, then in ${Math.round(next.tookMs)}`,
  )
  const late = Promise.all(Array.from({ length: 5 }, () => statusFor(far, key)))
  await wait(200)
  process.kill(far.pid, 'SIGCONT')
  expect(await late).toEqual(Array.from({ length: 5 }, () => 401))
  await use.stop()
  expect(use.passedAfter(revoked.at)).toBe(0)
}, 60_000)

test('a process that is cut off from the database lets nothing pass once its lease is over', async () => {
  const { id, key } = await makeKey()
  // A process whose session was ended answers from memory again when it has a new one.
  await eventually('both processes to hear of changes', countMembers, (members) => members === 2)
  const use = useKey(far, key)
  await eventually(
    'the key to be in use',
    async () => use.passedAfter(0),
    (passed) => passed > 20,
  )
  const cutAt = performance.now()
  proxy.cut()
  const revoked = await revoke(id)
  await wait(1_000)
  await use.stop()
  expect(revoked.tookMs).toBeLessThan(leaseMs + marginMs + slackMs)
  // It answered from memory for as long as it could prove that no one had been told otherwise.
  expect(use.passedAfter(cutAt)).toBeGreaterThan(0)
  expect(use.passedAfter(revoked.at)).toBe(0)
  proxy.heal()
  await eventually(
    'the process to be back',
    () => statusFor(far, database.key),
    (status) => status === 200,
  )
  expect(await statusFor(far, key)).toBe(401)
}, 90_000)

test('a process that gets the processor for moments only lets nothing pass', async () => {
  const { id, key } = await makeKey()
  const use = useKey(far, key)
  await wait(300)
  let isSlow = true
  const slowdown = (async () => {
    while (isSlow) {
      process.kill(far.pid, 'SIGSTOP')
      await wait(700)
      process.kill(far.pid, 'SIGCONT')
      await wait(15)
    }
  })()
  await wait(300)
  const revoked = await revoke(id)
  await wait(1_500)
  isSlow = false
  await slowdown
  await use.stop()
  expect(use.passedAfter(revoked.at)).toBe(0)
}, 60_000)

test('a process that is killed holds up nothing', async () => {
  const { id, key } = await makeKey()
  const use = useKey(far, key)
  await wait(300)
  await Promise.all([far.kill(), use.stop()])
  const { tookMs } = await revoke(id)
  expect(tookMs).toBeLessThan(leaseMs + marginMs + slackMs)
  far = await startFar()
}, 60_000)

test('reads at any process see a change as soon as it was answered', async () => {
  const readAt = async (service: Service) => {
    const { body } = await apiClient(service.url, database.key)<{ data: { name: string } }>(
      'GET',
      `/printers/${printerId}`,
    )
    return body.data.name
  }
  const listedAt = async (service: Service) => {
    const { body } = await apiClient(service.url, database.key)<{ data: { name: string }[] }>('GET', '/printers')
    return body.data[0]?.name
  }
  for (let round = 0; round < 40; round += 1) {
    const [writer, reader] = round % 2 === 0 ? [near, far] : [far, near]
    const name = `Printer ${round}`
    await Promise.all([readAt(reader), listedAt(reader), readAt(writer)])
    const changed = await apiClient(writer.url, database.key)('PATCH', `/printers/${printerId}`, { name })
    expect(changed.status).toBe(200)
    expect(await Promise.all([readAt(reader), listedAt(reader), readAt(writer)])).toEqual([name, name, name])
  }
}, 60_000)
