import type { PrinterState } from '@printyard/protocol/printer-state'
import type { TestHub } from '@printyard/server/test/farm/test-hub'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Cluster, openCluster, shows } from './test/open-cluster.ts'

let cluster: Cluster
let hub: { id: string; token: string }
let printerId: string

beforeAll(async () => {
  cluster = await openCluster({ processes: 2, redis: false })
  hub = await cluster.addHub('Hub')
  printerId = await cluster.addPrinter(hub.id)
}, 120_000)
afterAll(() => cluster?.close(), 60_000)

const idle: Partial<PrinterState> = { status: 'idle', nozzle_temp: 20 }
const foreign: Partial<PrinterState> = {
  status: 'printing',
  progress: 10,
  run: { file_name: 'foreign.gcode', job_id: 'r9', attempt_id: null },
}

async function connectAt(number: number): Promise<TestHub> {
  const connected = await cluster.connect(number, hub.token)
  connected.telemetry(printerId, idle)
  await shows(cluster, number, `/printers/${printerId}/status`, ({ status }) => status === 'idle')
  return connected
}

async function countEvents(type: string): Promise<number> {
  const rows = await cluster.database.db.sql`
    select 1 from events where account_id = ${cluster.database.accountId} and type = ${type}`
  return rows.length
}

test('a hub that connects to another process is let go by the first, and is not told to be gone', async () => {
  const first = await connectAt(0)
  const second = await cluster.connect(1, hub.token)
  const atMs = performance.now()
  expect(await first.waitFor('close')).toMatchObject({ reason: 'replaced' })
  // Without notices it would be found by a sweep, every fifteen seconds.
  expect(performance.now() - atMs).toBeLessThan(4_000)
  second.telemetry(printerId, idle)
  await shows(cluster, 1, `/printers/${printerId}/status`, ({ status }) => status === 'idle')
  // What was connected first is asked: it would have recorded that the hub left.
  await shows(cluster, 0, `/hubs/${hub.id}`, ({ is_online }) => is_online === false)
  expect(await cluster.ask(1, 'GET', `/hubs/${hub.id}`)).toMatchObject({ is_online: true })
  expect(await countEvents('hub.connected')).toBe(2)
  expect(await countEvents('hub.disconnected')).toBe(0)
  await second.close()
  await shows(cluster, 1, `/hubs/${hub.id}`, ({ is_online }) => is_online === false)
}, 60_000)

test('what a stopped process hears after the hub went to another one changes nothing', async () => {
  const first = await connectAt(0)
  const job = await cluster.ask<{ id: string }>(0, 'POST', '/jobs', {
    print_file_id: cluster.fileId,
    printer_id: printerId,
  })
  await cluster.ask(0, 'POST', `/jobs/${job.id}/start`)
  const [start] = first.commands()
  const attempt = { attempt_id: String(start?.args.attempt_id), printer_id: printerId, fence: start?.fence ?? 0 }
  const [stopped] = cluster.services
  if (!stopped) throw new Error('no process to stop')
  process.kill(stopped.pid, 'SIGSTOP')
  const lateId = first.send('attempt', {
    report: {
      ...attempt,
      phase: 'finished',
      outcome: 'not_started',
      evidence: { kind: 'journal', run_id: null, detail: null },
      happened_at: new Date().toISOString(),
      reason_code: null,
    },
  })
  first.telemetry(printerId, foreign)

  const second = await cluster.connect(1, hub.token)
  expect((await second.waitFor('welcome')).settle).toMatchObject([{ attempt_id: attempt.attempt_id }])
  second.telemetry(printerId, {
    status: 'printing',
    progress: 1,
    run: { file_name: 'clip.gcode', job_id: 'r1', attempt_id: attempt.attempt_id },
  })
  await second.report({ ...attempt, phase: 'confirmed' })
  await shows(cluster, 1, `/jobs/${job.id}`, ({ status }) => status === 'printing')

  process.kill(stopped.pid, 'SIGCONT')
  expect(await first.waitFor('close')).toMatchObject({ reason: 'replaced' })
  await shows(cluster, 0, `/hubs/${hub.id}`, ({ is_online }) => is_online === false)
  for (const number of [0, 1]) {
    expect(await cluster.ask(number, 'GET', `/jobs/${job.id}`)).toMatchObject({ status: 'printing' })
  }
  const acks = first.received.flatMap((message) => (message.type === 'ack' ? message.ids : []))
  expect(acks).not.toContain(lateId)
  expect(await countEvents('printer.foreign_print')).toBe(0)

  await second.report({ ...attempt, phase: 'finished', outcome: 'done' })
  await shows(cluster, 1, `/jobs/${job.id}`, ({ status }) => status === 'completed')
  await second.close()
}, 90_000)

test('the second process says at its start that hubs of the other are not shown without Redis', async () => {
  await cluster.services[1]?.stop()
  const again = await cluster.start(1)
  expect(again.log()).toContain('without REDIS_URL neither shows what hubs of the other report')
}, 60_000)

test('a hub that is deleted at one process is let go by the other', async () => {
  const spare = await cluster.addHub('Spare')
  const held = await cluster.connect(1, spare.token)
  expect((await cluster.answer(0, 'DELETE', `/hubs/${spare.id}`)).status).toBeLessThan(300)
  expect(await held.waitFor('close')).toMatchObject({ reason: 'replaced' })
}, 60_000)
