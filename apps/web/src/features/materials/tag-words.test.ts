import { expect, test } from 'vitest'
import { tagNumberWords } from './tag-words.ts'

test.each([
  ['uid', 'e0040108662f6fbc', 'E0:04:01:08:66:2F:6F:BC'],
  ['uuid', 'b5ba4e1b9a3e4b7d8c21f07a6d5e4c3b', 'b5ba4e1b-9a3e-4b7d-8c21-f07a6d5e4c3b'],
] as const)('the number of a %s is written as its readers do', (kind, value, words) => {
  expect(tagNumberWords({ kind, value })).toBe(words)
})
