import { join } from 'node:path'
import type { TestHub } from '@printyard/server/test/farm/test-hub'
import { isRedisInstalled } from '@printyard/server/test/services/test-redis'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually, printyard } from '../test/farm-processes.ts'
import { type Cluster, openCluster, shows } from './test/open-cluster.ts'

/** The process that holds the hub, and the one that starts while Redis is away. */
const [holder, late] = [0, 1]

describe.skipIf(!isRedisInstalled())('a process that starts while Redis is away', () => {
  let cluster: Cluster
  let connected: TestHub
  let printerId: string
  let spareId: string

  beforeAll(async () => {
    cluster = await openCluster({ processes: 2, redis: true })
    const hub = await cluster.addHub('Hub')
    printerId = await cluster.addPrinter(hub.id)
    spareId = await cluster.addPrinter(hub.id)
    connected = await cluster.connect(holder, hub.token)
    connected.telemetry(printerId, { status: 'printing', progress: 5 })
    connected.telemetry(spareId, { status: 'printing', progress: 5 })
    for (const id of [printerId, spareId]) await shows(cluster, late, `/printers/${id}/status`, isPrinting)
  }, 120_000)
  afterAll(() => cluster?.close(), 60_000)

  const isPrinting = ({ status }: { status?: unknown }) => status === 'printing'

  async function causes(id: string): Promise<string[]> {
    const rows = await cluster.database.db.sql<{ cause: string }[]>`
      select cause from printer_periods
      where account_id = ${cluster.database.accountId} and printer_id = ${id} order by started_at`
    return rows.map(({ cause }) => cause)
  }
  const showsCause = (id: string, cause: string) =>
    eventually(
      `${id} to be ${cause}`,
      () => causes(id),
      (all) => all.at(-1) === cause,
    )

  test('records no printer of another process as offline, and says that it does not know', async () => {
    await showsCause(printerId, 'printing')
    const before = await causes(printerId)
    await cluster.redis?.kill()
    await cluster.services[late]?.kill()
    await cluster.start(late)
    // It looks at all printers of the farm when one of them changes; the other process does not hear of that.
    await cluster.ask(late, 'PATCH', `/printers/${spareId}`, { is_active: false })
    await showsCause(spareId, 'inactive')
    expect(await causes(printerId)).toEqual(before)
    const answer = await cluster.answer(late, 'POST', `/printers/${printerId}/light`, { state: true })
    expect(answer).toMatchObject({ status: 503, body: { error: { code: 'SERVICE_UNAVAILABLE' } } })
  }, 60_000)

  test('is warned of by doctor, with what is missing and since when', async () => {
    const dataDir = join(cluster.path, String(late))
    const { checks } = await printyard<{ checks: { name: string; status: string; message: string }[] }>(
      dataDir,
      'doctor',
    )
    expect(checks.find(({ name }) => name === 'service')).toMatchObject({
      status: 'warning',
      message: expect.stringMatching(
        /^It is ready at \S+, without all of its parts: redis does not answer; .* \(since \d{4}-.*Z\); cluster does not work over Redis: .* \(since \d{4}-.*Z\)\.$/,
      ),
    })
  }, 60_000)

  test('knows them once Redis is back, without a break in what is recorded', async () => {
    const before = await causes(printerId)
    await cluster.redis?.start()
    await shows(cluster, late, `/printers/${printerId}/status`, isPrinting)
    expect(await causes(printerId)).toEqual(before)
  }, 60_000)

  test('a hub that leaves while Redis is away is recorded so', async () => {
    await cluster.redis?.kill()
    await connected.close()
    await showsCause(printerId, 'offline')
  }, 60_000)
})
