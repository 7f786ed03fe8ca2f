import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type AccountId, newId } from '../kernel/ids.ts'
import { createTestDatabase, type TestDatabase } from '../test/run/test-database.ts'

describe('transactions for accounts', () => {
  let shared: TestDatabase
  beforeAll(async () => {
    shared = await createTestDatabase({ transactionConnections: 6 })
  })
  afterAll(() => shared.close())

  /** A transaction that lasts until it is let go. */
  function hold(accountId: AccountId, begin = shared.beginFor) {
    const { promise, resolve } = Promise.withResolvers<void>()
    const started = Promise.withResolvers<void>()
    const done = begin(accountId, async () => {
      started.resolve()
      await promise
    })
    const letGo = () => {
      resolve()
      return done
    }
    return { started: started.promise, letGo }
  }

  test('one whose transactions all wait leaves a connection to others', async () => {
    const [many, other] = [newId('account'), newId('account')]
    const held = Array.from({ length: 10 }, () => hold(many))
    await held[2]?.started
    expect(await shared.beginFor(other, async () => 'done')).toBe('done')
    expect(await shared.begin(async () => 'done by the service')).toBe('done by the service')
    await Promise.all(held.map(({ letGo }) => letGo()))
  })

  test('two whose transactions all wait leave a connection to others', async () => {
    const [many, more, other] = [newId('account'), newId('account'), newId('account')]
    const held = [many, more].flatMap((account) => Array.from({ length: 10 }, () => hold(account)))
    await Promise.all([0, 1, 2, 10, 11].map((index) => held[index]?.started))
    expect(await shared.beginFor(other, async () => 'done')).toBe('done')
    expect(await shared.begin(async () => 'done by the service')).toBe('done by the service')
    await Promise.all(held.map(({ letGo }) => letGo()))
  })

  test('one whose changes and reports of printers all wait leaves a connection to others', async () => {
    const [many, other] = [newId('account'), newId('account')]
    const held = [shared.beginFor, shared.beginForFarm].flatMap((begin) =>
      Array.from({ length: 10 }, () => hold(many, begin)),
    )
    await Promise.all([0, 1, 2, 10, 11].map((index) => held[index]?.started))
    expect(await shared.beginForFarm(other, async () => 'done')).toBe('done')
    await Promise.all(held.map(({ letGo }) => letGo()))
  })

  test('of the eight that there are one holds four, a second one two, a third and a fourth one each', async () => {
    const eight = await createTestDatabase()
    try {
      const started = new Map<AccountId, number>()
      const { promise, resolve } = Promise.withResolvers<void>()
      const accounts = Array.from({ length: 5 }, () => newId('account'))
      const all: Promise<void>[] = []
      for (const account of accounts) {
        started.set(account, 0)
        for (let n = 0; n < 10; n += 1) {
          all.push(
            eight.beginFor(account, async () => {
              started.set(account, (started.get(account) ?? 0) + 1)
              await promise
            }),
          )
        }
        // Each connection is opened when so many are used for the first time.
        await vi.waitFor(() => expect([4, 6, 7, 8]).toContain([...started.values()].reduce((sum, n) => sum + n, 0)))
      }
      await vi.waitFor(() => expect([...started.values()]).toEqual([4, 2, 1, 1, 0]))
      resolve()
      await Promise.all(all)
    } finally {
      await eight.close()
    }
  })

  test('what one gives back lets another that waits hold more', async () => {
    const [many, other] = [newId('account'), newId('account')]
    const first = Array.from({ length: 3 }, () => hold(many))
    const second = Array.from({ length: 3 }, () => hold(other))
    await Promise.all([...first.map(({ started }) => started), second[0]?.started, second[1]?.started])
    let isLast = false
    const last = second[2]?.started.then(() => {
      isLast = true
    })
    await shared.begin(async () => undefined)
    expect(isLast).toBe(false)
    await Promise.all([first[0]?.letGo(), first[1]?.letGo()])
    await last
    await Promise.all([...first, ...second].map(({ letGo }) => letGo()))
  })

  test('a thousand of one hold up one of another by no more than a few of them', async () => {
    const [many, other] = [newId('account'), newId('account')]
    let ended = 0
    const flood = Array.from({ length: 1_000 }, () =>
      shared.beginFor(many, async (sql) => {
        await sql`select pg_sleep(0.001)`
        ended += 1
      }),
    )
    await flood[0]
    const before = ended
    let waitedFor = Number.NaN
    await shared.beginFor(other, async (sql) => {
      // More of them end until its answer is read, on a machine that is busy.
      waitedFor = ended - before
      await sql`select 1`
    })
    expect(waitedFor).toBeLessThan(20)
    await Promise.all(flood)
    expect(ended).toBe(1_000)
  })

  test('two that wait take turns, whichever came first with how many', async () => {
    const [many, other] = [newId('account'), newId('account')]
    const order: string[] = []
    const held = Array.from({ length: 6 }, () => hold(many, (_, work) => shared.begin(work)))
    await Promise.all(held.map(({ started }) => started))
    const add = (accountId: AccountId, name: string) =>
      shared.beginFor(accountId, async () => {
        order.push(name)
      })
    const waiting = [
      ...Array.from({ length: 5 }, () => add(many, 'many')),
      ...Array.from({ length: 2 }, () => add(other, 'other')),
    ]
    // One connection alone is given back, so that what waits comes one after another.
    await held[0]?.letGo()
    await Promise.all(waiting)
    expect(order.slice(0, 4)).toEqual(['many', 'other', 'many', 'other'])
    await Promise.all(held.map(({ letGo }) => letGo()))
  })

  test('a long report of one is waited for by no report of another, and by its own next one', async () => {
    const [many, other] = [newId('account'), newId('account')]
    const ended: string[] = []
    const report = async (accountId: AccountId, name: string, seconds: number) => {
      await shared.reportsFor(accountId)`select pg_sleep(${seconds})`
      ended.push(name)
    }
    const long = ['first', 'second'].map((name) => report(many, name, 0.5))
    await report(other, 'other', 0)
    await report(other, 'other', 0)
    expect(ended).toEqual(['other', 'other'])
    await Promise.all(long)
    expect(ended).toEqual(['other', 'other', 'first', 'second'])
  })
})
