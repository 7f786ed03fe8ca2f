import { expect, test } from 'vitest'
import { colorWords } from './color-words.ts'

test.each([
  ['Galaxy Black', 'Galaxy Black'],
  ['', ''],
  ['#1F6FEB', 'Blue'],
  ['#F26B21', 'Orange'],
  ['#1A1A1A', 'Black'],
  ['#F5F5F0', 'White'],
  ['#8A8D8F', 'Grey'],
  ['#2E8B57FF', 'Green'],
  ['C0392B', 'Red'],
  ['#6B3E12', 'Brown'],
])('%j is %j', (color, words) => {
  expect(colorWords(color)).toBe(words)
})
