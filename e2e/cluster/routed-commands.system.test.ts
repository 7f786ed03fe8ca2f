import { makeHubKey } from '@printyard/protocol/sealed-connection'
import { CONNECTION_TEST_CAPABILITY, SNAPSHOT_CAPABILITY } from '@printyard/protocol/version'
import type { TestHub } from '@printyard/server/test/farm/test-hub'
import { isRedisInstalled } from '@printyard/server/test/services/test-redis'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '../test/farm-processes.ts'
import { type Cluster, openCluster, shows } from './test/open-cluster.ts'

/** The process that holds the hub, and the one that is asked. */
const [holder, asked] = [0, 1]

describe.skipIf(!isRedisInstalled())('commands to a hub that another process holds', () => {
  let cluster: Cluster
  let hub: { id: string; token: string }
  let connected: TestHub
  let printerId: string
  let job: Awaited<ReturnType<typeof startJob>>

  let still: Buffer
  beforeAll(async () => {
    cluster = await openCluster({ processes: 2, redis: true })
    hub = await cluster.addHub('Hub')
    printerId = await cluster.addPrinter(hub.id)
    connected = await cluster.connect(holder, hub.token, {
      capabilities: [SNAPSHOT_CAPABILITY, CONNECTION_TEST_CAPABILITY],
      public_key: makeHubKey().publicKey,
    })
    still = await sharp({ create: { width: 64, height: 64, channels: 3, background: 'red' } })
      .jpeg()
      .toBuffer()
    // From the first: the service also looks by itself, at prints that were stopped.
    connected.showStill(still)
    connected.telemetry(printerId, { status: 'idle' })
    await shows(cluster, asked, `/printers/${printerId}/status`, ({ status }) => status === 'idle')
  }, 120_000)
  afterAll(() => cluster?.close(), 60_000)

  const kinds = () => connected.commands().map(({ kind }) => kind)

  async function ask(method: string, path: string, body?: unknown) {
    const answer = await fetch(`${cluster.services[asked]?.url}/public/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${cluster.database.key}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return { status: answer.status, retryAfter: answer.headers.get('retry-after'), text: await answer.text() }
  }

  async function startJob(): Promise<{ id: string; run: { file_name: string; job_id: string; attempt_id: string } }> {
    connected.telemetry(printerId, { status: 'idle' })
    await shows(cluster, asked, `/printers/${printerId}/status`, ({ status }) => status === 'idle')
    await cluster.ask(asked, 'POST', `/printers/${printerId}/control`, { action: 'clear_bed' })
    const job = await cluster.ask<{ id: string }>(asked, 'POST', '/jobs', {
      print_file_id: cluster.fileId,
      printer_id: printerId,
    })
    await cluster.ask(asked, 'POST', `/jobs/${job.id}/start`)
    const start = connected.commands().findLast(({ kind }) => kind === 'print')
    const attemptId = String(start?.args.attempt_id)
    const run = { file_name: 'clip.gcode', job_id: 'r1', attempt_id: attemptId }
    connected.telemetry(printerId, { status: 'printing', progress: 1, run })
    await connected.report({
      attempt_id: attemptId,
      printer_id: printerId,
      fence: start?.fence ?? 0,
      phase: 'confirmed',
    })
    await shows(cluster, asked, `/jobs/${job.id}`, ({ status }) => status === 'printing')
    return { id: job.id, run }
  }

  test('a job is started, paused, resumed and stopped, and each command comes once', async () => {
    job = await startJob()
    expect(await cluster.ask(asked, 'POST', `/jobs/${job.id}/pause`)).toMatchObject({ status: 'paused' })
    connected.telemetry(printerId, { status: 'paused', run: job.run })
    expect(await cluster.ask(asked, 'POST', `/jobs/${job.id}/resume`)).toMatchObject({ status: 'printing' })
    connected.telemetry(printerId, { status: 'printing', run: job.run })
    expect(await cluster.ask(asked, 'POST', `/jobs/${job.id}/cancel`)).toMatchObject({ status: 'cancelled' })
    expect(kinds()).toEqual(['print', 'pause', 'resume', 'stop'])
    connected.telemetry(printerId, { status: 'idle' })
  }, 60_000)

  test('settings, a picture, a look at the network and a connection test go the same way', async () => {
    await cluster.ask(asked, 'PATCH', `/printers/${printerId}`, { name: 'Renamed elsewhere' })
    await connected.waitFor('configure', ({ printers }) => printers.some(({ name }) => name === 'Renamed elsewhere'))
    const picture = await fetch(`${cluster.services[asked]?.url}/public/v1/printers/${printerId}/snapshot`, {
      headers: { authorization: `Bearer ${cluster.database.key}` },
    })
    expect(Buffer.from(await picture.arrayBuffer()).equals(still)).toBe(true)

    await cluster.ask(asked, 'POST', `/hubs/${hub.id}/discover`)
    await connected.waitFor('discover')

    const testing = cluster.ask(asked, 'POST', `/hubs/${hub.id}/test-connection`, {
      connection_type: 'octoprint',
      connection: { address: '192.0.2.4', api_key: 'octo-secret' },
    })
    const question = await connected.waitFor('test_connection')
    expect(JSON.stringify(question)).not.toContain('octo-secret')
    connected.send('connection_tested', {
      test_id: question.test_id,
      printer: {
        model: 'MK4S',
        serial: null,
        firmware_version: null,
        certificate_fingerprint: null,
        is_certificate_vouched: null,
      },
      problem: null,
    })
    expect(await testing).toMatchObject({ ok: true, model: 'MK4S' })
  }, 60_000)

  test('a process that hangs is told of with 503, and gives the command to no one when it goes on', async () => {
    job = await startJob()
    const before = kinds().length
    const pid = cluster.services[holder]?.pid ?? 0
    process.kill(pid, 'SIGSTOP')
    const askedAtMs = performance.now()
    const answer = await ask('POST', `/jobs/${job.id}/pause`)
    // Not when the command's own time is over.
    expect(performance.now() - askedAtMs).toBeLessThan(6_000)
    process.kill(pid, 'SIGCONT')
    expect(answer).toMatchObject({ status: 503, retryAfter: '5' })
    expect(answer.text).toContain('another process of the service, which does not answer')
    expect(await cluster.ask(asked, 'GET', `/jobs/${job.id}`)).toMatchObject({ status: 'printing' })
    // What it had not done meanwhile it takes up in the order in which it came.
    await eventually(
      'the process to go on',
      () => ask('POST', `/hubs/${hub.id}/discover`),
      ({ status }) => status < 300,
    )
    expect(kinds().slice(before)).toEqual([])
    expect(await cluster.ask(asked, 'POST', `/jobs/${job.id}/pause`)).toMatchObject({ status: 'paused' })
    expect(kinds().slice(before)).toEqual(['pause'])
  }, 60_000)

  test('an answer that is lost on its way is not asked for again, and the printer tells what came of it', async () => {
    connected.telemetry(printerId, { status: 'paused', run: job.run })
    await shows(cluster, asked, `/printers/${printerId}/status`, ({ status }) => status === 'paused')
    const before = kinds().length
    let arrived: () => void = () => undefined
    const given = new Promise<void>((resolve) => {
      arrived = resolve
    })
    // The hub takes it, and the way back is gone before it answers.
    connected.onCommand(() => {
      arrived()
      return undefined
    })
    const resuming = ask('POST', `/jobs/${job.id}/resume`)
    await given
    await cluster.redis?.kill()
    connected.telemetry(printerId, { status: 'printing', run: job.run })
    expect((await resuming).status).toBeGreaterThanOrEqual(500)
    // The process that holds the printer is told to look at it as soon as it is reached again.
    await cluster.redis?.start()
    await shows(cluster, asked, `/jobs/${job.id}`, ({ status }) => status === 'printing')
    expect(kinds().slice(before)).toEqual(['resume'])
    connected.onCommand(() => ({ ok: true }))
  }, 90_000)

  test('without Redis what needs another process says so with 503, and is not done later', async () => {
    await cluster.redis?.kill()
    const before = connected.received.length
    const answers = [
      await ask('POST', `/jobs/${job.id}/pause`),
      await ask('POST', `/hubs/${hub.id}/discover`),
      await ask('GET', `/printers/${printerId}/snapshot`),
    ]
    for (const answer of answers) {
      expect(answer).toMatchObject({ status: 503, retryAfter: '5' })
      expect(answer.text).toContain('SERVICE_UNAVAILABLE')
    }
    // What reaches the hub here needs no other process.
    expect(await cluster.ask(holder, 'POST', `/jobs/${job.id}/pause`)).toMatchObject({ status: 'paused' })
    await cluster.redis?.start()
    await eventually(
      'Redis to be found',
      () => ask('POST', `/hubs/${hub.id}/discover`),
      ({ status }) => status < 300,
    )
    const after = connected.received.slice(before).filter(({ type }) => type === 'command' || type === 'discover')
    expect(after.map(({ type }) => type)).toEqual(['command', 'discover'])
  }, 60_000)
})
