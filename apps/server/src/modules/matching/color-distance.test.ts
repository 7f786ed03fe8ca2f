import { expect, test } from 'vitest'
import { colorDistance } from './color-distance.ts'

test.each([
  ['#000000', '#000000', 0],
  ['#FFFFFF', '#000000', 100],
  ['#FF0000', '#00FF00', 86.6],
  ['#FF0000', '#0000FF', 52.9],
])('%s and %s lie %d apart', (a, b, distance) => {
  expect(colorDistance(a, b)).toBeCloseTo(distance, 0)
  expect(colorDistance(b, a)).toBeCloseTo(distance, 0)
})
