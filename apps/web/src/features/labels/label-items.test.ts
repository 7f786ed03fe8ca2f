import { expect, test } from 'vitest'
import { mostLabels, readLabelItems, writeLabelItems } from './label-items.ts'

test('items in an address are read and written alike', () => {
  const text = 'printer:prn_1,spool:mat_2,bin:inv_3,order:ord_4'
  expect(writeLabelItems(readLabelItems(text))).toBe(text)
})

test('what is no item, and what stands there twice, is left out', () => {
  expect(readLabelItems('printer:prn_1,, job:job_1,printer:mat_1,toString:x,printer:prn_1')).toEqual([
    { kind: 'printer', id: 'prn_1' },
  ])
  expect(readLabelItems(undefined)).toEqual([])
})

test('an address without an end prints no endless sheet', () => {
  expect(readLabelItems(Array.from({ length: 900 }, (_, n) => `printer:prn_${n}`).join())).toHaveLength(mostLabels)
})
