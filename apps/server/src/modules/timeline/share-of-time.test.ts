import fc from 'fast-check'
import { expect, test } from 'vitest'
import { shareOut } from './share-of-time.ts'

const minuteMs = 60_000
const sum = (numbers: number[]) => numbers.reduce((total, each) => total + each, 0)

test('three thirds of a minute are one minute', () => {
  expect(shareOut([20_000, 20_000, 20_000], minuteMs)).toEqual([1, 0, 0])
})

test('the part that lost most gets the missing unit', () => {
  expect(shareOut([minuteMs + 1_000, 59_000], minuteMs)).toEqual([1, 1])
})

test('nothing is nothing', () => {
  expect(shareOut([], minuteMs)).toEqual([])
  expect(shareOut([0, 0], minuteMs)).toEqual([0, 0])
})

test('the shares always sum to the rounded whole, and none is off by a unit or more', () => {
  const parts = fc.array(fc.integer({ min: 0, max: 10 ** 9 }), { maxLength: 15 })
  fc.assert(
    fc.property(parts, (partsMs) => {
      const shares = shareOut(partsMs, minuteMs)
      expect(sum(shares)).toBe(Math.round(sum(partsMs) / minuteMs))
      for (const [index, share] of shares.entries()) {
        expect(Math.abs(share - (partsMs[index] ?? 0) / minuteMs)).toBeLessThan(1)
      }
    }),
  )
})
