import { expect, expectTypeOf, test } from 'vitest'
import { columnsOf, type RowOf } from './columns.ts'
import { createSql, type WireStatement } from './driver/statement.ts'

interface ThingRow {
  id: string
  name: string
  created_at: Date
}

async function written(select: (sql: ReturnType<typeof createSql>) => PromiseLike<unknown>): Promise<string> {
  const sent: WireStatement[] = []
  await select(
    createSql(async (statement) => {
      sent.push(statement)
      return Object.assign([], { count: 0 })
    }),
  )
  return sent.map(({ text }) => text).join()
}

test('a list of columns is written as it stands, and under the alias of its table', async () => {
  const [columns, joined] = [columnsOf<ThingRow>()('id', 'name'), columnsOf<ThingRow>('t')('id', 'name')]
  expect(await written((sql) => sql`select ${columns(sql)} from things`)).toBe('select id, name from things')
  expect(await written((sql) => sql`select ${joined(sql)}, o.id as o from things t`)).toBe(
    'select t.id, t.name, o.id as o from things t',
  )
})

test('rows have the columns of the list, and no other is taken', () => {
  const columns = columnsOf<ThingRow>()('id', 'created_at')
  expectTypeOf<RowOf<typeof columns>>().toEqualTypeOf<Pick<ThingRow, 'id' | 'created_at'>>()
  // @ts-expect-error: the table has no such column
  columnsOf<ThingRow>()('id', 'nmae')
})
