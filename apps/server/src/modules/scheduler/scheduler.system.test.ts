import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { buildApp } from '../../app.ts'
import { newId, type PrinterId } from '../../kernel/ids.ts'
import { createLive } from '../../live/live.ts'
import { makeStartRounds } from '../../live/start-rounds.ts'
import { systemWork } from '../../test/app/system-work.ts'
import { createTestApp, type TestApp } from '../../test/app/test-app.ts'
import { createTestFarm, type TestFarm } from '../../test/farm/test-farm.ts'
import { fleetOf, insertFile, type TestFleet } from '../../test/farm/test-fleet.ts'
import { listFreePrinters } from '../matching/matching.queries.ts'
import { findKnownPlate } from '../printers/plate/plate.queries.ts'
import { raiseFences } from '../printers/state/fence.queries.ts'
import { runScheduler } from './scheduler.service.ts'
import { startWaitingJobs } from './start-waiting-jobs.ts'

let t: TestApp
let farm: TestFarm
let fleet: TestFleet
/** Where a test starts the rounds itself, the application starts none. */
let isByHand = false
/** Where a test says when it is, nothing happens because the machine is slow. */
let frozenAt: Date | undefined

beforeEach(async () => {
  isByHand = false
  frozenAt = undefined
  t = await createTestApp({
    context: {
      timeouts: { commandMs: 10_000, startMs: 10_000 },
      isDraining: () => isByHand,
      clock: { now: () => frozenAt ?? new Date() },
    },
  })
  farm = await createTestFarm(t)
  fleet = fleetOf(t, farm)
})
afterEach(async () => {
  await farm.hub.close()
  await t.close()
})

const liveAttempts = () =>
  t.db.sql<{ job_id: string; printer_id: string }[]>`
    select job_id, printer_id from attempts where account_id = ${farm.account.id} and phase <> 'finished'`

/** A round that finds everything as it is now: anyone who is not started by it is not meant to be. */
async function lookAgain(): Promise<void> {
  for (const { isOver } of await startWaitingJobs(t.context, farm.account.id)) await isOver
}

test('a job that is queued while all printers are busy costs the scheduler no statement', async () => {
  isByHand = true
  let statements = 0
  const watched = {
    ...t.context,
    db: new Proxy(t.db, {
      get(target, name: keyof typeof t.db) {
        statements += 1
        return target[name]
      },
    }),
  }
  async function statementsOfNextRound(): Promise<number> {
    await fleet.queue()
    statements = 0
    expect(await startWaitingJobs(watched, farm.account.id)).toEqual([])
    return statements
  }
  farm.hub.telemetry(farm.printerId, { status: 'printing' })
  await t.settled(() => t.context.printers.find(farm.printerId)?.state.status === 'printing')
  expect(await statementsOfNextRound()).toBe(0)
  await fleet.change(farm.printerId, { auto_start: false })
  await fleet.showIdle(farm.printerId)
  expect(await statementsOfNextRound()).toBeGreaterThan(0)
})

describe('a queued job starts by itself', () => {
  test('on a free printer, and the job shows where', async () => {
    const printerId = await fleet.addPrinter('A')
    const jobId = await fleet.queue()
    expect((await fleet.startOf(jobId)).printerId).toBe(printerId)
    expect(await farm.job(jobId)).toMatchObject({ status: 'processing', printer_id: printerId, printer_name: 'A' })
    const [event] = await t.db.sql`
      select data, actor from events
      where account_id = ${farm.account.id} and type = 'job.assigned' and subject_id = ${jobId}`
    expect(event).toMatchObject({ data: { printer_id: printerId }, actor: 'system' })
  })

  test('on the printer that fits of several, and not on one that only starts by hand', async () => {
    await fleet.addPrinter('By hand', { auto_start: false })
    await fleet.addPrinter('Other model', { model: 'P1S' })
    await fleet.addPrinter('Other filament', { current_filament_type: 'PLA' })
    await fleet.addPrinter('Other colour', { current_color: 'Red' })
    const fits = await fleet.addPrinter('Fits', { current_color: 'Black' })
    const jobId = await fleet.queue({ color: 'black' })
    expect((await fleet.startOf(jobId)).printerId).toBe(fits)
    expect(await fleet.startedJobs()).toEqual([jobId])
  })

  test('never on a plate that is not clear', async () => {
    const printerId = await fleet.addPrinter('A')
    const first = await fleet.queue()
    await fleet.finish(await fleet.startOf(first))
    expect(await farm.job(first)).toMatchObject({ status: 'completed' })
    const second = await fleet.queue()
    await lookAgain()
    expect(await farm.job(second)).toMatchObject({ status: 'queued', printer_id: null })
    await fleet.clearPlate(printerId)
    await fleet.startOf(second)
    expect(await fleet.startedJobs()).toEqual([first, second])
  })

  test('with what its plate was cleared at, so that the hub can refuse it when something else was printed since', async () => {
    const printerId = await fleet.addPrinter('A', { auto_start: false })
    farm.hub.telemetry(printerId, { status: 'idle', run_mark: 'a' })
    await t.settled(() => t.context.printers.find(printerId)?.state.run_mark === 'a')
    await fleet.clearPlate(printerId)
    await fleet.change(printerId, { auto_start: true })
    await fleet.startOf(await fleet.queue())
    expect(farm.hub.commands().find(({ kind }) => kind === 'print')?.args.run_mark).toBe('a')
  })

  test('in the order of priority, due date and position', async () => {
    const printerId = await fleet.addPrinter('A', { auto_start: false })
    const plain = await fleet.queue()
    const dragged = await fleet.queue()
    const due = await fleet.queue({ due_date: '2027-01-01T00:00:00Z' })
    const urgent = await fleet.queue({ priority: 'urgent' })
    const moved = await farm.account.request('PATCH', `/jobs/${dragged}`, { position: { before: plain } })
    expect(moved.statusCode).toBe(200)
    await fleet.change(printerId, { auto_start: true })
    for (const jobId of [urgent, due, dragged, plain]) {
      await fleet.finish(await fleet.startOf(jobId))
      await fleet.clearPlate(printerId)
    }
    expect(await fleet.startedJobs()).toEqual([urgent, due, dragged, plain])
  })

  test('plate after plate; a job that may print anywhere waits for any printer in between', async () => {
    const printerId = await fleet.addPrinter('A')
    const jobId = await fleet.queue({ number_of_units: 2 })
    await fleet.finish(await fleet.startOf(jobId))
    expect(await farm.job(jobId)).toMatchObject({ status: 'queued', printer_id: null, progress_percentage: 50 })
    const other = await fleet.addPrinter('B')
    await t.settled(async () => (await fleet.startedJobs()).length === 2)
    const second = await fleet.startOf(jobId)
    expect(second.printerId).toBe(other)
    await fleet.finish(second)
    expect(await farm.job(jobId)).toMatchObject({ status: 'completed', printer_id: other })
    expect(printerId).not.toBe(other)
  })
})

describe('a printer that was not ready takes its job', () => {
  test.each<[string, Record<string, unknown>, (printerId: string) => Promise<unknown>]>([
    ['when automatic start is switched on', { auto_start: false }, (id) => fleet.change(id, { auto_start: true })],
    [
      'when its filament is changed',
      { current_filament_type: 'PLA' },
      (id) => fleet.change(id, { current_filament_type: 'PETG' }),
    ],
  ])('%s', async (_when, fields, ready) => {
    const printerId = await fleet.addPrinter('A', fields)
    const jobId = await fleet.queue()
    await lookAgain()
    expect(await fleet.startedJobs()).toEqual([])
    await ready(printerId)
    expect((await fleet.startOf(jobId)).printerId).toBe(printerId)
  })

  test('when its maintenance ends', async () => {
    const printerId = await fleet.addPrinter('A', { auto_start: false })
    await farm.account.request('PUT', `/printers/${printerId}/maintenance`, { in_maintenance: true })
    await fleet.change(printerId, { auto_start: true })
    const jobId = await fleet.queue()
    await lookAgain()
    expect(await fleet.startedJobs()).toEqual([])
    await farm.account.request('PUT', `/printers/${printerId}/maintenance`, { in_maintenance: false })
    await fleet.startOf(jobId)
  })

  test('when it reports that it is idle, or that other filament is in', async () => {
    const printerId = await fleet.addPrinter('A')
    farm.hub.telemetry(printerId, { status: 'maintenance' })
    await t.settled(() => t.context.printers.find(printerId)?.state.status === 'maintenance')
    const jobId = await fleet.queue({ filament_type: 'ABS' })
    await fleet.showIdle(printerId)
    await lookAgain()
    expect(await fleet.startedJobs()).toEqual([])
    farm.hub.telemetry(printerId, { status: 'idle', filament_type: 'ABS' })
    await fleet.startOf(jobId)
  })

  test('when its hub is back', async () => {
    const printerId = await fleet.addPrinter('A')
    await farm.hub.close()
    await t.settled(() => !t.context.hubs.isOnline(farm.hubId))
    const jobId = await fleet.queue()
    await lookAgain()
    expect(await farm.job(jobId)).toMatchObject({ status: 'queued' })
    await farm.reconnect()
    await fleet.showIdle(printerId)
    await fleet.startOf(jobId)
  })

  test('when the job that was first is cancelled', async () => {
    const printerId = await fleet.addPrinter('A', { auto_start: false })
    const first = await fleet.queue({ printer_id: printerId })
    const second = await fleet.queue()
    await farm.account.request('POST', `/jobs/${first}/cancel`)
    await fleet.change(printerId, { auto_start: true })
    await fleet.startOf(second)
    expect(await fleet.startedJobs()).toEqual([second])
  })
})

describe('a printer that refuses', () => {
  test('is left alone while the job goes to another, and is tried again after a while', async () => {
    frozenAt = new Date()
    const refusing = await fleet.addPrinter('Refusing')
    farm.hub.onCommand(({ printer_id }) =>
      printer_id === refusing ? { ok: false, code: 'PRINTER_REFUSED', message: 'The door is open.' } : { ok: true },
    )
    const jobId = await fleet.queue()
    await t.settled(async () => (await farm.job(jobId)).failure_reason !== null)
    expect(await farm.job(jobId)).toMatchObject({ status: 'queued', printer_id: null })
    const good = await fleet.addPrinter('Good')
    await t.settled(async () => (await farm.job(jobId)).printer_id === good)
    expect(await farm.job(jobId)).toMatchObject({ status: 'processing', failure_reason: null })
    await t.settled(async () => (await fleet.startedJobs()).length === 2)

    const next = await fleet.queue()
    await lookAgain()
    expect((await fleet.startedJobs()).length).toBe(2)
    frozenAt = new Date(frozenAt.getTime() + 6_000)
    await lookAgain()
    expect((await fleet.startOf(next)).printerId).toBe(refusing)
  })

  test.each([
    ['its hub had no room for the command, and has', 'JOURNAL_FAILED', 'hub'],
    ['it was in error, and is not any more', 'PRINTER_BUSY', 'printer'],
    ['the service was restored, and has raised the fence', 'STALE_FENCE', 'fence'],
  ] as const)('is tried again as soon as the cause has gone: %s', async (_, code, where) => {
    frozenAt = new Date()
    const after = (seconds: number) => {
      frozenAt = new Date((frozenAt?.getTime() ?? 0) + seconds * 1_000)
    }
    const printerId = await fleet.addPrinter('Refusing')
    farm.hub.onCommand(() => ({ ok: false, code, message: 'No.' }))
    const jobId = await fleet.queue()
    await t.settled(async () => (await farm.job(jobId)).failure_reason !== null)
    for (const [pause, starts] of [
      [6, 2],
      [11, 3],
    ] as const) {
      after(pause)
      await lookAgain()
      // The scheduler of the application may have been faster, and its start be on its way.
      await t.settled(async () => (await fleet.startedJobs()).length === starts && (await liveAttempts()).length === 0)
    }
    // From the third refusal on, printer and job wait for twenty seconds.
    const refused = (await fleet.startedJobs()).length
    expect(refused).toBe(3)
    farm.hub.onCommand(() => ({ ok: true }))
    const heartbeat = async (problems: { reason: string; message: null }[]) => {
      const before = t.context.hubs.find(farm.hubId)?.lastHeartbeatAt
      farm.hub.send('heartbeat', { uptime_seconds: 1, printer_count: 1, problems })
      await t.settled(() => t.context.hubs.find(farm.hubId)?.lastHeartbeatAt !== before)
    }
    const show = async (status: 'error' | 'idle') => {
      farm.hub.telemetry(printerId, { status })
      await t.settled(() => t.context.printers.find(printerId)?.state.status === status)
    }
    after(1)
    await heartbeat([{ reason: 'hub_storage_full', message: null }])
    if (where === 'printer') await show('error')
    after(15)
    await lookAgain()
    expect((await fleet.startedJobs()).length).toBe(refused)
    if (where === 'hub') await heartbeat([])
    if (where === 'printer') await show('idle')
    if (where === 'fence') {
      const [printer] = await t.db.sql<{ fence: number }[]>`
        select fence from printers where account_id = ${farm.account.id} and id = ${printerId}`
      await t.db.begin((sql) =>
        raiseFences(systemWork(sql, farm.account.id, frozenAt), [
          { printer_id: printerId, fence: (printer?.fence ?? 0) + 100 },
        ]),
      )
    }
    await lookAgain()
    await t.settled(async () => (await fleet.startedJobs()).length === refused + 1)
  })

  test('does not keep the others from starting', async () => {
    frozenAt = new Date()
    const printers = await Promise.all(['A', 'B', 'C'].map((name) => fleet.addPrinter(name, { auto_start: false })))
    farm.hub.onCommand(({ printer_id }) =>
      printer_id === printers[0] ? { ok: false, code: 'INTERNAL', message: 'Broken.' } : { ok: true },
    )
    const jobs = await Promise.all(printers.map((printer_id) => fleet.queue({ printer_id })))
    for (const id of printers) await fleet.change(id, { auto_start: true })
    await t.settled(async () => (await liveAttempts()).length === 2)
    await t.settled(async () => (await farm.job(jobs[0] ?? '')).failure_reason !== null)
    expect(await farm.job(jobs[0] ?? '')).toMatchObject({ status: 'queued', printer_id: printers[0] })
  })
})

describe('several schedulers', () => {
  test('on one database never give a printer two jobs or start a job twice', async () => {
    const printers = await Promise.all(
      Array.from({ length: 6 }, (_, index) => fleet.addPrinter(`P${index}`, { auto_start: false })),
    )
    for (let count = 0; count < 9; count += 1) await fleet.queue()
    const others = Array.from({ length: 3 }, () => runScheduler(t.context))
    await t.db
      .sql`update printers set auto_start = true where account_id = ${farm.account.id} and id = any(${printers})`
    for (const scheduler of others) scheduler.wake(farm.account.id)
    await Promise.all(Array.from({ length: 4 }, () => lookAgain()))
    await t.settled(async () => (await liveAttempts()).length === printers.length)
    for (const scheduler of others) await scheduler.stop()
    await lookAgain()
    const live = await liveAttempts()
    expect(new Set(live.map(({ printer_id }) => printer_id)).size).toBe(printers.length)
    expect(new Set(live.map(({ job_id }) => job_id)).size).toBe(printers.length)
    expect((await fleet.startedJobs()).length).toBe(printers.length)
  })

  test('count together what printers of several processes share, also in rounds at the same moment', async () => {
    await farm.account.request('PATCH', '/scheduler/settings', { heating_at_once: 1 })
    const fields = { power_group: 'Rack 1', auto_start: false }
    const printers = await Promise.all(['A', 'B', 'C'].map((name) => fleet.addPrinter(name, fields)))
    for (const printer_id of printers) await fleet.queue({ printer_id })
    isByHand = true
    await t.db
      .sql`update printers set auto_start = true where account_id = ${farm.account.id} and id = any(${printers})`
    // Each has one of the printers at a hub of its own.
    const processes = printers.map((own) => ({
      ...t.context,
      printers: new Proxy(t.context.printers, {
        get(live, name) {
          if (name === 'find') return (id: PrinterId) => (id === own ? live.find(id) : undefined)
          const value = Reflect.get(live, name)
          return typeof value === 'function' ? value.bind(live) : value
        },
      }),
    }))
    const rounds = await Promise.all(processes.map((each) => startWaitingJobs(each, farm.account.id)))
    expect(rounds.flat()).toHaveLength(1)
    expect(await liveAttempts()).toHaveLength(1)
    await lookAgain()
    expect(await liveAttempts()).toHaveLength(1)
  })

  test('a process without the hub leaves its printers to the one that has it', async () => {
    isByHand = true
    await fleet.addPrinter('A')
    const elsewhere = { ...t.context, ...createLive() }
    const app = await buildApp(elsewhere)
    await fleet.queue()
    expect(await startWaitingJobs(elsewhere, farm.account.id)).toEqual([])
    expect(await startWaitingJobs(t.context, farm.account.id)).toHaveLength(1)
    await app.close()
  })

  test('one that is stopped starts nothing more', async () => {
    isByHand = true
    await fleet.addPrinter('A')
    await fleet.queue()
    const scheduler = runScheduler({ ...t.context, isDraining: () => false })
    await scheduler.stop()
    scheduler.wake(farm.account.id)
    await scheduler.stop()
    expect(await liveAttempts()).toEqual([])
  })
})

test('only so many printers of a power group begin at once', async () => {
  await farm.account.request('PATCH', '/scheduler/settings', { heating_at_once: 1 })
  const fields = { power_group: 'Rack 1', auto_start: false }
  const printers = await Promise.all(['A', 'B'].map((name) => fleet.addPrinter(name, fields)))
  await fleet.queue()
  await fleet.queue()
  for (const id of printers) await fleet.change(id, { auto_start: true })
  await t.settled(async () => (await fleet.startedJobs()).length === 1)
  await lookAgain()
  const [first] = await liveAttempts()
  expect(await liveAttempts()).toHaveLength(1)
  const start = await fleet.startOf(first?.job_id ?? '')
  await farm.hub.report({
    attempt_id: start.attemptId,
    printer_id: start.printerId,
    fence: start.fence,
    phase: 'confirmed',
  })
  const heat = { nozzle_temp: 20, target_nozzle_temp: 215, bed_temp: 60, target_bed_temp: 60 }
  farm.hub.telemetry(start.printerId, { status: 'printing', ...heat })
  farm.hub.telemetry(start.printerId, { status: 'printing', ...heat, nozzle_temp: 214 })
  await t.settled(async () => (await liveAttempts()).length === 2)
})

test('a printer is held by an attempt that was taken back, whatever else was tried on it meanwhile', async () => {
  isByHand = true
  const printerId = await fleet.addPrinter('A')
  const [held, refused] = [await fleet.queue(), await fleet.queue()]
  await lookAgain()
  expect(await liveAttempts()).toMatchObject([{ job_id: held, printer_id: printerId }])
  // A later one, which the printer refused before the run of the first was seen after all.
  await t.db.sql`
    insert into attempts (account_id, id, job_id, plate_number, printer_id, hub_id, file_version_id, fence, phase, outcome,
      actor, finished_at)
    select account_id, id || '_later', ${refused}, 1, printer_id, hub_id, file_version_id, fence + 1, 'finished', 'not_started',
      'system', now()
    from attempts where account_id = ${farm.account.id} and job_id = ${held}`
  await t.db.sql`update printers set fence = fence + 1 where account_id = ${farm.account.id} and id = ${printerId}`
  expect(await startWaitingJobs(t.context, farm.account.id)).toEqual([])
  expect(await listFreePrinters(t.db.sql, farm.account.id)).toEqual([])
  expect(await findKnownPlate(t.db.sql, farm.account.id, printerId)).toMatchObject({
    live_attempt_id: expect.any(String),
  })
})

/** A context in which something happens when this many pages of a round are on record, before the round is over. */
function whenCommitted(happens: Record<number, () => Promise<unknown>>): typeof t.context {
  let pages = 0
  return {
    ...t.context,
    db: {
      ...t.db,
      async begin(work) {
        const result = await t.db.begin(work)
        pages += 1
        await happens[pages]?.()
        return result
      },
    },
  }
}

test('a printer that refuses a start during a round is given no other job in that round', async () => {
  isByHand = true
  const refusing = await fleet.addPrinter('A')
  const freed = await fleet.addPrinter('B')
  await t.db.sql`update printers set plate_state = 'occupied' where account_id = ${farm.account.id} and id = ${freed}`
  for (const name of ['first', 'second', 'third']) await fleet.queue({ notes: name })
  farm.hub.onCommand(({ printer_id }) =>
    printer_id === refusing ? { ok: false, code: 'PRINTER_REFUSED', message: 'The door is open.' } : { ok: true },
  )
  const watched = whenCommitted({
    1: () => fleet.clearPlate(freed),
    async 2() {
      await t.settled(async () => (await liveAttempts()).every(({ printer_id }) => printer_id !== refusing))
      await fleet.change(refusing, { location: 'Hall 2' })
    },
  })
  const sent = await startWaitingJobs(watched, farm.account.id)
  await Promise.all(sent.map(({ isOver }) => isOver))
  expect(sent.map(({ printerId }) => printerId)).toEqual([refusing, freed])
})

test('where the time of printers goes is recorded after a round, not beside it', async () => {
  const printerId = await fleet.addPrinter('A')
  const cause = async () => {
    const [period] = await t.db.sql<{ cause: string }[]>`
      select cause from printer_periods
      where account_id = ${farm.account.id} and printer_id = ${printerId} and ended_at is null`
    return period?.cause
  }
  await t.settled(async () => (await cause()) === 'no_matching_job')
  const gate = Promise.withResolvers<void>()
  const round = t.context.memory.hold(makeStartRounds, undefined).run(farm.account.id, () => gate.promise)
  farm.hub.telemetry(printerId, { status: 'error' })
  await t.settled(() => t.context.printers.find(printerId)?.state.status === 'error')
  // Longer than changes are gathered.
  await wait(400)
  expect(await cause()).toBe('no_matching_job')
  gate.resolve()
  await round
  await t.settled(async () => (await cause()) === 'error')
})

test('what gives way to starts does so from the moment in which printers that are ready are looked for', async () => {
  isByHand = true
  await fleet.addPrinter('A')
  const rounds = t.context.memory.hold(makeStartRounds, undefined)
  await rounds.end(farm.account.id)
  const looked = startWaitingJobs(t.context, farm.account.id)
  expect(rounds.end(farm.account.id)).toBeInstanceOf(Promise)
  expect(await looked).toEqual([])
})

test('a printer that becomes free during a round has its job in that round', async () => {
  isByHand = true
  const first = await fleet.addPrinter('A')
  const second = await fleet.addPrinter('B')
  await t.db.sql`update printers set plate_state = 'occupied' where account_id = ${farm.account.id} and id = ${second}`
  for (const name of ['first', 'second']) await fleet.queue({ notes: name })
  const watched = whenCommitted({ 1: () => fleet.clearPlate(second) })
  const sent = await startWaitingJobs(watched, farm.account.id)
  expect(sent.map(({ printerId }) => printerId)).toEqual([first, second])
  await Promise.all(sent.map(({ isOver }) => isOver))
})

/** As many jobs for one printer alone as are read at once. */
async function queuePageFor(printerId: PrinterId): Promise<void> {
  await t.db.sql`
    insert into jobs (account_id, id, status, print_file_id, file_version_id, file_name, number_of_units, quantity_per_print,
      plates_total, created_by, printer_id)
    select v.account_id, 'job_' || lpad(number || right(${printerId}::text, 20), 26, '0'), 'queued', v.print_file_id, v.id, 'clip.gcode',
      1, 1, 1, 'system', ${printerId}
    from print_file_versions v, generate_series(1, 250) number
    where v.account_id = ${farm.account.id} and v.print_file_id = ${farm.fileId}`
}

/** Three printers that are ready, and one that is to be freed, each with a page of the queue for it alone. */
async function addPrintersWithPages(): Promise<{ ready: PrinterId[]; freed: PrinterId }> {
  const ready = [await fleet.addPrinter('A'), await fleet.addPrinter('B'), await fleet.addPrinter('C')]
  const freed = await fleet.addPrinter('D')
  await t.db.sql`update printers set plate_state = 'occupied' where account_id = ${farm.account.id} and id = ${freed}`
  for (const printerId of [...ready, freed]) await queuePageFor(printerId)
  return { ready, freed }
}

test('a printer that becomes free goes before a page that waits until others are reserved', async () => {
  isByHand = true
  const { ready, freed } = await addPrintersWithPages()
  const gate = Promise.withResolvers<void>()
  // Had it to wait for the pages that are held, it would come last.
  const atLast = setTimeout(gate.resolve, 5_000)
  let begins = 0
  const watched: typeof t.context = {
    ...t.context,
    db: {
      ...t.db,
      async begin(work) {
        begins += 1
        // Two pages are held, and a third one waits for them.
        if (begins === 2) void fleet.clearPlate(freed)
        if (begins <= 2) await gate.promise
        const result = await t.db.begin(work)
        if (begins === 3) gate.resolve()
        return result
      },
    },
  }
  const sent = await startWaitingJobs(watched, farm.account.id)
  clearTimeout(atLast)
  await Promise.all(sent.map(({ isOver }) => isOver))
  const order = sent.map(({ printerId }) => printerId)
  expect(order[0]).toBe(freed)
  expect(order.slice(1).sort()).toEqual(ready.sort())
})

test('until a printer that was freed is reserved, no page of the others begins beside it', async () => {
  isByHand = true
  const { ready, freed } = await addPrintersWithPages()
  const [first, second, ofFreed] = [1, 2, 3].map(() => Promise.withResolvers<void>())
  let begins = 0
  const watched: typeof t.context = {
    ...t.context,
    db: {
      ...t.db,
      async begin(work) {
        begins += 1
        // Two pages of the others, and that of the printer that was freed.
        if (begins === 2) void fleet.clearPlate(freed)
        await [first, second, ofFreed][begins - 1]?.promise
        return t.db.begin(work)
      },
    },
  }
  const round = startWaitingJobs(watched, farm.account.id)
  await t.settled(() => begins === 3)
  first?.resolve()
  second?.resolve()
  await t.settled(async () => (await liveAttempts()).length === 2)
  await wait(100)
  expect(begins).toBe(3)
  ofFreed?.resolve()
  const sent = await round
  await Promise.all(sent.map(({ isOver }) => isOver))
  expect(sent.map(({ printerId }) => printerId).sort()).toEqual([...ready, freed].sort())
})

test('a round that was too long is followed by another one, in which a printer that was freed meanwhile is not the last', async () => {
  isByHand = true
  const { ready, freed } = await addPrintersWithPages()
  const watched = { ...whenCommitted({ 1: () => fleet.clearPlate(freed) }), isDraining: () => false }
  // Each round is over after its first page.
  const sent = await startWaitingJobs(watched, farm.account.id, 0)
  await Promise.all(sent.map(({ isOver }) => isOver))
  const order = sent.map(({ printerId }) => printerId)
  expect([...order].sort()).toEqual([...ready, freed].sort())
  expect(order[0]).not.toBe(freed)
  expect(order.at(-1)).not.toBe(freed)
})

test('of many printers those that people gave jobs to have these jobs', async () => {
  const rows = Array.from({ length: 120 }, () => newId('printer')).map((id) => ({
    account_id: farm.account.id,
    id,
    hub_id: farm.hubId,
    name: id,
    model: 'MK4S',
    connection_type: 'virtual',
    connection_sealed: t.context.secrets.seal({}, id),
    auto_start: false,
    plate_state: 'clear',
    nozzle_size: 0.4,
  }))
  await t.db.sql`insert into printers ${t.db.sql(rows)}`
  await farm.reconnect()
  for (const { id } of rows) farm.hub.telemetry(id, { status: 'idle' })
  await t.settled(() => rows.every(({ id }) => t.context.printers.find(id)?.state.status === 'idle'))
  isByHand = true
  const given = rows.slice(60, 63).map(({ id }) => id)
  for (const id of given) await queuePageFor(id)
  // Until here a round of the application, woken by the reports, found nothing that it may start.
  await t.db.sql`update printers set auto_start = true where account_id = ${farm.account.id} and hub_id = ${farm.hubId}`
  const started: PrinterId[] = []
  // A printer of which something is just written is left for the next round.
  await t.settled(async () => {
    for (const { printerId, isOver } of await startWaitingJobs(t.context, farm.account.id)) {
      started.push(printerId)
      await isOver
    }
    return started.length >= given.length
  })
  expect(started.sort()).toEqual(given.sort())
})

test('a round asks the database as often for many printers and jobs as for few', async () => {
  const other = await insertFile(t, farm.account.id, { filament_type: 'PETG' })
  isByHand = true
  async function countStatements(printers: number): Promise<number> {
    const ids = await Promise.all(
      Array.from({ length: printers }, (_, index) => fleet.addPrinter(`${printers}/${index}`, { auto_start: false })),
    )
    for (let count = 0; count < printers; count += 1) await fleet.queue({ print_file_id: other })
    const statements: string[] = []
    type Work<T> = Parameters<typeof t.db.begin<T>>[0]
    const watched = {
      ...t.context,
      db: {
        ...t.db,
        begin: <T>(work: Work<T>) => t.db.begin<T>((sql) => work(counting(sql, statements))),
        beginAround: <T>(work: Work<T>) => t.db.beginAround<T>((sql) => work(counting(sql, statements))),
      },
    }
    await t.db.sql`update printers set auto_start = true where account_id = ${farm.account.id} and id = any(${ids})`
    const sent = await startWaitingJobs(watched, farm.account.id)
    expect(sent).toHaveLength(printers)
    await Promise.all(sent.map(({ isOver }) => isOver))
    return statements.length
  }
  const few = await countStatements(2)
  expect(await countStatements(12)).toBe(few)
})

/** A handle that notes each statement it sends; fragments are none. */
function counting<S extends object>(sql: S, statements: string[]): S {
  const tag = (first: unknown, ...rest: unknown[]): unknown => {
    if (Array.isArray(first) && 'raw' in first && /^\s*(select|with|insert|update)\b/.test(String(first[0]))) {
      statements.push(String(first[0]))
    }
    // The driver's tag is overloaded on template or helper; both are passed on as they came.
    return (sql as unknown as (...args: unknown[]) => unknown)(first, ...rest)
  }
  return Object.assign(tag, sql) as unknown as S
}
