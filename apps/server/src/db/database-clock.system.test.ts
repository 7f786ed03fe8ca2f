import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../test/run/test-database.ts'
import { DatabaseClock } from './database-clock.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await createTestDatabase()
})
afterAll(() => db.close())

const hourMs = 3_600_000
const offBy = (clock: DatabaseClock) => Math.abs(clock.now().getTime() - Date.now())

/** A machine whose clocks a test sets. */
async function openAt(wrongMs: number) {
  const machine = { wrongMs, passedMs: 0, warn: vi.fn(), info: vi.fn() }
  const log = { warn: machine.warn, info: machine.info, debug: vi.fn(), error: vi.fn() }
  const clock = await DatabaseClock.open(db.sql, {
    log,
    wallMs: () => Date.now() + machine.wrongMs,
    steadyMs: () => performance.now() + machine.passedMs,
  })
  return { clock, machine }
}

test.each([-3 * hourMs, 0, 3 * hourMs])(
  'a machine whose clock is wrong by %d ms has the time of the database',
  async (ms) => {
    const { clock, machine } = await openAt(ms)
    expect(offBy(clock)).toBeLessThan(2_000)
    expect(machine.warn.mock.calls).toEqual(
      ms === 0 ? [] : [[{ ahead_seconds: ms / 1_000 }, expect.stringContaining('differs from that of the database')]],
    )
  },
)

test('the clock of the machine may be set while the service runs, and it says once when that is wrong and when it is right', async () => {
  const { clock, machine } = await openAt(0)
  for (const wrongMs of [hourMs, hourMs, -hourMs, 0, 0]) {
    machine.wrongMs = wrongMs
    expect(offBy(clock)).toBeLessThan(2_000)
    await clock.ask()
  }
  expect([machine.warn.mock.calls.length, machine.info.mock.calls.length]).toEqual([1, 1])
})

test('after a sleep of the machine, in which its steady clock stood still, the time is right with the next answer', async () => {
  const { clock, machine } = await openAt(0)
  machine.passedMs = -hourMs
  expect(offBy(clock)).toBeGreaterThan(hourMs - 2_000)
  await clock.ask()
  expect(offBy(clock)).toBeLessThan(2_000)
})

test('an answer that took too long changes nothing', async () => {
  const { clock, machine } = await openAt(0)
  machine.passedMs = hourMs
  await clock.ask(-1)
  expect(offBy(clock)).toBeGreaterThan(hourMs - 2_000)
})
