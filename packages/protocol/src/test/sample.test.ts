import { expect, test } from 'vitest'
import { sampleBy, seedOfDay } from './sample.ts'

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

test.each([2, 3, 4, 7, 9, 10])('a file that plays on one day of three comes to every case of one in %d', (oneIn) => {
  for (const first of [20_000, 20_001, 20_002]) {
    const played = Array.from({ length: oneIn }, (_, turn) =>
      sampleBy(seedOfDay(first + 3 * turn), cases, oneIn),
    ).flat()
    expect(played.sort((a, b) => a - b)).toEqual(cases)
  }
})

test.each([2, 3, 4, 7, 9])('a file that plays each day has other cases of one in %d on the next one', (oneIn) => {
  const [today, tomorrow] = [20_001, 20_002].map((day) => sampleBy(seedOfDay(day), cases, oneIn))
  expect(tomorrow).not.toEqual(today)
})
