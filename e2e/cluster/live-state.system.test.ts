import type { TestHub } from '@printyard/server/test/farm/test-hub'
import { isRedisInstalled } from '@printyard/server/test/services/test-redis'
import { createClient } from '@redis/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '../test/farm-processes.ts'
import { type Cluster, openCluster, shows } from './test/open-cluster.ts'

const printing = (progress: number) => ({ status: 'printing' as const, progress, nozzle_temp: 210 })

interface Status {
  status: string | null
  progress: number | null
  hub_online: boolean
  last_telemetry_at: string | null
}

describe.skipIf(!isRedisInstalled())('what hubs of one process report, at another', () => {
  let cluster: Cluster
  let hub: { id: string; token: string }
  let connected: TestHub
  let printerId: string

  beforeAll(async () => {
    cluster = await openCluster({ processes: 3, redis: true })
    hub = await cluster.addHub('Hub')
    printerId = await cluster.addPrinter(hub.id)
    connected = await cluster.connect(0, hub.token)
  }, 120_000)
  afterAll(() => cluster?.close(), 60_000)

  const showsStatus = (number: number, isRight: (status: Status) => boolean) =>
    shows<Status>(cluster, number, `/printers/${printerId}/status`, isRight)

  /** What a process says of its connections to the others; it stays ready without them. */
  async function checkOf(number: number) {
    const answer = await fetch(`${cluster.services[number]?.url}/readyz`)
    expect(answer.status).toBe(200)
    const { checks } = (await answer.json()) as {
      checks: { name: string; ok: boolean; problem?: string; since?: string }[]
    }
    return checks.find(({ name }) => name === 'cluster')
  }

  test('every read route of every process answers alike', async () => {
    connected.telemetry(printerId, printing(42))
    for (const number of [0, 1, 2]) await showsStatus(number, ({ progress }) => progress === 42)
    const paths = [
      `/printers/${printerId}/status`,
      '/printers/live',
      `/printers/${printerId}`,
      `/hubs/${hub.id}`,
      '/hubs',
    ]
    for (const path of paths) {
      const [here, ...elsewhere] = await Promise.all([0, 1, 2].map((number) => cluster.ask(number, 'GET', path)))
      for (const other of elsewhere) expect(other, path).toEqual(here)
    }
  }, 60_000)

  test('a process that starts later knows it from its first answer', async () => {
    await cluster.services[2]?.kill()
    await cluster.start(2)
    expect(await cluster.ask(2, 'GET', `/printers/${printerId}/status`)).toMatchObject({
      status: 'printing',
      progress: 42,
      hub_online: true,
    })
  }, 60_000)

  test('an emptied Redis changes nothing; without one the last is shown with its age, and a report after it is back is seen', async () => {
    const client = createClient({ url: cluster.redis?.url ?? '' })
    await client.connect()
    await client.sendCommand(['FLUSHALL'])
    client.destroy()
    connected.telemetry(printerId, printing(43))
    await showsStatus(1, ({ progress }) => progress === 43)

    const goneAtMs = Date.now()
    await cluster.redis?.kill()
    connected.telemetry(printerId, printing(44))
    const here = await showsStatus(0, ({ progress }) => progress === 44)
    const elsewhere = await cluster.ask<Status>(1, 'GET', `/printers/${printerId}/status`)
    expect(elsewhere).toMatchObject({ status: 'printing', progress: 43, hub_online: true })
    expect(Date.parse(elsewhere.last_telemetry_at ?? '')).toBeLessThan(Date.parse(here.last_telemetry_at ?? ''))
    const away = await checkOf(1)
    expect(away).toMatchObject({
      ok: false,
      problem:
        'does not work over Redis: other processes cannot be sent anything; what their hubs report is not heard, and stays as it was',
    })
    expect(Date.parse(away?.since ?? '')).toBeGreaterThanOrEqual(goneAtMs)

    await cluster.redis?.start()
    connected.telemetry(printerId, printing(45))
    for (const number of [1, 2]) await showsStatus(number, ({ progress }) => progress === 45)
    await eventually(
      'the connections to be there again',
      () => checkOf(1),
      (check) => check?.ok === true,
    )
    expect(await checkOf(1)).toEqual({ name: 'cluster', ok: true })
  }, 60_000)

  test('what hubs of a killed process reported is the past once it is silent, and a hub that went to another is followed', async () => {
    await cluster.services[0]?.kill()
    const killedAtMs = performance.now()
    await showsStatus(1, ({ hub_online }) => !hub_online)
    const silentMs = performance.now() - killedAtMs
    // Its last beat was at most two seconds old, and silence is looked for every two.
    expect(silentMs).toBeGreaterThan(7_000)
    expect(silentMs).toBeLessThan(15_000)
    await cluster.start(0)
    connected = await cluster.connect(2, hub.token)
    connected.telemetry(printerId, printing(50))
    for (const number of [0, 1, 2]) await showsStatus(number, ({ progress }) => progress === 50)

    const moved = await cluster.connect(1, hub.token)
    moved.telemetry(printerId, printing(51))
    for (const number of [0, 1, 2]) await showsStatus(number, ({ progress }) => progress === 51)
    await moved.close()
    for (const number of [0, 1, 2]) await showsStatus(number, ({ hub_online }) => !hub_online)
  }, 90_000)

  test('what strangers write into Redis is not believed where it is no message, and names no printer of another account', async () => {
    const client = createClient({ url: cluster.redis?.url ?? '' })
    await client.connect()
    const [{ installation_id: installation } = { installation_id: '' }] = await cluster.database.db.sql<
      { installation_id: string }[]
    >`select installation_id from backup_schedule`
    const channel = (name: string) => `printyard:${installation}:${name}`
    const lie = {
      id: hub.id,
      epoch: 9_000,
      capabilities: [],
      printer_ids: [printerId],
      candidates: [],
      has_lost_journal: false,
    }
    const at = new Date().toISOString()
    const batch = {
      process: 'prc_x',
      hubs: [{ ...lie, connected_at: at, last_heartbeat_at: at }],
      printers: [],
      gone: [],
    }
    for (const text of ['', '{', '[]', '{"process":7}', JSON.stringify({ ...batch, hubs: [lie] })]) {
      await client.publish(channel(`live:${cluster.database.accountId}`), text)
      await client.publish(channel('processes'), text)
    }
    await client.publish(channel(`live:acc_00000000000000000000000000`), JSON.stringify(batch))
    client.destroy()
    for (const number of [0, 1, 2]) {
      expect(await cluster.ask(number, 'GET', `/printers/${printerId}/status`)).toMatchObject({ hub_online: false })
    }
  }, 60_000)
})
