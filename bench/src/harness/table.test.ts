import { expect, test } from 'vitest'
import { atLeast, atMost, lessThan } from './result.ts'
import { alignColumns, describeResult } from './table.ts'

test('columns begin below each other', () => {
  expect(
    alignColumns([
      ['a', 'bb', 'c'],
      ['aaa', 'b'],
    ]),
  ).toBe('  a    bb  c\n  aaa  b\n')
})

test('a goal that is missed stands out, and one that cannot be judged is neither met nor missed', () => {
  const goals = [atLeast('ratio', 0.5, 0.75), lessThan('memory', null, 150), lessThan('start', 1.5, 2)]
  expect(describeResult({ name: 'any', goals })).toBe(
    '  ratio   0.5  goal ≥ 0.75  MISSED\n' +
      '  memory  -    goal < 150   not known here\n' +
      '  start   1.5  goal < 2     met\n',
  )
})

test('a time without a goal stands before the goals', () => {
  expect(describeResult({ name: 'any', times_ms: { 'at depth': 12.5 }, goals: [atMost('times', 1.5, 1.5)] })).toBe(
    '  at depth  12.5 ms\n  times  1.5  goal ≤ 1.5  met\n',
  )
})
