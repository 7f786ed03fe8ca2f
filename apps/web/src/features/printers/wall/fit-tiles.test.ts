import { expect, test } from 'vitest'
import { fitTiles } from './fit-tiles.ts'

test.each([1, 2, 7, 12, 48])('%i tiles fit on one full screen', (count) => {
  const { columns, rows, pages } = fitTiles(count, 1920, 1000)
  expect(pages).toBe(1)
  expect(columns * rows).toBeGreaterThanOrEqual(count)
  expect([1920 / columns >= 210, 1000 / rows >= 120]).toEqual([true, true])
})

test('five hundred tiles turn pages rather than become unreadable', () => {
  const { columns, rows, pages } = fitTiles(500, 1920, 1000)
  expect([1920 / columns >= 210, 1000 / rows >= 120]).toEqual([true, true])
  expect(columns * rows * pages).toBeGreaterThanOrEqual(500)
})

test('a screen that is smaller than one tile shows one at a time', () => {
  expect(fitTiles(3, 100, 50)).toEqual({ columns: 1, rows: 1, pages: 3 })
})
