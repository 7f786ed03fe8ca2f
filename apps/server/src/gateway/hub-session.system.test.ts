import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { settleAbandonedCommands } from '../modules/jobs/follow-printer.ts'
import { createTestApp, type TestApp } from '../test/test-app.ts'
import { createTestFarm, type TestFarm } from '../test/test-farm.ts'

let t: TestApp
let farm: TestFarm
beforeAll(async () => {
  t = await createTestApp()
})
afterAll(() => t.close())
beforeEach(async () => {
  farm = await createTestFarm(t)
  return () => farm.hub.close()
})

/** A start that the hub took and never answered. */
async function startWithoutAnswer(): Promise<{ jobId: string; commandId: string }> {
  farm.hub.onCommand(() => undefined)
  const jobId = await farm.queueJob()
  const answer = await farm.account.request('POST', `/jobs/${jobId}/start`)
  expect(answer.json().error.code).toBe('HUB_COMMAND_FAILED')
  expect(await farm.job(jobId)).toMatchObject({
    status: 'processing',
    failure_reason: 'The printer did not carry out the command: no answer came in time.',
  })
  return { jobId, commandId: farm.hub.commands()[0]?.command_id ?? '' }
}

function lateRefusal(commandId: string) {
  return {
    command_id: commandId,
    printer_id: farm.printerId,
    ok: false,
    code: 'EXPIRED' as const,
    message: 'its deadline has passed',
  }
}

test('a start that is refused after nobody waits any more puts its job back and frees its printer', async () => {
  const { jobId, commandId } = await startWithoutAnswer()
  const id = farm.hub.send('result', lateRefusal(commandId))
  await farm.hub.waitFor('ack', (ack) => ack.ids.includes(id))
  expect(await farm.job(jobId)).toMatchObject({ status: 'queued', failure_reason: 'its deadline has passed' })
  farm.hub.onCommand(() => ({ ok: true }))
  expect((await farm.account.request('POST', `/jobs/${jobId}/start`)).statusCode).toBe(200)
})

test('what a hub says of an order to another hub changes nothing', async () => {
  const { jobId, commandId } = await startWithoutAnswer()
  const { createHubWithToken } = await import('../modules/hubs/hubs.service.ts')
  const { connectTestHub } = await import('../test/test-hub.ts')
  const other = await createHubWithToken(t.db.sql, farm.account.id, 'Other', 'system', new Date())
  const address = t.app.server.address() as { port: number }
  const liar = await connectTestHub(`http://127.0.0.1:${address.port}`, other.token)
  const id = liar.send('result', lateRefusal(commandId))
  await liar.waitFor('ack', (ack) => ack.ids.includes(id))
  await liar.close()
  expect(await farm.job(jobId)).toMatchObject({ status: 'processing' })
})

test('words of a printer that no database takes are stored without what it cannot take', async () => {
  const jobId = await farm.queueJob()
  const attempt = await farm.print(jobId)
  await farm.hub.report({
    ...attempt,
    phase: 'finished',
    outcome: 'failed',
    evidence: { kind: 'telemetry', run_id: null, detail: 'Nozzle\0 \ud800 cold' },
  })
  expect(await farm.job(jobId)).toMatchObject({ status: 'failed', failure_reason: 'Nozzle \ufffd cold' })
})

test('a hub that is being disconnected counts as gone at once: no order is sent into the void', async () => {
  const jobId = await farm.queueJob()
  t.context.hubs.disconnect(farm.hubId, { reason: 'revoked', message: 'Replaced.', retry_after_ms: 0 })
  expect(t.context.hubs.isOnline(farm.hubId)).toBe(false)
  const answer = await farm.account.request('POST', `/jobs/${jobId}/start`)
  expect(answer.json().error.code).toBe('HUB_OFFLINE')
  expect((await farm.job(jobId)).status).toBe('queued')
})

test('a start whose process died while it waited makes the hub come again, to be asked about it', async () => {
  const { jobId, commandId } = await startWithoutAnswer()
  // As a process leaves it that ends between sending and answer.
  await t.db.sql`
    update commands set state = 'sent' where account_id = ${farm.account.id} and id = ${commandId}`
  await settleAbandonedCommands(t.context, new Date(Date.now() + 60_000))
  expect(await farm.hub.waitFor('close')).toMatchObject({ reason: 'stale', retry_after_ms: 0 })
  await farm.hub.close()
  const hub = await farm.reconnect()
  const [attempt] = (await hub.waitFor('welcome')).settle
  if (!attempt) throw new Error('nothing to settle')
  await hub.report({ ...attempt, phase: 'finished', outcome: 'not_started' })
  expect((await farm.job(jobId)).status).toBe('queued')
})

test('a pause at the printer is followed although the database was away when it was told', async () => {
  const jobId = await farm.queueJob()
  const attempt = await farm.print(jobId)
  const { begin } = t.context.db
  let failures = 0
  // The database of a test is shared: it cannot be taken away for real.
  t.context.db.begin = () => {
    failures += 1
    return Promise.reject(Object.assign(new Error('gone'), { code: 'CONNECTION_CLOSED' }))
  }
  try {
    const run = { file_name: 'clip.gcode', job_id: 'r1', attempt_id: attempt.attempt_id }
    farm.hub.telemetry(farm.printerId, { status: 'paused', run })
    await t.settled(() => failures > 0)
  } finally {
    t.context.db.begin = begin
  }
  await t.settled(async () => (await farm.job(jobId)).status === 'paused')
})
