import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cursorAt, follow, type OrderCursor, ordersInPage, queryOf, readCursor } from './order-pages.ts'

interface Row {
  id: number
  date_modified_gmt: string
}

const startMs = Date.parse('2026-11-20T09:00:00Z')
const at = (seconds: number) => new Date(startMs + seconds * 1_000).toISOString().slice(0, 19)

/** What the shop answers, by its documentation. */
function answer(rows: readonly Row[], cursor: OrderCursor): Row[] {
  const { modified_after: after, offset, per_page: most } = queryOf(cursor)
  const sorted = rows
    .filter((row) => row.date_modified_gmt > String(after))
    .toSorted((one, other) =>
      one.date_modified_gmt === other.date_modified_gmt
        ? one.id - other.id
        : one.date_modified_gmt < other.date_modified_gmt
          ? -1
          : 1,
    )
  return sorted.slice(Number(offset), Number(offset) + Number(most))
}

test('whatever changes while pages are read, the last state of every order is read, and reading ends', () => {
  fc.assert(
    fc.property(
      // Few seconds for many orders: several pages of one second.
      fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 0, maxLength: 4 * ordersInPage }),
      fc.array(fc.array(fc.nat(), { maxLength: 40 }), { maxLength: 8 }),
      (seconds, changes) => {
        const rows: Row[] = seconds.map((second, index) => ({ id: index + 1, date_modified_gmt: at(second) }))
        const read = new Map<number, string>()
        let cursor = cursorAt(new Date(startMs - 1_000))
        let now = 10
        for (let page = 0; ; page += 1) {
          expect(page).toBeLessThan(60)
          const got = follow(cursor, answer(rows, cursor))
          for (const row of got.rows as Row[]) read.set(row.id, row.date_modified_gmt)
          // As it is stored.
          cursor = readCursor(JSON.parse(JSON.stringify(got.cursor)))
          now += 1
          for (const index of changes[page] ?? []) {
            const row = rows[index % Math.max(1, rows.length)]
            if (row) row.date_modified_gmt = at(now)
          }
          if (got.isLast && page >= changes.length) break
        }
        expect(read).toEqual(new Map(rows.map((row) => [row.id, row.date_modified_gmt])))
      },
    ),
    { numRuns: 300 },
  )
})

test('the next read begins five minutes before the last change, and never before the last one did', () => {
  const first = follow(cursorAt(new Date(startMs)), [{ id: 1, date_modified_gmt: at(3_600) }])
  expect(first).toMatchObject({ isLast: true, cursor: { at: at(3_300), skip: 0 } })
  const again = follow(first.cursor, [{ id: 1, date_modified_gmt: at(3_600) }])
  expect(again.cursor).toEqual(first.cursor)
  expect(follow(first.cursor, []).cursor).toEqual(first.cursor)
  expect(follow(cursorAt(new Date(startMs)), [{ id: 1, date_modified_gmt: at(10) }]).cursor.at).toBe(at(0))
})

test('an order that does not say when it changed is no answer of such a shop', () => {
  expect(() => follow(cursorAt(new Date(startMs)), [{ id: 7 }])).toThrow('The order 7 does not say when it changed.')
})
