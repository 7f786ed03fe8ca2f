import { expect, test } from 'vitest'
import { fullHexCode, hexCodePattern } from './hex-code.ts'

test.each([
  ['#1A2b3C', '#1A2b3C'],
  ['1A2b3C', '#1A2b3C'],
  ['#f0c', '#ff00cc'],
  ['f0c', '#ff00cc'],
  ['', ''],
])('%s is %s', (given, full) => {
  expect(given).toMatch(new RegExp(hexCodePattern))
  expect(fullHexCode(given)).toBe(full)
})

test.each(['#', '#1A2B', '#1A2B3', '#1A2B3C4D', 'red', '##123456'])('%s is none', (given) => {
  expect(given).not.toMatch(new RegExp(hexCodePattern))
})
