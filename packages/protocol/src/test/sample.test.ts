import { expect, test } from 'vitest'
import { sampleBy } from './sample.ts'

const cases = Array.from({ length: 50 }, (_, index) => index)

test.each([1, 2, 3, 7])('as many days as one in %d says play every case once', (oneIn) => {
  const played = Array.from({ length: oneIn }, (_, day) => sampleBy(20_000 + day, cases, oneIn)).flat()
  expect(played.sort((a, b) => a - b)).toEqual(cases)
})

test('a list that is shorter than the share has one case each day, and an empty one none', () => {
  expect(sampleBy(20_000, ['only'], 3)).toEqual(['only'])
  expect([0, 1].map((day) => sampleBy(20_000 + day, ['a', 'b'], 3).length)).toEqual([1, 1])
  expect(sampleBy(20_000, [], 3)).toEqual([])
})
