import { expect, test } from 'vitest'
import { type EndedPrint, usedMilligrams } from './printed-usage.ts'

const failed: EndedPrint = {
  isDone: false,
  plateGrams: 12.345,
  plateSeconds: 1_000,
  progress: null,
  printedSeconds: 250,
}
const used = (print: Partial<EndedPrint>) => usedMilligrams({ ...failed, ...print })

test('a whole plate takes what its slicer said', () => {
  expect(used({ isDone: true, printedSeconds: 1 })).toBe(12_345)
})

test('a print that failed took its share by the progress that was shown, else by time', () => {
  expect(used({ progress: 40 })).toBe(4_938)
  expect(used({})).toBe(3_086)
})

test('a share is never less than nothing nor more than a plate', () => {
  expect(used({ printedSeconds: 5_000 })).toBe(12_345)
  expect(used({ progress: -1 })).toBe(0)
})

test('what is not known is not booked', () => {
  expect(used({ printedSeconds: null, progress: 40 })).toBe(0)
  expect(used({ plateSeconds: null })).toBe(0)
  expect(used({ isDone: true, plateGrams: null })).toBe(0)
})
