import { setTimeout as wait } from 'node:timers/promises'
import { makeDataDirectory, startService } from '../farms/farm.ts'
import { fleetPrinters, furnishFleet } from '../farms/fleet.ts'
import { type DatabaseLook, startMeasuredPostgres, type TableCounts } from '../farms/measured-postgres.ts'
import { startPrinting } from '../farms/printing-fleet.ts'
import type { Benchmark } from '../harness/result.ts'
import { until } from '../harness/until.ts'

/** Three for each printer: what waits in a farm that is busy. */
const jobs = 3 * fleetPrinters
const printersPerHub = 50
const usualMinutes = 3
/** Faster than this the service would be late, and write less at once than farms that have the time. */
const shortestPauseMs = 100
/** How long what the starts asked for (plans, forecasts) goes on, in ms. */
const settleMs = 30_000
const startTimeoutMs = 180_000
/** Prints that most farms run are longer. */
const hoursOfPrint = 2
const daySeconds = 24 * 3_600

/** What was done between two looks. */
interface Work {
  seconds: number
  statements: number
  transactions: number
  walBytes: number
  cpuSeconds: number
  tables: Map<string, TableCounts>
}

export const databaseWrites: Benchmark = {
  name: 'database-writes',
  what: `What PostgreSQL does for ${fleetPrinters} printers: while all print, and for each print that ends and the next that begins (--minutes N: for each part)`,
  async run(scope, { minutes = usualMinutes }) {
    const postgres = await startMeasuredPostgres(scope)
    const service = await startService(scope, await makeDataDirectory(scope), { databaseUrl: postgres.url })
    const fleet = await furnishFleet(scope, service.url, postgres.target, { jobs, printersPerHub })
    const printing = startPrinting(scope, fleet)
    await fleet.clearPlates()
    const all = fleet.hubs.reduce((sum, { printerIds }) => sum + printerIds.length, 0)
    await until('all printers printing', () => printing.printing === all, { everyMs: 50, mostMs: startTimeoutMs })
    await wait(settleMs)

    const watch = async (work: () => Promise<unknown>) => {
      const before = await postgres.look()
      const startedAt = performance.now()
      await work()
      // What each backend has counted is told with a delay of up to a second.
      await wait(1_500)
      return between(before, await postgres.look(), (performance.now() - startedAt) / 1_000)
    }
    const steady = await watch(() => wait(minutes * 60_000))
    const pauseMs = Math.max(shortestPauseMs, (minutes * 60_000) / all)
    const turning = await watch(async () => {
      const startedAt = performance.now()
      const ending: Promise<void>[] = []
      for (let ended = 0; ended < all; ended += 1) {
        ending.push(printing.finishOne())
        await wait(Math.max(0, startedAt + (ended + 1) * pauseMs - performance.now()))
      }
      await Promise.all(ending)
      await until('all printers printing', () => printing.printing === all, { everyMs: 50, mostMs: startTimeoutMs })
    })
    const perPrint = ofEach(turning, steady, all)
    return {
      name: 'database-writes',
      compared: {
        [`${all} printers that print, in a second`]: describe(steady, 1 / steady.seconds),
        'each print, from its start to the cleared plate': describe(perPrint, 1),
        [`a day of ${all} printers with prints of ${hoursOfPrint} hours`]: describeDay(steady, perPrint, all),
      },
      goals: [],
    }
  },
}

function between(before: DatabaseLook, after: DatabaseLook, seconds: number): Work {
  const tables = new Map<string, TableCounts>()
  for (const [name, counts] of after.tables) {
    const former = before.tables.get(name) ?? { inserted: 0, changed: 0, deleted: 0, bytes: 0 }
    tables.set(
      name,
      combine(counts, former, (now, then) => now - then),
    )
  }
  return {
    seconds,
    statements: after.statements - before.statements,
    transactions: after.transactions - before.transactions,
    walBytes: after.walBytes - before.walBytes,
    cpuSeconds: after.cpuSeconds - before.cpuSeconds,
    tables,
  }
}

/** What one of so many prints adds to what goes on anyway. */
function ofEach(turning: Work, steady: Work, prints: number): Work {
  const added = (all: number, anyway: number) => (all - (anyway * turning.seconds) / steady.seconds) / prints
  const none = { inserted: 0, changed: 0, deleted: 0, bytes: 0 }
  return {
    seconds: turning.seconds,
    statements: added(turning.statements, steady.statements),
    transactions: added(turning.transactions, steady.transactions),
    walBytes: added(turning.walBytes, steady.walBytes),
    cpuSeconds: added(turning.cpuSeconds, steady.cpuSeconds),
    tables: new Map(
      [...turning.tables].map(([name, counts]) => [name, combine(counts, steady.tables.get(name) ?? none, added)]),
    ),
  }
}

function combine(one: TableCounts, other: TableCounts, how: (one: number, other: number) => number): TableCounts {
  return {
    inserted: how(one.inserted, other.inserted),
    changed: how(one.changed, other.changed),
    deleted: how(one.deleted, other.deleted),
    bytes: how(one.bytes, other.bytes),
  }
}

const sumOf = ({ tables }: Work, of: (counts: TableCounts) => number) =>
  [...tables.values()].reduce((sum, counts) => sum + of(counts), 0)

function describe(work: Work, times: number): Record<string, string> {
  const each = (value: number) => (value * times).toFixed(1)
  return {
    statements: each(work.statements),
    transactions: each(work.transactions),
    'rows inserted': each(sumOf(work, ({ inserted }) => inserted)),
    'rows changed': each(sumOf(work, ({ changed }) => changed)),
    'rows deleted': each(sumOf(work, ({ deleted }) => deleted)),
    'write-ahead log, KB': each(work.walBytes / 1_000),
    'ms of a processor': each(work.cpuSeconds * 1_000),
    'rows inserted by table': byTable(work, ({ inserted }) => inserted * times),
    'rows changed by table': byTable(work, ({ changed }) => changed * times),
    'bytes by table, without indexes': byTable(work, ({ bytes }) => bytes * times),
  }
}

function describeDay(steady: Work, perPrint: Work, printers: number): Record<string, string> {
  const prints = (printers * 24) / hoursOfPrint
  const day = (of: (work: Work) => number) => (of(steady) * daySeconds) / steady.seconds + of(perPrint) * prints
  const inserted = day((work) => sumOf(work, (counts) => counts.inserted))
  return {
    prints: String(prints),
    'statements, millions': (day((work) => work.statements) / 1e6).toFixed(2),
    'rows inserted, thousands': (inserted / 1e3).toFixed(0),
    'rows changed, thousands': (day((work) => sumOf(work, ({ changed }) => changed)) / 1e3).toFixed(0),
    'rows written in a second': (
      day((work) => sumOf(work, (counts) => counts.inserted + counts.changed + counts.deleted)) / daySeconds
    ).toFixed(1),
    'write-ahead log, MB': (day((work) => work.walBytes) / 1e6).toFixed(0),
    'tables, MB without indexes': (day((work) => sumOf(work, ({ bytes }) => Math.max(0, bytes))) / 1e6).toFixed(0),
    'cores of PostgreSQL': (day((work) => work.cpuSeconds) / daySeconds).toFixed(3),
  }
}

/** By table, the most first, as far as there is something to tell. */
function byTable(work: Work, of: (counts: TableCounts) => number): string {
  const rows = [...work.tables]
    .map(([name, counts]) => ({ name, value: of(counts) }))
    .filter(({ value }) => value >= 0.05)
    .sort((a, b) => b.value - a.value)
  return rows.map(({ name, value }) => `${name} ${value.toFixed(1)}`).join(', ')
}
