import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { newId } from '@printyard/server/kernel/ids'
import { openStream } from '@printyard/server/test/app/open-stream'
import { connectTestHub, type TestHub } from '@printyard/server/test/farm/test-hub'
import { createTestDatabase, type TestDatabase } from '@printyard/server/test/run/test-database'
import { isRedisInstalled, startTestRedis, type TestRedis } from '@printyard/server/test/services/test-redis'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { apiClient, eventually, makeFarmFolder, startServiceProcess } from '../test/farm-processes.ts'
import { addSlicedFileRows } from '../test/sliced-file-rows.ts'

/** A checkout of the former version; `npm run cluster -- --beside FOLDER` sets it. */
const former = process.env.CLUSTER_BESIDE ?? ''

type Service = Awaited<ReturnType<typeof startServiceProcess>>

interface Found {
  data: Record<string, unknown> & { id: string }
  error?: { code: string }
}

/** What each process is asked for all the while, in ms between two requests. */
const pauseMs = 15

describe.skipIf(former === '' || !isRedisInstalled())('a process of the former version and one of this version', () => {
  const fileId = newId('printFile')
  const scopes = 'read,write,control'
  const owner = { email: 'owner@example.com', password: 'the password of the owner' }
  let redis: TestRedis
  let db: TestDatabase
  let folder: Awaited<ReturnType<typeof makeFarmFolder>>
  let older: Service
  let newer: Service | undefined
  let account: { id: string }
  let key: string
  let spares: { id: string; key: string }[]
  let hubs: { id: string; token: string }[]
  let printers: string[]
  let olderHub: TestHub
  const settings = () => ({ DATABASE_URL: db.url, REDIS_URL: redis.url, PRINTYARD_SECRET_KEY: 'ab'.repeat(32) })

  const startOlder = (name: string) =>
    startServiceProcess(join(folder.path, name), { checkout: former, settings: settings() })

  /** A command of the former version. */
  async function command<T>(args: readonly string[], input = ''): Promise<T> {
    const main = join(former, 'apps/cli/src/main.ts')
    const env = { ...process.env, DATABASE_URL: db.url, PRINTYARD_DATA_DIR: join(folder.path, 'older') }
    const running = promisify(execFile)(process.execPath, [main, ...args, '--json'], { env, timeout: 60_000 })
    running.child.stdin?.end(input)
    return JSON.parse((await running).stdout) as T
  }

  const makeKey = () =>
    command<{ id: string; key: string }>(['keys', 'create', '--account', account.id, '--name', 'k', '--scopes', scopes])

  const ask = (service: Service, method: string, path: string, body?: unknown, by = key) =>
    apiClient(service.url, by)<Found>(method, path, body)

  async function done(service: Service, method: string, path: string, body?: unknown) {
    const answer = await ask(service, method, path, body)
    expect(answer.status, `${method} ${path}: ${JSON.stringify(answer.body)}`).toBeLessThan(300)
    return answer.body.data
  }

  /** As the owner does on the page of a process. */
  async function revoke(service: Service, keyId: string): Promise<void> {
    const headers = { origin: service.url, 'content-type': 'application/json' }
    const signedIn = await fetch(`${service.url}/app/v1/sign-in`, {
      ...{ method: 'POST', headers, body: JSON.stringify(owner) },
    })
    const cookie = signedIn.headers
      .getSetCookie()
      .map((each) => each.split(';')[0])
      .join('; ')
    expect(signedIn.status, await signedIn.text()).toBe(200)
    const revoked = await fetch(`${service.url}/app/v1/api-keys/${keyId}`, {
      ...{ method: 'DELETE', headers: { origin: service.url, cookie } },
    })
    expect(revoked.status, await revoked.text()).toBe(200)
  }

  const isIdle = (service: Service, printerId: string) =>
    eventually(
      'the printer to be idle',
      () => ask(service, 'GET', `/printers/${printerId}/status`),
      ({ body }) => body.data?.status === 'idle',
    )

  beforeAll(async () => {
    redis = await startTestRedis()
    folder = await makeFarmFolder()
    // Empty, for the former version to migrate.
    db = await createTestDatabase()
    await db.sql.unsafe('drop schema public cascade')
    await db.sql.unsafe('create schema public')
    older = await startOlder('older')
    account = await command(
      ['accounts', 'create', '--name', 'Farm', '--owner-email', owner.email, '--owner-password-stdin'],
      `${owner.password}
`,
    )
    ;({ key } = await makeKey())
    spares = [await makeKey(), await makeKey()]
    const makeHub = (name: string) =>
      command<{ id: string; token: string }>(['hubs', 'create', '--account', account.id, '--name', name])
    hubs = [await makeHub('Of the older'), await makeHub('Of the newer')]
    await addSlicedFileRows(db.sql, { accountId: account.id, fileId, content: Buffer.from('G28\n') })
    printers = []
    for (const { id } of hubs) {
      const fields = { name: `Printer ${id}`, model: 'MK4S', hub_id: id, connection_type: 'virtual' }
      printers.push((await done(older, 'POST', '/printers', fields)).id)
      await done(older, 'POST', `/printers/${printers.at(-1)}/control`, { action: 'clear_bed' })
    }
    olderHub = await connectTestHub(older.url, hubs[0]?.token ?? '')
    olderHub.telemetry(printers[0] ?? '', { status: 'idle' })
    await isIdle(older, printers[0] ?? '')
  }, 240_000)
  afterAll(async () => {
    await olderHub?.close()
    await newer?.kill()
    await older?.kill()
    await redis?.close()
    await db?.close()
    await folder?.remove()
  }, 60_000)

  test('serve one account side by side: nothing fails, the feed is whole, revoked keys are refused by both, and the former one stops', async () => {
    const failures: string[] = []
    const queued: string[] = []
    const counts = new Map<string, number>()
    const stopping = new AbortController()
    const lanes: Promise<void>[] = []

    /** Asks a process again and again until all is over, or it is to stop. */
    function keepAsking(name: string, service: Service, signal: AbortSignal, step: (n: number) => Promise<void>) {
      lanes.push(
        (async () => {
          for (let n = 0; !signal.aborted; n += 1) {
            try {
              await step(n)
              counts.set(name, (counts.get(name) ?? 0) + 1)
            } catch (error) {
              failures.push(`${name} of ${service === older ? 'the older' : 'the newer'}: ${String(error)}`)
            }
            await wait(pauseMs)
          }
        })(),
      )
    }
    function work(service: Service, other: () => Service | undefined, name: string, signal: AbortSignal): void {
      keepAsking(`${name} queue`, service, signal, async () => {
        const { id } = await done(service, 'POST', '/jobs', { print_file_id: fileId })
        queued.push(id)
        // A write's answer is followed by reads that see it, on every process.
        const elsewhere = other()
        if (elsewhere) await done(elsewhere, 'GET', `/jobs/${id}`)
      })
      keepAsking(`${name} rename`, service, signal, async (n) => {
        const [printerId = ''] = printers
        const notes = `${name} ${n}`
        if (other()) return
        await done(service, 'PATCH', `/printers/${printerId}`, { notes })
        expect((await done(service, 'GET', `/printers/${printerId}`)).notes).toBe(notes)
      })
      keepAsking(`${name} read`, service, signal, async () => {
        for (const path of ['/printers', '/printers/live', '/hubs', '/jobs?limit=20', '/events?limit=20']) {
          await done(service, 'GET', path)
        }
      })
    }
    const olderStops = new AbortController()
    work(older, () => newer, 'older', AbortSignal.any([olderStops.signal, stopping.signal]))
    await wait(1_500)

    // It migrates the database under the other.
    newer = await startServiceProcess(join(folder.path, 'newer'), { settings: settings() })
    const now = newer
    const [{ number: level } = { number: 0 }] = await db.sql<{ number: number }[]>`
        select max(number) as number from schema_migrations`
    const newerHub = await connectTestHub(now.url, hubs[1]?.token ?? '')
    onTestFinished(() => newerHub.close())
    newerHub.telemetry(printers[1] ?? '', { status: 'idle' })
    for (const service of [older, now]) for (const id of printers) await isIdle(service, id)
    const streams = await Promise.all(
      [older, now].map((service) =>
        openStream(service.url, '/public/v1/events/stream', { authorization: `Bearer ${key}` }),
      ),
    )
    work(now, () => (olderStops.signal.aborted ? undefined : older), 'newer', stopping.signal)

    // Commands and starts cross from each to the other.
    for (let round = 0; round < 10; round += 1) {
      await done(older, 'POST', `/printers/${printers[1]}/light`, { state: true })
      await done(now, 'POST', `/printers/${printers[0]}/light`, { state: false })
    }
    for (const [index, [service, hub]] of (
      [
        [older, newerHub],
        [now, olderHub],
      ] as const
    ).entries()) {
      const printerId = printers[1 - index] ?? ''
      const job = await done(service, 'POST', '/jobs', { print_file_id: fileId, printer_id: printerId })
      await done(service, 'POST', `/jobs/${job.id}/start`)
      const start = await hub.waitFor('command', ({ kind }) => kind === 'print')
      const attempt = { attempt_id: String(start.args.attempt_id), printer_id: printerId, fence: start.fence ?? 0 }
      await hub.report({ ...attempt, phase: 'confirmed' })
      await hub.report({ ...attempt, phase: 'finished', outcome: 'done' })
      for (const each of [older, now]) {
        await eventually(
          'the job to be done',
          () => ask(each, 'GET', `/jobs/${job.id}`),
          ({ body }) => body.data.status === 'completed',
        )
      }
    }

    // A key that one of them revokes is refused by both as soon as that is answered.
    for (const [revoker, user, spare] of [
      [older, now, spares[0] ?? { id: '', key: '' }],
      [now, older, spares[1] ?? { id: '', key: '' }],
    ] as const) {
      for (const each of [older, now])
        expect((await ask(each, 'GET', '/printers', undefined, spare.key)).status).toBe(200)
      let wasRevokedAtMs = Number.POSITIVE_INFINITY
      const passed: number[] = []
      let isOver = false
      const using = (async () => {
        while (!isOver) {
          const sentAtMs = performance.now()
          const { status } = await ask(user, 'GET', '/printers', undefined, spare.key)
          if (status === 200) passed.push(sentAtMs)
          else await wait(200)
        }
      })()
      await wait(300)
      await revoke(revoker, spare.id)
      wasRevokedAtMs = performance.now()
      for (const each of [older, now])
        expect((await ask(each, 'GET', '/printers', undefined, spare.key)).status).toBe(401)
      await wait(500)
      isOver = true
      await using
      expect(passed.length).toBeGreaterThan(0)
      expect(passed.filter((atMs) => atMs > wasRevokedAtMs)).toEqual([])
    }

    // The former one goes: who asks it is asked to stop first, as by a balancer, and its hub comes to the other.
    olderStops.abort()
    await wait(500)
    expect(await older.stop()).toBe(0)
    expect(await olderHub.waitFor('close')).toMatchObject({ reason: 'service_restart' })
    const moved = await connectTestHub(now.url, hubs[0]?.token ?? '')
    onTestFinished(() => moved.close())
    moved.telemetry(printers[0] ?? '', { status: 'idle' })
    await isIdle(now, printers[0] ?? '')
    await done(now, 'POST', `/printers/${printers[0]}/light`, { state: true })
    await wait(1_000)
    stopping.abort()
    await Promise.all(lanes)

    expect(failures.slice(0, 5)).toEqual([])
    const events = await db.sql<{ subject_id: string }[]>`
        select subject_id from events where account_id = ${account.id} and type = 'job.queued'`
    const told = Map.groupBy(events, ({ subject_id }) => subject_id)
    expect(queued.filter((id) => told.get(id)?.length !== 1)).toEqual([])
    // What was queued while both streams were open came through each, until the one of the former process ended.
    const [ofOlder, ofNewer] = streams.map(
      ({ frames }) =>
        new Set(
          frames.flatMap(({ event, data }) =>
            event === 'change' && data?.type === 'job.queued' ? [data.subject_id] : [],
          ),
        ),
    )
    const [since = ''] = ofOlder ?? []
    const seen = queued.slice(queued.indexOf(String(since)))
    expect(seen.filter((id) => !ofNewer?.has(id))).toEqual([])
    expect(ofOlder?.size).toBeGreaterThan(20)
    process.stdout.write(
      `migrations up to ${level}; ${JSON.stringify(Object.fromEntries(counts))}; queued ${queued.length}\n`,
    )
    expect(Math.min(...counts.values())).toBeGreaterThan(10)
  }, 240_000)

  test('a process of the former version does not start again on the migrated database, and says why', async () => {
    await expect(startOlder('again')).rejects.toThrow(/was used by a newer version/)
  }, 90_000)
})
