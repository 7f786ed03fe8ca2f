import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createHub, type Hub } from './hub.ts'
import { createRecordedLog, type RecordedLog } from './test/quiet-log.ts'
import { buildConfig, makeDataDir, quickTimings, startsAt } from './test/test-hub.ts'
import { PRINTER, startTestService, type TestService } from './test/test-service.ts'
import type { Timings } from './timings.ts'

const ATTEMPT = 'att_0000000000000001'

let service: TestService
let dataDir: ReturnType<typeof makeDataDir>
let hub: Hub
let log: RecordedLog

beforeEach(async () => {
  service = await startTestService()
  dataDir = makeDataDir()
  log = createRecordedLog()
})

afterEach(async () => {
  await hub.stop()
  await service.stop()
  dataDir.remove()
  expect(service.problems).toEqual([])
})

async function start(timings: Partial<Timings> = {}) {
  hub = createHub(buildConfig(service, { dataDir: dataDir.path }), { log, timings: { ...quickTimings, ...timings } })
  await hub.start()
}

async function becomeReady(timings: Partial<Timings> = {}) {
  await start(timings)
  await service.until(() => service.pictureOf(PRINTER).status === 'idle', 'the printer to be idle')
}

function serveCube() {
  return service.serve('cube.gcode', { content: Buffer.from('G28\n'.repeat(5000)) })
}

const phases = () => service.reportsOf(ATTEMPT).map(({ phase }) => phase)

describe('the connection', () => {
  test('a print that ends while the link is cut is reported once, in order, after the return', async () => {
    await becomeReady()
    service.command('print', { attempt_id: ATTEMPT, file: serveCube() })
    await service.reachesPhase(ATTEMPT, 'starting')
    service.refuseWith = 503
    service.cut()
    await new Promise((resolve) => setTimeout(resolve, 1_800))
    const before = phases()
    expect(before).not.toContain('finished')
    service.refuseWith = undefined
    await service.reachesPhase(ATTEMPT, 'finished')
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect(phases()).toEqual(['transferring', 'starting', 'confirmed', 'finished'])
    expect(startsAt(dataDir.path)).toBe(1)
  })

  test('what was not acknowledged is repeated in order on the next connection, never twice on one', async () => {
    service.acknowledges = false
    await becomeReady()
    const commandId = service.command('print', { attempt_id: ATTEMPT, file: serveCube() })
    await service.reachesPhase(ATTEMPT, 'finished')
    const owed = () =>
      service.received.filter(({ type }) => type === 'attempt' || type === 'result').map(({ id }) => id)
    const first = owed()
    expect(new Set(first).size).toBe(first.length)
    expect(service.ofType('result').map(({ command_id }) => command_id)).toEqual([commandId])
    service.received.length = 0
    service.acknowledges = true
    service.cut()
    await service.reachesPhase(ATTEMPT, 'finished')
    expect(owed()).toEqual(first)
    service.received.length = 0
    service.cut()
    await service.until(
      () => service.connectCount === 3 && service.ofType('telemetry').length > 0,
      'the third connection',
    )
    expect(owed()).toEqual([])
  })

  test('the result outlives a hub that is stopped before it could tell it', async () => {
    service.acknowledges = false
    await becomeReady()
    service.command('light', { on: true })
    await service.until(() => service.ofType('result').length === 1, 'the result')
    await hub.stop()
    service.received.length = 0
    service.acknowledges = true
    await start()
    await service.until(() => service.ofType('result').length === 1, 'the result again')
    expect(service.ofType('result')[0]).toMatchObject({ ok: true })
  })

  test('garbage, unknown types and messages out of turn harm nothing', async () => {
    await becomeReady()
    service.sendRaw('{"type":')
    service.sendRaw('[]')
    service.sendRaw('{"type":"command","id":"x","ts":"now"}')
    service.sendRaw(JSON.stringify({ type: 'espresso', id: 'x', ts: 'now' }))
    service.sendRaw(Buffer.from([0, 1, 2, 255]))
    service.sendRaw(JSON.stringify({ type: 'welcome', id: 'x', ts: 'now' }))
    const result = await service.resultOf(service.command('light', { on: true }))
    expect(result.ok).toBe(true)
    expect(service.connectCount).toBe(1)
    expect(log.lines.filter(({ message }) => message.includes('ignored')).length).toBeGreaterThanOrEqual(4)
  })

  test('a frame beyond the limit costs the connection, not the hub', async () => {
    await becomeReady()
    service.sendRaw(JSON.stringify({ type: 'ack', id: 'x', ts: 'now', ids: ['x'.repeat(300_000)] }))
    // Before its greeting is answered, the hub takes no command.
    await service.until(() => service.ofType('hello').length === 2, 'the greeting of the next connection')
    expect((await service.resultOf(service.command('light', { on: true }))).ok).toBe(true)
  })

  test('a service that falls silent is noticed and left', async () => {
    await becomeReady({ silenceMs: 300, handshakeMs: 300 })
    // A socket that is no longer read neither takes nor answers a ping.
    service.freeze()
    await service.until(() => service.connectCount === 2, 'the next connection')
    expect(log.lines.some(({ message }) => message === 'the service is silent')).toBe(true)
  })

  test('a welcome that takes long is waited for, as long as the service answers pings', async () => {
    service.welcomesAfterMs = 1_500
    await becomeReady({ silenceMs: 300, handshakeMs: 300 })
    expect(service.connectCount).toBe(1)
    expect(service.ofType('hello')).toHaveLength(1)
  })

  test('a refused token is tried again only after a long while, and the log says what to do', async () => {
    service.refuseWith = 401
    await start({ refusedRetryMs: 60_000 })
    await service.until(() => log.lines.some(({ level }) => level === 'error'), 'the refusal')
    await new Promise((resolve) => setTimeout(resolve, 500))
    const refusals = log.lines.filter(({ message }) => message.includes('join again'))
    expect(refusals).toHaveLength(1)
    expect(refusals[0]?.fields).toMatchObject({ status: 401, retry_in_ms: 60_000 })
    expect(JSON.stringify(log.lines)).not.toContain(service.token)
  })

  test('a hub whose token is accepted again comes back by itself', async () => {
    service.refuseWith = 401
    await start({ refusedRetryMs: 300 })
    await service.until(() => log.lines.some(({ level }) => level === 'error'), 'the refusal')
    service.refuseWith = undefined
    await service.until(() => service.connectCount === 1, 'the connection')
  })

  test.each(['revoked', 'replaced'] as const)('after a close that says %s it waits', async (reason) => {
    await becomeReady({ refusedRetryMs: 60_000, maxRetryMs: 30_000 })
    service.send('close', { reason, message: 'Good bye.', retry_after_ms: 0 })
    await service.until(() => service.closes.length === 1, 'the close')
    await new Promise((resolve) => setTimeout(resolve, 500))
    expect(service.connectCount).toBe(1)
  })

  test('one that it left without a welcome may be what took over: then it comes back at once, and waits the second time', async () => {
    service.welcomesAfterMs = 60_000
    await start()
    await service.until(() => service.ofType('hello').length === 1, 'the greeting')
    service.welcomesAfterMs = 0
    service.cut()
    await service.until(() => service.pictureOf(PRINTER).status === 'idle', 'the printer to be idle')
    const before = service.connectCount
    const replace = () =>
      service.send('close', { reason: 'replaced', message: 'A newer one took over.', retry_after_ms: 60_000 })
    replace()
    await service.until(() => service.connectCount === before + 1, 'the return')
    const welcomes = () => log.lines.filter(({ message }) => message === 'the hub is connected').length
    await service.until(() => welcomes() === 2, 'the welcome')
    replace()
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    expect(service.connectCount).toBe(before + 1)
  })

  test('a restarting service is come back to, not before it asked for', async () => {
    await becomeReady()
    const before = performance.now()
    service.send('close', { reason: 'service_restart', message: 'Back soon.', retry_after_ms: 400 })
    await service.until(() => service.connectCount === 2, 'the return')
    expect(performance.now() - before).toBeGreaterThanOrEqual(400)
  })

  test('after each connect the first picture is full, then only changed fields follow', async () => {
    await becomeReady()
    service.command('light', { on: true })
    await service.until(() => service.pictureOf(PRINTER).light_on === true, 'the light')
    const reports = service.ofType('telemetry').flatMap(({ printers }) => printers)
    expect(reports[0]?.full).toBe(true)
    expect(reports.slice(1).every(({ full }) => !full)).toBe(true)
    const lit = reports.find(({ full, state }) => !full && state.light_on === true)
    expect(lit && 'firmware_version' in lit.state).toBe(false)
  })
})
