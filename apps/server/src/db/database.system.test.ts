import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { type AccountId, newId } from '../kernel/ids.ts'
import { accountGuard } from '../test/app/account-guard.ts'
import { createTestDatabase, type TestDatabase } from '../test/run/test-database.ts'
import { notifyWhenCommitted } from './commit-notices.ts'
import { type Database, openDatabase, type Sql } from './database.ts'
import { isConnectionError, isForeignKeyViolation, isUniqueViolation } from './database-errors.ts'

let empty: TestDatabase
let database: Database
beforeAll(async () => {
  empty = await createTestDatabase()
  await empty.sql.unsafe(`
    create table parts (
      account_id text not null references accounts (id),
      id text not null,
      amount bigint, price numeric, made_on date, changed_at timestamptz, details jsonb, tags text[],
      primary key (account_id, id)
    )`)
  await empty.sql`insert into accounts ${empty.sql([
    { id: 'north', name: 'North' },
    { id: 'south', name: 'South' },
  ])}`
  database = openDatabase({ target: empty.target, statementConnections: 1, guard: accountGuard(new Set(['parts'])) })
})
afterAll(async () => {
  await database.close()
  await empty.close()
})

interface PartRow {
  id: string
  amount: number
}

function findPart(sql: Sql, accountId: string, id: string): Promise<PartRow[]> {
  return sql<PartRow[]>`select id, amount from parts where account_id = ${accountId} and id = ${id}`
}

describe('values', () => {
  test('each type arrives as documented', async () => {
    const [row] = await database.sql`
      select 9007199254740991::int8 as amount, 1.50::numeric as price, '2026-02-03'::date as made_on,
        '2026-02-03 04:05:06.789012+01'::timestamptz as changed_at, '{"a":[1]}'::jsonb as details,
        array[1, 2]::int8[] as numbers, array['x,y', 'b"c\\d'] as tags`
    expect(row).toEqual({
      amount: 9007199254740991,
      price: '1.50',
      made_on: '2026-02-03',
      changed_at: new Date('2026-02-03T03:05:06.789Z'),
      details: { a: [1] },
      numbers: [1, 2],
      tags: ['x,y', 'b"c\\d'],
    })
  })

  test('what is written comes back', async () => {
    const row = {
      account_id: 'north',
      id: 'written',
      amount: -5,
      changed_at: new Date('2026-01-01T00:00:00.123Z'),
      details: database.sql.json({ text: 'ä "quoted"', none: null }),
      tags: ['a', 'b"c\\'],
    }
    await database.sql`insert into parts ${database.sql(row)}`
    const [found] = await database.sql`
      select account_id, id, amount, changed_at, details, tags from parts where account_id = 'north' and id = 'written'`
    expect(found).toEqual({ ...row, details: { text: 'ä "quoted"', none: null } })
  })

  test('a text for a timestamptz keeps its microseconds', async () => {
    const [row] = await database.sql`select ${'2026-01-01 00:00:00.123456Z'}::timestamptz::text as at`
    expect(row).toEqual({ at: '2026-01-01 00:00:00.123456+00' })
  })

  test('an int8 that a number cannot hold is an error, and the connection stays usable', async () => {
    await expect(database.sql`select 9007199254740993::int8 as amount`).rejects.toThrow('9007199254740993 does not fit')
    expect(await database.sql`select 1::int8 as amount`).toEqual([{ amount: 1 }])
  })
})

describe('a value that cannot be sent', () => {
  const { sql } = { sql: ((...args: Parameters<Sql>) => database.sql(...args)) as Sql }

  test.each([
    ['undefined', () => sql`select ${undefined as never}`, 'PARAMETER_UNDEFINED'],
    ['undefined in a list', () => sql`select ${['a', undefined] as never}`, 'PARAMETER_UNDEFINED'],
    [
      'undefined in a row',
      () => sql`insert into accounts ${database.sql({ id: 'x', name: undefined } as never)}`,
      'PARAMETER_UNDEFINED',
    ],
    ['undefined in JSON', () => sql`select ${database.sql.json(undefined as never)}`, 'PARAMETER_UNDEFINED'],
    ['an object', () => sql`select ${{ a: 1 } as never}`, 'PARAMETER_NOT_SENDABLE'],
    ['an invalid Date', () => sql`select ${new Date('nonsense')}`, 'PARAMETER_NOT_SENDABLE'],
    ['a symbol', () => sql`select ${Symbol('s') as never}`, 'PARAMETER_NOT_SENDABLE'],
    ['too many values', () => sql`select 1 where 1 in ${database.sql(Array(65_536).fill(1))}`, 'TOO_MANY_PARAMETERS'],
  ])('%s is refused before it reaches the driver', async (_, statement, code) => {
    await expect((async () => await statement())()).rejects.toMatchObject({ code })
  })

  test('a circular value for JSON fails at the caller', () => {
    const circular: Record<string, unknown> = {}
    circular.self = circular
    expect(() => database.sql.json(circular as never)).toThrow('circular')
  })

  test('a text that is no time fails alone: its neighbours on the same connection get their own answers', async () => {
    // The first round prepares the statement; from the second on, the driver writes the value while others wait.
    for (let round = 0; round < 3; round += 1) {
      const results = await Promise.allSettled([
        database.sql`select ${'first'}::text as answer`,
        database.sql`select ${round === 0 ? '2026-01-01' : 'no time at all'}::timestamptz as answer`,
        database.sql`select ${round === 0 ? [1] : (7 as never)}::int[] as answer`,
        database.sql`select ${round === 0 ? Buffer.from('x') : (true as never)}::bytea as answer`,
        database.sql`select ${'last'}::text as answer`,
      ])
      const answers = results.map((result) => (result.status === 'fulfilled' ? result.value[0]?.answer : 'refused'))
      expect([answers[0], answers[4]]).toEqual(['first', 'last'])
      if (round > 0) expect(answers.slice(1, 3)).toEqual(['refused', 'refused'])
    }
  })

  test('a thousand statements at once, some of them bad, each get their own answer', async () => {
    const statements = Array.from({ length: 1000 }, async (_, index) => {
      if (index % 7 === 0) return await database.sql`select ${'bad time'}::timestamptz as answer`
      if (index % 11 === 0) return await database.sql`select ${undefined as never} as answer`
      return await database.sql`select ${index}::int as answer`
    })
    const results = await Promise.allSettled(statements)
    const wrong = results.filter((result, index) => {
      const isBad = index % 7 === 0 || index % 11 === 0
      return isBad ? result.status !== 'rejected' : result.status !== 'fulfilled' || result.value[0]?.answer !== index
    })
    expect(wrong).toEqual([])
  })
})

describe('the guard on the driver', () => {
  test('lets scoped statements pass, alone, composed and in transactions', async () => {
    await database.sql`insert into parts ${database.sql({ account_id: 'south', id: 'p1', amount: 3 })}`
    const isCheap = database.sql`and amount < ${10}`
    expect(await database.sql`select id from parts where account_id = ${'south'} ${isCheap}`).toEqual([{ id: 'p1' }])
    expect(await database.begin((sql) => findPart(sql, 'south', 'p1'))).toEqual([{ id: 'p1', amount: 3 }])
  })

  test.each([
    ['a statement', () => database.sql`select * from parts`],
    [
      'a composed statement',
      () => database.sql`select * from ${database.sql('parts')} ${database.sql`where id = ${'p1'}`}`,
    ],
    ['a plain text', () => database.sql.unsafe('delete from parts')],
    ['a report', () => database.reports`select count(*) from parts`],
    ['a transaction', () => database.begin((sql) => sql`delete from parts`)],
    ['a savepoint', () => database.begin((sql) => sql.savepoint((nested) => nested`delete from parts`))],
    ['an inserted row without account', () => database.sql`insert into parts ${database.sql({ id: 'p' })}`],
  ])('refuses %s that names no account', async (_, statement) => {
    await expect((async () => await statement())()).rejects.toMatchObject({ code: 'ACCOUNT_NOT_NAMED' })
    expect(await findPart(database.sql, 'south', 'p1')).toHaveLength(1)
  })

  test('a refused statement leaves its neighbours on the same connection alone', async () => {
    const results = await Promise.allSettled([
      database.sql`select ${1}::int as answer`,
      database.sql`select * from parts`,
      database.sql`select ${2}::int as answer`,
    ])
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(results[2]).toMatchObject({ value: [{ answer: 2 }] })
  })
})

describe('transactions', () => {
  test('what throws is rolled back', async () => {
    const work = database.begin(async (sql) => {
      await sql`insert into parts (account_id, id) values ('north', 'rolled-back')`
      throw new Error('changed my mind')
    })
    await expect(work).rejects.toThrow('changed my mind')
    expect(await findPart(database.sql, 'north', 'rolled-back')).toEqual([])
  })

  test('a list of promises comes back as it is, not awaited', async () => {
    const result = await database.begin(async () => [1, [2]])
    expect(result).toEqual([1, [2]])
  })

  test('a savepoint that fails leaves the rest of the transaction', async () => {
    await database.begin(async (sql) => {
      await sql`insert into parts (account_id, id) values ('north', 'kept')`
      const nested = sql.savepoint(async (inner) => {
        await inner`insert into parts (account_id, id) values ('north', 'dropped')`
        throw new Error('only here')
      })
      await expect(nested).rejects.toThrow('only here')
    })
    expect(await findPart(database.sql, 'north', 'kept')).toHaveLength(1)
    expect(await findPart(database.sql, 'north', 'dropped')).toHaveLength(0)
  })
})

describe('errors', () => {
  test('a collision names its constraint', async () => {
    const error = await database.sql`insert into accounts (id, name) values ('north', 'again')`.catch(
      (error: unknown) => error,
    )
    expect(isUniqueViolation(error)).toBe(true)
    expect(isUniqueViolation(error, 'accounts_pkey')).toBe(true)
    expect(isUniqueViolation(error, 'other')).toBe(false)
    expect(isConnectionError(error)).toBe(false)
  })

  test('a reference to nothing is told apart', async () => {
    const error = await database.sql`insert into parts (account_id, id) values ('nobody', 'x')`.catch(
      (error: unknown) => error,
    )
    expect(isForeignKeyViolation(error, 'parts_account_id_fkey')).toBe(true)
  })

  test('a statement that takes too long is ended; reports may take longer', async () => {
    const impatient = openDatabase({ target: empty.target, statementTimeoutMs: 100, reportTimeoutMs: 5_000 })
    await expect(impatient.sql`select pg_sleep(3)`).rejects.toMatchObject({ code: '57014' })
    expect(await impatient.reports`select 1 as done from pg_sleep(0.3)`).toEqual([{ done: 1 }])
    await impatient.close()
  })

  test('a connection cut by the server is a connection error, and the next statement works', async () => {
    const [me] = await database.sql<{ pid: number }[]>`select pg_backend_pid() as pid`
    const slow = database.sql`select pg_sleep(5)`.catch((error: unknown) => error)
    await empty.sql`select pg_terminate_backend(${me?.pid ?? 0})`
    expect(isConnectionError(await slow)).toBe(true)
    await expect.poll(() => database.sql`select 1 as alive`.catch(() => []), { timeout: 3_000 }).toEqual([{ alive: 1 }])
  })
})

test('a statement under load costs no more after two hundred thousand than at first', async () => {
  const { sql, close } = await createTestDatabase({ statementConnections: 2 })
  const costOf = async (count: number) => {
    const before = process.cpuUsage()
    let left = count
    const work = async () => {
      while (left-- > 0) await sql`select 1`
    }
    await Promise.all(Array.from({ length: 32 }, work))
    const used = process.cpuUsage(before)
    return (used.user + used.system) / count
  }
  await costOf(10_000)
  const atFirst = await costOf(50_000)
  await costOf(100_000)
  const atLast = await costOf(50_000)
  await close()
  // The driver's own pool of two makes it about four times as much by then.
  expect(atLast).toBeLessThan(2.5 * atFirst)
}, 60_000)

describe('a statement that fails amid its rows', () => {
  const rowsUpToZero = (sql: Sql) => sql`select 1 / (3 - n) as share from generate_series(1, 5) n`

  test('leaves no empty places in the next result of its connection', async () => {
    await expect(rowsUpToZero(database.sql)).rejects.toThrow('division by zero')
    expect([...(await database.sql`select 7 as seven`)]).toEqual([{ seven: 7 }])
    await expect(rowsUpToZero(database.sql)).rejects.toThrow('division by zero')
    expect([...(await database.sql.unsafe('select 8 as eight union all select 9'))]).toEqual([
      { eight: 8 },
      { eight: 9 },
    ])
  })

  test('leaves none inside a transaction either', async () => {
    const rows = await database.begin(async (sql) => {
      await expect(sql.savepoint((inner) => rowsUpToZero(inner))).rejects.toThrow('division by zero')
      return [...(await sql`select 7 as seven`)]
    })
    expect(rows).toEqual([{ seven: 7 }])
  })
})

test('statements pass by the connection on which a slow one is under way', async () => {
  const two = openDatabase({ target: empty.target, statementConnections: 2 })
  try {
    let isOver = false
    const slow = two.sql`select pg_sleep(1)`.then(() => {
      isOver = true
    })
    const count = (number: number) => two.sql`select ${number}::int as count`
    for (let number = 0; number < 20; number += 1) await count(number)
    await wait(200)
    // Many at once wait for one another before any of them waits for what has taken so long.
    await Promise.all(Array.from({ length: 10 }, (_, number) => count(number)))
    expect(isOver).toBe(false)
    await slow
  } finally {
    await two.close()
  }
})

test('transactions that wait for others while they run leave them a connection, and all come to their end', async () => {
  const two = await createTestDatabase({ transactionConnections: 2 })
  try {
    const arounds = Array.from({ length: 4 }, (_, number) =>
      two.beginAround(async (sql) => {
        // So that each that could begin has.
        await sql`select pg_sleep(0.05)`
        const [row] = await two.begin(
          async (inner) => await inner<{ number: number }[]>`select ${number}::integer as number`,
        )
        return row?.number
      }),
    )
    expect(await Promise.all(arounds)).toEqual([0, 1, 2, 3])
  } finally {
    await two.close()
  }
})

describe('a transaction that ends with a statement on its closing handle', () => {
  let shared: TestDatabase
  beforeAll(async () => {
    shared = await createTestDatabase({ transactionConnections: 4 })
    await shared.sql.unsafe(
      'create table notes (id int primary key, transaction_id text default pg_current_xact_id()::text)',
    )
  })
  afterEach(() => shared.sql`delete from notes`)
  afterAll(() => shared.close())

  const account = newId('account')
  const insert = (sql: Sql, id: number) => sql`insert into notes (id) values (${id}) returning id`
  const listIds = async () => (await shared.sql<{ id: number }[]>`select id from notes order by id`).map(({ id }) => id)

  /** A transaction of an account that holds a connection until it is let go. */
  async function hold(owner: AccountId) {
    const letGo = Promise.withResolvers<void>()
    const started = Promise.withResolvers<void>()
    const done = shared.beginFor(owner, async (sql) => {
      await sql`select 1`
      started.resolve()
      await letGo.promise
    })
    await started.promise
    return async () => {
      letGo.resolve()
      await done
    }
  }

  test('is committed with it, alone or with what came before', async () => {
    expect(await shared.beginLateFor(account, (_, closing) => insert(closing, 1))).toEqual([{ id: 1 }])
    expect(
      await shared.beginLateFor(account, async (sql, closing) => {
        await sql`select 1`
        await insert(sql, 2)
        return await insert(closing, 3)
      }),
    ).toEqual([{ id: 3 }])
    const rows = await shared.sql`select count(distinct transaction_id) as transactions from notes where id in (2, 3)`
    expect([await listIds(), rows]).toEqual([[1, 2, 3], [{ transactions: 1 }]])
  })

  test('leaves nothing when that fails, nor when a statement before it did that the work did not wait for', async () => {
    await insert(shared.sql, 1)
    await expect(shared.beginLateFor(account, (_, closing) => insert(closing, 1))).rejects.toMatchObject({
      code: '23505',
    })
    const after = shared.beginLateFor(account, async (sql, closing) => {
      await insert(sql, 2)
      await insert(closing, 1)
    })
    await expect(after).rejects.toMatchObject({ code: '23505' })
    const unwaited = shared.beginLateFor(account, async (sql, closing) => {
      insert(sql, 1).execute()
      await insert(closing, 3)
    })
    await expect(unwaited).rejects.toMatchObject({ code: '23505' })
    expect(await listIds()).toEqual([1])
  })

  test('leaves nothing when the work fails before it, and takes no statement after it', async () => {
    const failed = shared.beginLateFor(account, async (sql) => {
      await insert(sql, 1)
      throw new RangeError('no')
    })
    await expect(failed).rejects.toThrow(RangeError)
    const late = shared.beginLateFor(account, async (sql, closing) => {
      await insert(closing, 2)
      await insert(sql, 3)
    })
    await expect(late).rejects.toMatchObject({ code: 'CONNECTION_CLOSED' })
    expect(await listIds()).toEqual([2])
  })

  test('tells of its changes when it is committed, and never otherwise', async () => {
    const told: string[] = []
    const stop = shared.onChange(({ what }) => told.push(what))
    const notice = (what: string) => ({ accountId: account, what })
    await shared.beginLateFor(account, async (sql, closing) => {
      notifyWhenCommitted(sql, notice('before'))
      await insert(closing, 1)
      expect(told).toEqual([])
      notifyWhenCommitted(closing, notice('closing'))
    })
    const failed = shared.beginLateFor(account, async (sql, closing) => {
      notifyWhenCommitted(sql, notice('lost'))
      await insert(closing, 1)
    })
    await expect(failed).rejects.toThrow()
    stop()
    expect(told).toEqual(['before', 'closing'])
  })

  test('waits for its turn with its first statement, and not before its work runs', async () => {
    const letGo = [await hold(account), await hold(account)]
    let hasRun = false
    const waiting = shared.beginLateFor(account, async (_, closing) => {
      hasRun = true
      await insert(closing, 1)
    })
    await wait(20)
    expect([hasRun, await listIds()]).toEqual([true, []])
    await letGo[0]?.()
    await waiting
    expect(await listIds()).toEqual([1])
    await letGo[1]?.()
  })

  test('shares a connection with others of its account, and holds up none of another one by its lock', async () => {
    await insert(shared.sql, 1)
    const lock = Promise.withResolvers<void>()
    const locked = Promise.withResolvers<void>()
    const locking = shared.begin(async (sql) => {
      await sql`select id from notes for update`
      locked.resolve()
      await lock.promise
    })
    await locked.promise
    const update = (_: Sql, closing: Sql) => closing`update notes set transaction_id = 'mine' where id = 1`
    const own = Array.from({ length: 30 }, () => shared.beginLateFor(account, update))
    await vi.waitFor(async () => {
      const waiting =
        await shared.sql`select pid from pg_stat_activity where wait_event_type = 'Lock' and datname = ${shared.name}`
      expect(waiting).toHaveLength(2)
    })
    const other = newId('account')
    await shared.beginLateFor(other, (_, closing) => insert(closing, 2))
    expect(await listIds()).toEqual([1, 2])
    lock.resolve()
    await locking
    await Promise.all(own)
  })

  test('is waited for by another account no longer than a few of them, however many follow one another', async () => {
    const other = newId('account')
    let isOver = false
    const flood = Array.from({ length: 8 }, async () => {
      while (!isOver) await shared.beginLateFor(account, (_, closing) => closing`select pg_sleep(0.002)`)
    })
    const letGo = [await hold(other), await hold(newId('account'))]
    const before = performance.now()
    await shared.beginFor(newId('account'), (sql) => sql`select 1`)
    expect(performance.now() - before).toBeLessThan(500)
    isOver = true
    await Promise.all([...flood, ...letGo.map((each) => each())])
  })
})
