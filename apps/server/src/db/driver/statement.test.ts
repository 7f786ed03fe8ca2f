import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test, vi } from 'vitest'
import { createSql, type Fragment, type Sql, type WireStatement } from './statement.ts'

async function written(build: (sql: Sql) => PromiseLike<unknown>): Promise<WireStatement> {
  const sent: WireStatement[] = []
  const sql = createSql(async (statement) => {
    sent.push(statement)
    return Object.assign([], { count: 0 })
  })
  await build(sql)
  const [statement] = sent
  if (statement === undefined || sent.length > 1) throw new Error(`${sent.length} statements were sent`)
  return statement
}

test.each<[string, (sql: Sql) => PromiseLike<unknown>, string, unknown[]]>([
  ['parameters', (sql) => sql`select ${1}, ${'a'}, ${null}`, 'select $1, $2, $3', ['1', 'a', null]],
  [
    'parameters whose type the value tells',
    (sql) => sql`select ${true}, ${new Date(0)}, ${5n}, ${sql.json({ a: [null] })}, ${Buffer.from('x')}`,
    'select $1::boolean, $2::timestamptz, $3::int8, $4::jsonb, $5::bytea',
    ['true', '1970-01-01T00:00:00.000Z', '5', '{"a":[null]}', Buffer.from('x')],
  ],
  [
    'arrays',
    (sql) => sql`select ${['a"b\\', null, 'NULL']}, ${[]}, ${[[1], [2]]}, ${[new Date(0), true]}`,
    'select $1, $2, $3, $4',
    ['{"a\\"b\\\\",null,"NULL"}', '{}', '{{"1"},{"2"}}', '{"1970-01-01T00:00:00.000Z","true"}'],
  ],
  [
    'parts within parts',
    (sql) => {
      const isOpen = sql`and status = ${'open'}`
      return sql`select * from jobs where id = ${'j'} ${sql`${isOpen} and plate = ${2}`} limit ${3}`
    },
    'select * from jobs where id = $1 and status = $2 and plate = $3 limit $4',
    ['j', 'open', '2', '3'],
  ],
  [
    'a list of parts',
    (sql) => sql`select * from jobs where true ${[sql`and a = ${1}`, sql`and b = ${2}`]}`,
    'select * from jobs where true and a = $1 and b = $2',
    ['1', '2'],
  ],
  ['names', (sql) => sql`select * from ${sql('od"d')}`, 'select * from "od""d"', []],
  [
    'an insert of a row',
    (sql) => sql`insert into jobs ${sql({ id: 'j', data: sql.json([]), at: sql`now()` })} returning id`,
    'insert into jobs ("id", "data", "at") values ($1, $2::jsonb, now()) returning id',
    ['j', '[]'],
  ],
  [
    'an insert of rows',
    (sql) =>
      sql`insert into jobs ${sql([
        { id: 'a', n: 1 },
        { id: 'b', n: null },
      ])}`,
    'insert into jobs ("id", "n") values ($1, $2), ($3, $4)',
    ['a', '1', 'b', null],
  ],
  [
    'assignments, after an insert too',
    (sql) => sql`insert into s ${sql({ id: 1 })} on conflict (id) do update set ${sql({ a: 2, b: 'x' })}`,
    'insert into s ("id") values ($1) on conflict (id) do update set "a" = $2, "b" = $3',
    ['1', '2', 'x'],
  ],
  ['a list', (sql) => sql`select 1 where 1 in ${sql([1, 2])}`, 'select 1 where 1 in ($1, $2)', ['1', '2']],
  ['an empty list', (sql) => sql`select 1 where 1 in ${sql([])}`, 'select 1 where 1 in (null)', []],
])('%s are written as SQL', async (_, build, text, values) => {
  expect(await written(build)).toMatchObject({ text, values })
})

test('a statement is sent when it is awaited, once, and as a part never by itself', async () => {
  let sent = 0
  const sql = createSql(async () => {
    sent += 1
    return Object.assign([], { count: 0 })
  })
  const part: Fragment = sql`and true`
  const statement = sql`select 1 where true ${part}`
  expect(sent).toBe(0)
  await Promise.all([statement, statement.catch(() => []), statement.finally(() => undefined)])
  expect(sent).toBe(1)
})

test('a row with a column that the first row has and it has not is refused', async () => {
  const sql = createSql(async () => Object.assign([], { count: 0 }))
  await expect(
    sql`insert into jobs ${sql([{ id: 'a', n: 1 }, { id: 'b' }])}`.catch((error) => error),
  ).resolves.toMatchObject({
    code: 'PARAMETER_UNDEFINED',
  })
})

test('a statement does not hold on to the objects that first sent it', async () => {
  class Service {
    readonly #sql: Sql
    constructor(sql: Sql) {
      this.#sql = sql
    }
    list(): PromiseLike<unknown> {
      return this.#sql`select 'held'`
    }
  }
  const send = async () => {
    let service: Service | undefined
    await written((sql) => {
      service = new Service(sql)
      return service.list()
    })
    return new WeakRef(service as Service)
  }
  const sender = await send()
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  await vi.waitFor(() => {
    collect()
    // Compared here: a failed expectation would hold on to what it was given.
    expect(sender.deref() === undefined).toBe(true)
  })
})
