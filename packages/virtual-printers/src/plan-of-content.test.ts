import { expect, test } from 'vitest'
import { planOfContent } from './plan-of-content.ts'

const secondsOf = (text: string) => planOfContent('a.gcode', Buffer.from(text)).printTimeSeconds

test('a file prints as long as its slicer estimated, wherever that stands', () => {
  expect(secondsOf('; estimated printing time (normal mode) = 1d 2h 3m 4s\nG28')).toBe(93_784)
  expect(secondsOf(`${'G1 X1\n'.repeat(50_000)}; estimated printing time (normal mode) = 8s\n`)).toBe(8)
})

test('a file that says nothing, or nonsense, prints ten minutes', () => {
  for (const text of ['', 'G28', '; estimated printing time (normal mode) = soon']) expect(secondsOf(text)).toBe(600)
})
