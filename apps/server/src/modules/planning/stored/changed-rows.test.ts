import fc from 'fast-check'
import { expect, test } from 'vitest'
import { changedRows, type RowKind } from './changed-rows.ts'

interface Row {
  key: string
  units: number
}

const kind: RowKind<Row> = {
  groupOf: ({ key }) => (key === 'a' || key === 'b' ? 'first' : 'second'),
  isSameKey: (a, b) => a.key === b.key,
  isSame: (a, b) => a.units === b.units,
}
const rows = fc.uniqueArray(
  fc.record({ key: fc.constantFrom('a', 'b', 'c', 'd', 'e'), units: fc.integer({ min: 1, max: 3 }) }),
  {
    selector: ({ key }) => key,
  },
)

test('only what is new, changed or gone is written', () => {
  const stored = [
    { key: 'same', units: 1 },
    { key: 'more', units: 1 },
    { key: 'gone', units: 1 },
  ]
  const wanted = [
    { key: 'more', units: 2 },
    { key: 'same', units: 1 },
    { key: 'new', units: 1 },
  ]
  expect(changedRows(stored, wanted, kind)).toEqual({
    gone: [{ key: 'gone', units: 1 }],
    written: [
      { key: 'more', units: 2 },
      { key: 'new', units: 1 },
    ],
  })
})

test('writing the changes makes what is stored what is wanted, and nothing is written that was so', () => {
  fc.assert(
    fc.property(rows, rows, (stored, wanted) => {
      const { gone, written } = changedRows(stored, wanted, kind)
      const after = new Map(stored.map((row) => [row.key, row.units]))
      for (const { key } of gone) after.delete(key)
      for (const { key, units } of written) {
        expect(after.get(key)).not.toBe(units)
        after.set(key, units)
      }
      expect(after).toEqual(new Map(wanted.map((row) => [row.key, row.units])))
    }),
  )
})
