import { openStream } from '@printyard/server/test/app/open-stream'
import { isRedisInstalled } from '@printyard/server/test/services/test-redis'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '../test/farm-processes.ts'
import { type Cluster, openCluster, shows } from './test/open-cluster.ts'

describe.skipIf(!isRedisInstalled())('what happens at one process', () => {
  let cluster: Cluster
  beforeAll(async () => {
    cluster = await openCluster({ processes: 2, redis: true })
  }, 120_000)
  afterAll(() => cluster?.close(), 60_000)

  test('is heard on a stream of another: hubs, live values, candidates and events', async () => {
    const hub = await cluster.addHub('Heard')
    const printerId = await cluster.addPrinter(hub.id)
    const stream = await openStream(cluster.services[1]?.url ?? '', '/public/v1/events/stream', {
      authorization: `Bearer ${cluster.database.key}`,
    })
    const heard = (event: string, isRight: (data: Record<string, unknown>) => boolean) =>
      eventually(
        `a frame ${event}`,
        async () => stream.frames.some((frame) => frame.event === event && isRight(frame.data ?? {})),
        (isHeard) => isHeard,
      )
    const connected = await cluster.connect(0, hub.token)
    await heard('hub', (data) => data.hub_id === hub.id && data.is_online === true)
    connected.telemetry(printerId, { status: 'idle', nozzle_temp: 33 })
    await heard('live', (data) => data.printer_id === printerId && data.nozzle_temp === 33)
    connected.send('discovered', {
      candidates: [
        {
          connection_type: 'octoprint',
          name: 'Found',
          model: null,
          address: '192.0.2.9',
          serial: null,
          evidence: 'It said so.',
        },
      ],
    })
    await heard('candidates', (data) => data.hub_id === hub.id)
    const atMs = performance.now()
    const countChanges = () =>
      stream.frames.filter(({ event, data }) => event === 'change' && data?.type === 'printer.updated').length
    for (let changes = 1; changes <= 5; changes += 1) {
      await cluster.ask(0, 'PATCH', `/printers/${printerId}`, { name: `Told at once ${changes}` })
      await eventually(
        'the change',
        async () => countChanges(),
        (count) => count === changes,
      )
    }
    // Without notices each would be found by a sweep of its own.
    expect(performance.now() - atMs).toBeLessThan(4_000)
    await connected.close()
    await heard('hub', (data) => data.hub_id === hub.id && data.is_online === false)
    stream.close()
  }, 60_000)

  test('a job that is queued at a process starts at the one that holds the hub, once and soon', async () => {
    const hub = await cluster.addHub('Starts')
    const printerId = await cluster.addPrinter(hub.id, {
      auto_start: true,
      nozzle_size: 0.4,
      current_filament_type: 'PLA',
    })
    const connected = await cluster.connect(1, hub.token)
    connected.telemetry(printerId, { status: 'idle' })
    await shows(cluster, 0, `/printers/${printerId}/status`, ({ status }) => status === 'idle')
    const atMs = performance.now()
    const job = await cluster.ask<{ id: string }>(0, 'POST', '/jobs', {
      print_file_id: cluster.fileId,
      printer_id: printerId,
    })
    await shows(cluster, 0, `/jobs/${job.id}`, ({ status }) => status === 'processing')
    const command = await connected.waitFor('command')
    expect(performance.now() - atMs).toBeLessThan(4_000)
    expect(command).toMatchObject({ kind: 'print', printer_id: printerId })
    await connected.close()
  }, 60_000)
})
