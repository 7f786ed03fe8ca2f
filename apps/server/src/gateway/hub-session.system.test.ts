import { setTimeout as wait } from 'node:timers/promises'
import type { HubMessageBody } from '@printyard/protocol/messages'
import { unknownPrinterState } from '@printyard/protocol/unknown-printer-state'
import { expect, test, vi } from 'vitest'
import { settleAbandonedCommands } from '../modules/jobs/life/follow-printer.ts'
import { farmForEachTest } from '../test/app/app-hooks.ts'
import { systemWork } from '../test/app/system-work.ts'
import { connectTestHub } from '../test/farm/test-hub.ts'

const { t, farm } = farmForEachTest()

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

test('a start that is refused after no one waits any more puts its job back and frees its printer', async () => {
  const { jobId, commandId } = await startWithoutAnswer()
  const id = farm.hub.send('result', lateRefusal(commandId))
  await farm.hub.waitFor('ack', (ack) => ack.ids.includes(id))
  expect(await farm.job(jobId)).toMatchObject({ status: 'queued', failure_reason: 'its deadline has passed' })
  farm.hub.onCommand(() => ({ ok: true }))
  expect((await farm.account.request('POST', `/jobs/${jobId}/start`)).statusCode).toBe(200)
})

test('what a hub says of a command to another hub changes nothing', async () => {
  const { jobId, commandId } = await startWithoutAnswer()
  const { createHubWithToken } = await import('../modules/hubs/hubs.service.ts')
  const other = await createHubWithToken(systemWork(t.db.sql, farm.account.id), 'Other')
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

test('a hub that is being disconnected counts as gone at once: no command is sent into the void', async () => {
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

test('a stop that is answered before the reports of its run are stored leaves the plate occupied', async () => {
  const jobId = await farm.queueJob()
  expect((await farm.account.request('POST', `/jobs/${jobId}/start`)).statusCode).toBe(200)
  const [command] = farm.hub.commands()
  const attempt = {
    attempt_id: String(command?.args.attempt_id),
    printer_id: farm.printerId,
    fence: command?.fence ?? 0,
    outcome: null,
    evidence: { kind: 'telemetry' as const, run_id: null, detail: null },
    happened_at: new Date().toISOString(),
    reason_code: null,
  }
  // The hub tells of the run and of its stop in one breath, and the database is slow.
  const { begin } = t.context.db
  t.context.db.begin = async (work) => {
    await wait(50)
    return begin(work)
  }
  try {
    farm.hub.onCommand(() => {
      farm.hub.send('attempt', { report: { ...attempt, phase: 'starting' } })
      farm.hub.send('attempt', { report: { ...attempt, phase: 'confirmed' } })
      return { ok: true }
    })
    expect((await farm.account.request('POST', `/jobs/${jobId}/stop`)).json().data.status).toBe('cancelled')
  } finally {
    t.context.db.begin = begin
  }
  const printer = (await farm.account.request('GET', `/printers/${farm.printerId}`)).json().data
  expect(printer.plate_state).toBe('occupied')
})

test('a command that is sent to a hub before its welcome follows the welcome', async () => {
  const { hubs } = t.context
  const attach = hubs.attach.bind(hubs)
  hubs.attach = (connection) => {
    attach(connection)
    hubs.send(connection.hubId, 'discover', {})
  }
  try {
    const hub = await farm.reconnect()
    await hub.waitFor('discover')
    expect(hub.received.map(({ type }) => type).slice(0, 2)).toEqual(['welcome', 'discover'])
  } finally {
    hubs.attach = attach
  }
})

test.each([
  ['back', -7_200_000],
  ['forward', 7_200_000],
])('a clock of the service that is set %s does not change how long a hub has for a command', async (_, offsetMs) => {
  const jobId = await farm.queueJob()
  const { clock } = t.context
  t.context.clock = { now: () => new Date(Date.now() + offsetMs) }
  try {
    const answer = await farm.account.request('POST', `/jobs/${jobId}/start`)
    expect(answer.statusCode, answer.body).toBe(200)
  } finally {
    t.context.clock = clock
  }
  const leftMs = Date.parse(farm.hub.commands()[0]?.deadline ?? '') - Date.now()
  expect(Math.abs(leftMs)).toBeLessThan(3_600_000)
})

test('a run of an attempt that was settled as never started makes its plate unknown', async () => {
  const jobId = await farm.queueJob()
  expect((await farm.account.request('POST', `/jobs/${jobId}/start`)).statusCode).toBe(200)
  const [command] = farm.hub.commands()
  const attempt_id = String(command?.args.attempt_id)
  await farm.hub.report({
    attempt_id,
    printer_id: farm.printerId,
    fence: command?.fence ?? 0,
    phase: 'finished',
    outcome: 'not_started',
  })
  const plate = async () => (await farm.account.request('GET', `/printers/${farm.printerId}`)).json().data.plate_state
  expect(await plate()).toBe('clear')
  farm.hub.telemetry(farm.printerId, {
    status: 'printing',
    run: { file_name: 'clip.gcode', job_id: 'r1', attempt_id },
  })
  await t.settled(async () => (await plate()) === 'unknown')
})

test('a hub that lost its journal is not believed after a second connection either', async () => {
  await farm.hub.close()
  await t.settled(() => !t.context.hubs.isOnline(farm.hubId))
  await farm.reconnect(50)
  farm.hub.telemetry(farm.printerId, { status: 'idle' })
  await t.settled(() => t.context.printers.find(farm.printerId)?.state.status === 'idle')
  const jobId = await farm.queueJob()
  expect((await farm.account.request('POST', `/jobs/${jobId}/start`)).statusCode).toBe(200)
  for (const position of [3, 4]) {
    await farm.hub.close()
    await t.settled(() => !t.context.hubs.isOnline(farm.hubId))
    await farm.reconnect(position)
  }
  const [attempt] = (await farm.hub.waitFor('welcome')).settle
  if (!attempt) throw new Error('nothing to settle')
  await farm.hub.report({
    ...attempt,
    phase: 'finished',
    outcome: 'not_started',
    evidence: { kind: 'journal', run_id: null, detail: null },
  })
  expect((await farm.job(jobId)).status).toBe('processing')
})

/** In the place of the present hub, with its token and this journal. */
async function connectAs(journalId: string, more: Partial<HubMessageBody<'hello'>> = {}): Promise<void> {
  const address = t.app.server.address() as { port: number }
  await farm.hub.close()
  await t.settled(() => !t.context.hubs.isOnline(farm.hubId))
  farm.hub = await connectTestHub(`http://127.0.0.1:${address.port}`, farm.token, 10, journalId, undefined, [], more)
}

test('another hub with the same token is not believed that a command never came', async () => {
  await connectAs('first')
  farm.hub.telemetry(farm.printerId, { status: 'idle' })
  await t.settled(() => t.context.printers.find(farm.printerId)?.state.status === 'idle')
  farm.hub.onCommand(() => undefined)
  const jobId = await farm.queueJob()
  const start = farm.account.request('POST', `/jobs/${jobId}/start`)
  await farm.hub.waitFor('command')
  await connectAs('second')
  await start
  const [attempt] = (await farm.hub.waitFor('welcome')).settle
  if (!attempt) throw new Error('nothing to settle')
  const evidence = { kind: 'journal' as const, run_id: null, detail: null }
  await farm.hub.report({ ...attempt, phase: 'finished', outcome: 'not_started', evidence })
  expect((await farm.job(jobId)).status).toBe('processing')
  await connectAs('first')
  await farm.hub.report({ ...attempt, phase: 'confirmed' })
  expect((await farm.job(jobId)).status).toBe('printing')
})

test.each([
  ['the hub that returns knows nothing of it', 'first'],
  ['another machine comes in its place', 'second'],
])('a print that was seen running asks a person when %s', async (_, journalId) => {
  await connectAs('first')
  farm.hub.telemetry(farm.printerId, { status: 'idle' })
  await t.settled(() => t.context.printers.find(farm.printerId)?.state.status === 'idle')
  const jobId = await farm.queueJob()
  const attempt = await farm.print(jobId)
  await connectAs(journalId)
  const { hub } = farm
  const nothingKnown = {
    ...attempt,
    phase: 'finished' as const,
    outcome: 'not_started' as const,
    evidence: { kind: 'journal' as const, run_id: null, detail: null },
  }
  await hub.report(nothingKnown)
  const job = await farm.job(jobId)
  expect(job.status).toBe('printing')
  expect(job.failure_reason).toContain('the hub has no record of it any more')
  const live = async () => {
    const [row] = await t.db.sql`
      select phase, outcome, reason_code from attempts
      where account_id = ${farm.account.id} and id = ${attempt.attempt_id}`
    return row
  }
  expect(await live()).toEqual({ phase: 'confirmed', outcome: 'unknown', reason_code: 'JOURNAL_LOST' })
  // Said again it changes nothing; evidence of the run does.
  await hub.report(nothingKnown)
  expect(await live()).toMatchObject({ phase: 'confirmed', outcome: 'unknown' })
  await hub.report({ ...attempt, phase: 'confirmed' })
  expect(await live()).toMatchObject({ phase: 'confirmed', outcome: null })
  await hub.report(nothingKnown)
  const resolved = await farm.account.request('POST', `/jobs/${jobId}/resolve`, { outcome: 'failed' })
  expect(resolved.json().data.status).toBe('failed')
})

test('a hub that lost its journal is told by what identity its printer showed the run', async () => {
  await connectAs('first')
  farm.hub.telemetry(farm.printerId, { status: 'idle' })
  await t.settled(() => t.context.printers.find(farm.printerId)?.state.status === 'idle')
  const jobId = await farm.queueJob()
  const attempt = await farm.print(jobId)
  // The claim of the lost journal does not know it; what was known before stays.
  const evidence = { kind: 'telemetry' as const, run_id: 'r1', detail: null }
  await farm.hub.report({ ...attempt, phase: 'confirmed', outcome: 'unknown', evidence })
  await connectAs('second')
  await farm.hub.report({
    ...attempt,
    phase: 'finished',
    outcome: 'not_started',
    evidence: { kind: 'journal', run_id: null, detail: null },
  })
  await connectAs('third')
  expect((await farm.hub.waitFor('welcome')).settle).toEqual([{ ...attempt, run_id: 'r1' }])
})

test('after a restore, a hub that has forgotten an attempt is not believed that its command never came', async () => {
  await connectAs('first')
  farm.hub.telemetry(farm.printerId, { status: 'idle' })
  await t.settled(() => t.context.printers.find(farm.printerId)?.state.status === 'idle')
  const jobId = await farm.queueJob()
  expect((await farm.account.request('POST', `/jobs/${jobId}/start`)).statusCode).toBe(200)
  const [command] = farm.hub.commands()
  const fences = [{ printer_id: farm.printerId, fence: (command?.fence ?? 0) + 4_000 }]
  await connectAs('first', { fences })
  const [attempt] = (await farm.hub.waitFor('welcome')).settle
  if (!attempt) throw new Error('nothing to settle')
  const evidence = { kind: 'journal' as const, run_id: null, detail: null }
  await farm.hub.report({ ...attempt, phase: 'finished', outcome: 'not_started', evidence })
  expect((await farm.job(jobId)).status).toBe('processing')
  await farm.hub.report({ ...attempt, phase: 'finished', outcome: 'done' })
  expect((await farm.job(jobId)).status).toBe('completed')
  const printer = (await farm.account.request('GET', `/printers/${farm.printerId}`)).json().data
  expect(printer.plate_state).toBe('occupied')
})

test('the newest report that was stored is what a journal is compared with', async () => {
  const sent: string[] = []
  const known_reports = sent
  await connectAs('first', { known_reports })
  farm.hub.telemetry(farm.printerId, { status: 'idle' })
  await t.settled(() => t.context.printers.find(farm.printerId)?.state.status === 'idle')
  const jobId = await farm.queueJob()
  expect((await farm.account.request('POST', `/jobs/${jobId}/start`)).statusCode).toBe(200)
  const [command] = farm.hub.commands()
  const report = {
    attempt_id: String(command?.args.attempt_id),
    printer_id: farm.printerId,
    fence: command?.fence ?? 0,
    phase: 'starting' as const,
    outcome: null,
    evidence: { kind: 'journal' as const, run_id: null, detail: null },
    happened_at: new Date().toISOString(),
    reason_code: null,
  }
  const isLost = () => t.context.hubs.find(farm.hubId)?.hasLostJournal
  const say = async (id?: string) => {
    const said = farm.hub.send('attempt', { report }, id)
    await farm.hub.waitFor('ack', (ack) => ack.ids.includes(said))
    return said
  }
  for (let count = 0; count < 30; count += 1) sent.push(await say())
  await connectAs('first', { known_reports: sent.slice(-5) })
  expect(isLost()).toBe(false)
  // What is told again, as after a lost acknowledgement, is not the newest.
  await say(sent.at(-3))
  await connectAs('first', { known_reports: sent.slice(-2) })
  expect(isLost()).toBe(false)
  await connectAs('first', { known_reports: sent.slice(0, -1) })
  expect(isLost()).toBe(true)
  // Found once: what it tells from then on is compared again.
  await connectAs('first', { known_reports: sent.slice(0, -1) })
  expect(isLost()).toBe(false)
  // An agent of an older version says nothing of it.
  await say('a newer one')
  await connectAs('first')
  expect(isLost()).toBe(false)
})

test('what waits to be stored when a hub is replaced is not taken, and not acknowledged', async () => {
  const jobId = await farm.queueJob()
  expect((await farm.account.request('POST', `/jobs/${jobId}/start`)).statusCode).toBe(200)
  const [command] = farm.hub.commands()
  const older = farm.hub
  const report = {
    attempt_id: String(command?.args.attempt_id),
    printer_id: farm.printerId,
    fence: command?.fence ?? 0,
    outcome: null,
    evidence: { kind: 'telemetry' as const, run_id: null, detail: null },
    happened_at: new Date().toISOString(),
    reason_code: null,
  }
  // The first report is held up in the database until the hub has been replaced; the second waits behind it.
  const { promise: isReplaced, resolve: goOn } = Promise.withResolvers<void>()
  const { promise: isLocked, resolve: locked } = Promise.withResolvers<void>()
  const holding = t.db.begin(async (sql) => {
    await sql`select id from attempts where account_id = ${farm.account.id} and id = ${report.attempt_id} for update`
    locked()
    await isReplaced
  })
  await isLocked
  try {
    older.send('attempt', { report: { ...report, phase: 'starting' } })
    await t.settled(async () => {
      const waiting = await t.db.sql`
        select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
      return waiting.length > 0
    })
    const second = older.send('attempt', { report: { ...report, phase: 'confirmed' } })
    const newer = await farm.reconnect()
    const { settle } = await newer.waitFor('welcome')
    expect(settle.map(({ attempt_id }) => attempt_id)).toEqual([report.attempt_id])
    goOn()
    await older.waitFor('close')
    // The newer connection is answered after whatever the older one had started.
    await newer.report({ ...report, phase: 'starting' })
    const acknowledged = older.received.flatMap((frame) => (frame.type === 'ack' ? frame.ids : []))
    expect(acknowledged).not.toContain(second)
    expect((await farm.job(jobId)).status).toBe('processing')
  } finally {
    goOn()
    await holding
    await older.close()
  }
})

test('a printer that is added while its hub is being welcomed is told to the hub once it is', async () => {
  await farm.hub.close()
  let added = ''
  // After the printers of the welcome were read; another process adds it, which does not know of this connection.
  const late = vi.spyOn(t.context.fences, 'findStale').mockImplementationOnce(async () => {
    added = farm.printerId.replace(/.$/, (end) => (end === '0' ? '1' : '0'))
    await t.db.sql`
      insert into printers (account_id, id, hub_id, name, model, connection_type, connection_sealed)
      select account_id, ${added}, hub_id, 'Late', model, connection_type, ${t.context.secrets.seal({}, added)}
      from printers where account_id = ${farm.account.id} and id = ${farm.printerId}`
    return []
  })
  const hub = await farm.reconnect()
  expect(late).toHaveBeenCalled()
  const isTold = ({ printers }: { printers: { printer_id: string }[] }) =>
    printers.some(({ printer_id }) => printer_id === added)
  expect(hub.received.filter(({ type }) => type === 'welcome').some((welcome) => isTold(welcome as never))).toBe(false)
  await hub.waitFor('configure', isTold)
  late.mockRestore()
})

test('what a hub reports after its welcome counts, and not what it said before, however slow the database is then', async () => {
  const shown = () => t.context.printers.find(farm.printerId)?.state.status
  const arrivals = () =>
    t.db.sql`select from events where account_id = ${farm.account.id} and type = 'hub.connected'`.then(
      (rows) => rows.length,
    )
  await farm.hub.close()
  const before = await arrivals()
  const welcomed = Promise.withResolvers<void>()
  const told = Promise.withResolvers<void>()
  // Once the settings of the welcome were read, no printer can be read until the hub has reported.
  let locked: Promise<unknown> | undefined
  const late = vi.spyOn(t.context.fences, 'findStale').mockImplementationOnce(async () => {
    const holds = Promise.withResolvers<void>()
    locked = t.db.begin(async (sql) => {
      await sql`/* every account: a table is locked as a whole */ lock table printers in access exclusive mode`
      holds.resolve()
      await told.promise
    })
    await holds.promise
    welcomed.resolve()
    return []
  })
  const state = { ...unknownPrinterState(''), status: 'printing' as const, status_reason: null }
  const printers = [{ printer_id: farm.printerId, state }]
  farm.hub = await connectTestHub(t.app.listeningOrigin, farm.token, 0, undefined, undefined, [], { printers })
  await welcomed.promise
  const seen: string[] = []
  const stop = t.context.printers.onSeen((_printerId, _before, live) => void seen.push(live.state.status))
  farm.hub.telemetry(farm.printerId, { status: 'idle' })
  await t.settled(() => seen.includes('idle'))
  told.resolve()
  await locked
  await expect.poll(arrivals).toBe(before + 1)
  expect(shown()).toBe('idle')
  expect(seen).not.toContain('printing')
  stop()
  late.mockRestore()
})
