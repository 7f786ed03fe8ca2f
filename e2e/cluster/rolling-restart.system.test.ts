import { setTimeout as wait } from 'node:timers/promises'
import { isRedisInstalled } from '@printyard/server/test/services/test-redis'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually, type FarmProcess, startHubProcess } from '../test/farm-processes.ts'
import { type Balancer, startBalancer } from './test/balancer.ts'
import { type Cluster, openCluster, shows } from './test/open-cluster.ts'

/** A hub that was told to go is with another process within this time. */
const handOverMs = 5_000

describe.skipIf(!isRedisInstalled())('a rolling restart', () => {
  let cluster: Cluster
  let balancer: Balancer
  let hub: { id: string; token: string }
  let process_: FarmProcess
  let printerId: string

  beforeAll(async () => {
    cluster = await openCluster({ processes: 2, redis: true })
    balancer = await startBalancer(() => cluster.services.map(({ url }) => url))
    hub = await cluster.addHub('Hub')
    printerId = await cluster.addPrinter(hub.id)
    process_ = startHubProcess({ url: balancer.url, token: hub.token, dataDir: `${cluster.path}/hub`, speed: 100 })
    await eventually(
      'the printer',
      () => request('GET', `/printers/${printerId}/status`),
      ({ body }) => body.data?.status === 'idle',
    )
  }, 120_000)
  afterAll(async () => {
    await process_?.kill()
    await balancer?.close()
    await cluster?.close()
  }, 60_000)

  async function request(method: string, path: string, body?: unknown) {
    const answer = await fetch(`${balancer.url}/public/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${cluster.database.key}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return { status: answer.status, body: (await answer.json()) as { data?: Record<string, unknown>; error?: unknown } }
  }

  test('fails no request, and hands the hub over within five seconds', async () => {
    const failed: unknown[] = []
    let asked = 0
    let longestAwayMs = 0
    let isOver = false
    async function ask(method: string, path: string, body?: () => unknown): Promise<void> {
      while (!isOver) {
        asked += 1
        try {
          const answer = await request(method, path, body?.())
          if (answer.status >= 300) failed.push({ path, answer: JSON.stringify(answer).slice(0, 300) })
        } catch (error) {
          failed.push({ path, error })
        }
        await wait(20)
      }
    }
    async function watchHub(): Promise<void> {
      let seenAtMs = performance.now()
      while (!isOver) {
        const { body } = await request('GET', `/hubs/${hub.id}`)
        if (body.data?.is_online) seenAtMs = performance.now()
        longestAwayMs = Math.max(longestAwayMs, performance.now() - seenAtMs)
        await wait(20)
      }
    }
    const asking = [
      ask('GET', '/printers/live'),
      ask('GET', `/printers/${printerId}/status`),
      ask('POST', '/jobs', () => ({ print_file_id: cluster.fileId })),
      ask('POST', `/printers/${printerId}/light`, () => ({ state: true })),
      watchHub(),
    ]
    for (const number of [0, 1]) {
      expect(await cluster.services[number]?.stop()).toBe(0)
      await cluster.start(number)
      await wait(500)
    }
    isOver = true
    await Promise.all(asking)
    expect(failed.slice(0, 5)).toEqual([])
    expect(asked).toBeGreaterThan(100)
    expect(longestAwayMs).toBeLessThan(handOverMs)
  }, 120_000)

  test('a command that a hub has when its process stops is answered, while balancers are told to go elsewhere', async () => {
    const scripted = await cluster.addHub('Slow')
    const slowId = await cluster.addPrinter(scripted.id)
    const connected = await cluster.connect(0, scripted.token)
    connected.telemetry(slowId, { status: 'idle' })
    await shows(cluster, 0, `/printers/${slowId}/status`, ({ status }) => status === 'idle')
    connected.onCommand(() => undefined)
    const switching = cluster.answer(0, 'POST', `/printers/${slowId}/light`, { state: true })
    const { command_id, printer_id } = await connected.waitFor('command', ({ kind }) => kind === 'light')
    const stopping = cluster.services[0]?.stop()
    await wait(700)
    const ready = await fetch(`${cluster.services[0]?.url}/readyz`)
    expect(ready.status).toBe(503)
    expect(await ready.json()).toMatchObject({ checks: [{ name: 'service', problem: 'is shutting down' }] })
    connected.send('result', { command_id, printer_id, ok: true, code: null, message: null })
    expect((await switching).status).toBe(200)
    expect(await stopping).toBe(0)
    await cluster.start(0)
  }, 60_000)
})
