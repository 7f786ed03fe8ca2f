import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../test/run/test-database.ts'
import { openDriver } from './open-driver.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase({ statementConnections: 1, transactionConnections: 1 })
  await database.sql.unsafe('create table notes (id int primary key, text text); create table other (id int)')
})
afterAll(() => database.close())

const outcomes = (work: PromiseLike<unknown>[]) =>
  Promise.allSettled(work).then((results) =>
    results.map((result) => (result.status === 'fulfilled' ? 'done' : (result.reason as { code: string }).code)),
  )

describe('prepared statements', () => {
  test('statements of one text, sent together before it is prepared, have their own answers', async () => {
    const rows = await Promise.all(
      Array.from({ length: 50 }, (_, n) => database.sql`select ${n}::int as own, 'first' as x`),
    )
    expect(rows.map(([row]) => row?.own)).toEqual(Array.from({ length: 50 }, (_, n) => n))
  })

  test('those behind one that could not be prepared fail for the same reason, and work once the reason is gone', async () => {
    const read = () => database.sql`select id from later where id = ${1}`
    expect(await outcomes([read(), read(), read()])).toEqual(['42P01', '42P01', '42P01'])
    await database.sql.unsafe('create table later (id int)')
    expect(await outcomes([read(), read(), read()])).toEqual(['done', 'done', 'done'])
  })

  test('a statement whose columns have changed since it was prepared is prepared again', async () => {
    const read = () => database.sql`select * from other where id = ${1}`
    await database.sql`insert into other values (1)`
    expect(await read()).toEqual([{ id: 1 }])
    await database.sql.unsafe("alter table other add column name text default 'x'")
    expect(await Promise.all([read(), read()])).toEqual([[{ id: 1, name: 'x' }], [{ id: 1, name: 'x' }]])
  })

  test('a statement that the server has forgotten is prepared again', async () => {
    const read = () => database.sql`select ${7}::int as seven`
    await read()
    await database.sql.unsafe('deallocate all')
    expect(await read()).toEqual([{ seven: 7 }])
  })

  test('one that is planned for once is kept nowhere, and its text can be prepared beside it', async () => {
    const kept = async () => {
      const rows = await database.sql<{ count: number }[]>`
        select count(*)::int as count from pg_prepared_statements where statement like '%as counted_once%'
          and statement not like '%pg_prepared_statements%'`
      return rows[0]?.count
    }
    const read = (value: number) => database.sql`select ${value}::int as counted_once`
    expect(await read(1).plannedForOnce()).toEqual([{ counted_once: 1 }])
    expect(await kept()).toBe(0)
    expect(await Promise.all([read(2), read(3).plannedForOnce(), read(4)])).toEqual([
      [{ counted_once: 2 }],
      [{ counted_once: 3 }],
      [{ counted_once: 4 }],
    ])
    expect(await kept()).toBe(1)
  })

  test('a connection that has prepared hundreds of statements is replaced, and none is lost', async () => {
    const driver = openDriver(database.target, 'printyard test')
    const pids = new Set<number>()
    for (let start = 0; start < 1_200; start += 100) {
      const answers = await Promise.all(
        Array.from({ length: 100 }, async (_, index) => {
          const text = `select ${start + index}::int as own, pg_backend_pid() as pid, `
          const [row] = await driver<{ own: number; pid: number }[]>(
            Object.assign([text, '::int as n'], { raw: [] }),
            1,
          )
          pids.add(row?.pid ?? 0)
          return row?.own
        }),
      )
      expect(answers).toEqual(Array.from({ length: 100 }, (_, index) => start + index))
    }
    expect(pids.size).toBeGreaterThan(1)
    const held = await driver<{ count: number }[]>`select count(*)::int as count from pg_prepared_statements`
    expect(held[0]?.count).toBeLessThan(600)
    await driver.end()
  })
})

describe('a transaction', () => {
  test('fails with the first error, even where the work caught it, and leaves nothing', async () => {
    const work = database.begin(async (sql) => {
      await sql`insert into notes values (1, 'kept?')`
      await sql`insert into notes values (1, 'twice')`.catch(() => undefined)
    })
    await expect(work).rejects.toMatchObject({ code: '23505' })
    expect(await database.sql`select * from notes`).toEqual([])
  })

  test('tells why statements sent together failed, not that they came after the failure', async () => {
    const work = database.begin(async (sql) => {
      const statements = [sql`select 1 / ${0}::int`, sql`select 2`, sql`select ${3}::int`]
      const results = await Promise.allSettled(statements)
      throw results.findLast(({ status }) => status === 'rejected')
    })
    await expect(work).rejects.toMatchObject({ status: 'rejected', reason: { code: '25P02' } })
    const again = database.begin((sql) => Promise.all([sql`select 1 / ${0}::int`, sql`select 2`]))
    await expect(again).rejects.toMatchObject({ code: '22012' })
    expect(await database.begin((sql) => sql`select 1 as one`)).toEqual([{ one: 1 }])
  })

  test('does not pass for committed when a statement failed that its work did not wait for', async () => {
    const work = database.begin(async (sql) => {
      await sql`insert into notes values (2, 'kept?')`
      sql`select 1 / ${0}::int`.execute()
    })
    await expect(work).rejects.toThrow()
    expect(await database.sql`select * from notes`).toEqual([])
  })

  test('that is over takes no more statements, so that none runs in the next one', async () => {
    let late: Promise<unknown> = Promise.resolve()
    await database.begin(async (sql) => {
      late = wait(20).then(() => sql`insert into notes values (3, 'late')`)
    })
    await expect(late).rejects.toMatchObject({ code: 'CONNECTION_CLOSED' })
    expect(await database.sql`select * from notes`).toEqual([])
  })

  test('that throws before it has begun leaves nothing of what it did not wait for', async () => {
    const work = database.begin(async (sql) => {
      sql`select 1`.execute()
      sql`insert into notes values (4, 'kept?')`.execute()
      sql`select 2`.execute()
      throw new RangeError('no')
    })
    await expect(work).rejects.toThrow(RangeError)
    expect(await database.sql`select * from notes`).toEqual([])
  })

  test('runs its statements in the order in which they were sent, reads before writes or behind them', async () => {
    const [before, , behind] = await database.begin((sql) =>
      Promise.all([
        sql`select count(*) from notes`,
        sql`insert into notes values (5, 'in order')`,
        sql`select count(*) from notes`,
      ]),
    )
    expect([before, behind]).toEqual([[{ count: 0 }], [{ count: 1 }]])
    await database.sql`delete from notes`
  })

  test('waits for its turn when all connections are taken, in the order of asking', async () => {
    const order: number[] = []
    await Promise.all(
      [1, 2, 3, 4].map((n) =>
        database.begin(async (sql) => {
          await sql`select pg_sleep(0.01)`
          order.push(n)
        }),
      ),
    )
    expect(order).toEqual([1, 2, 3, 4])
  })
})

test('the failure of a statement names the place in the code that sent it', async () => {
  const error = await database.sql`select * from missing`.then(
    () => undefined,
    (reason: unknown) => reason as Error,
  )
  expect(error?.stack).toContain('driver.system.test.ts')
})

test('closing lets running statements and transactions end', async () => {
  const driver = openDriver(database.target, 'printyard test', { connections: 2 })
  const running = [
    driver`select pg_sleep(0.3)`.execute(),
    driver.begin(async (sql) => {
      await sql`select pg_sleep(0.2)`
      await sql`select 1`
    }),
  ]
  await wait(100)
  await driver.end()
  expect(await outcomes(running)).toEqual(['done', 'done'])
  await expect(driver`select 1`.catch((error) => error)).resolves.toMatchObject({ code: 'CONNECTION_ENDED' })
})
