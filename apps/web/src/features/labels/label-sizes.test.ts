import { expect, test } from 'vitest'
import { readLabelSize, sheetsOf } from './label-sizes.ts'

test('labels begin after the places of a sheet that are used up, and go on on the next sheet', () => {
  expect(sheetsOf(['a', 'b', 'c'], 3, 1)).toEqual([[undefined, 'a', 'b'], ['c']])
})

test('a sheet is never wholly used up', () => {
  expect(sheetsOf(['a'], 2, 99)).toEqual([[undefined, 'a']])
})

test('a roll has a label per page', () => {
  expect(sheetsOf(['a', 'b'], 1, 0)).toEqual([['a'], ['b']])
})

test('a size that no one knows is the first one', () => {
  expect([readLabelSize('a4-3x8'), readLabelSize('7x7'), readLabelSize(undefined)]).toEqual([
    'a4-3x8',
    '62x29',
    '62x29',
  ])
})
