import { expect, test } from 'vitest'
import type { MaterialId, PrinterId } from '../../kernel/ids.ts'
import { farmFacts, filamentNeed } from '../../test/farm/printer-facts.ts'
import { findSpool, type SpoolFacts } from './spools.ts'

const here = 'prn_1' as PrinterId
const there = { id: 'prn_2' as PrinterId, name: 'North 1' }
let count = 0
const spool = (change: Partial<SpoolFacts> = {}): SpoolFacts => ({
  id: `mat_${++count}` as MaterialId,
  type: 'PLA',
  color: 'Black',
  color_hex: '#000000',
  brand: '',
  location: '',
  grams: 500,
  printer: null,
  ...change,
})
const need = filamentNeed({ type: 'PLA', color: 'Black', grams: 100 })
const find = (spools: SpoolFacts[], any_color = false) => findSpool(spools, need, { any_color }, farmFacts(), here)

test('the spool that would do is one on the shelf, and of those the one with least on it that is enough', () => {
  const rest = spool({ grams: 100 })
  expect(find([spool(), spool({ grams: 99.9 }), rest, spool({ grams: 101 })])).toBe(rest)
  const loaded = spool({ grams: 100, printer: there })
  const shelf = spool({ grams: 900 })
  expect(find([loaded, shelf])).toBe(shelf)
  expect(find([loaded])).toBe(loaded)
})

test('another material, another colour, what is on the printer itself and what is not known do not do', () => {
  expect(
    find([
      spool({ type: 'PETG' }),
      spool({ color: 'White', color_hex: '#FFFFFF' }),
      spool({ printer: { id: here, name: 'Here' } }),
      spool({ type: '' }),
    ]),
  ).toBeUndefined()
})

test('any colour does where any colour may be printed', () => {
  const white = spool({ color: 'White', color_hex: '#FFFFFF' })
  expect(find([white], true)).toBe(white)
})
