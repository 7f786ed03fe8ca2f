import { expect, test } from 'vitest'
import { parseArray } from './array-types.ts'

test.each([
  ['{}', []],
  ['{1,2}', ['1', '2']],
  ['{NULL,"NULL",""}', [null, 'NULL', '']],
  ['{"a,b","c\\"d\\\\e","{f}",plain text}', ['a,b', 'c"d\\e', '{f}', 'plain text']],
  [
    '{{a,b},{c,NULL}}',
    [
      ['a', 'b'],
      ['c', null],
    ],
  ],
  ['[0:1]={a,b}', ['a', 'b']],
])('%s is read as it was meant', (text, values) => {
  expect(parseArray(text, (each) => each)).toEqual(values)
})

test('elements are read by the reader of their type', () => {
  expect(parseArray('{1,NULL,"3"}', Number)).toEqual([1, null, 3])
})
