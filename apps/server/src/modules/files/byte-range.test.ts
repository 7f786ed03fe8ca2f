import { expect, test } from 'vitest'
import { readByteRange } from './byte-range.ts'

test.each([
  ['bytes=0-9', { start: 0, end: 9 }],
  ['bytes=90-', { start: 90, end: 99 }],
  ['bytes=90-1000', { start: 90, end: 99 }],
  ['bytes=-10', { start: 90, end: 99 }],
  ['bytes=-1000', { start: 0, end: 99 }],
  ['Bytes = 5 - 6', { start: 5, end: 6 }],
])('%s of 100 bytes is a part', (header, range) => {
  expect(readByteRange(header, 100)).toEqual(range)
})

test.each(['bytes=100-', 'bytes=100-200', 'bytes=-0'])('%s of 100 bytes lies outside', (header) => {
  expect(readByteRange(header, 100)).toBe('unsatisfiable')
})

test.each([undefined, '', 'bytes=', 'bytes=-', 'bytes=0-1,5-6', 'lines=1-2', 'bytes=9-3', 'bytes=a-b', 'bytes=1e1-'])(
  '%s means the whole',
  (header) => {
    expect(readByteRange(header, 100)).toBe('whole')
  },
)

test('an empty file has no range', () => {
  expect(readByteRange('bytes=0-0', 0)).toBe('unsatisfiable')
  expect(readByteRange('bytes=-5', 0)).toBe('unsatisfiable')
})
