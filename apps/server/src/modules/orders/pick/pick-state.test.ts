import { expect, test } from 'vitest'
import { stageOf } from './pick-state.ts'

const line = (open: number, picked: number) => ({ open, picked })

test.each([
  ['nothing is open', [], true, 'none'],
  ['the shelves do not have it all', [line(2, 0), line(1, 0)], false, 'none'],
  ['the shelves have it all', [line(2, 0), line(1, 0)], true, 'pick'],
  ['some of it was picked', [line(2, 1), line(1, 0)], false, 'pick'],
  ['all of it was picked', [line(2, 2), line(1, 1)], false, 'pack'],
  ['more was picked than is open', [line(1, 2)], true, 'pack'],
] as const)('when %s', (_, lines, isReady, expected) => {
  expect(stageOf(lines, isReady)).toBe(expected)
})
