import { expect, test } from 'vitest'
import { parseSearchText, writeSearchText } from './search-text.ts'

test('values stay the texts they are, there and back', () => {
  const search = { setup: '2E345678', status: 'idle', page: '2', name: 'a & b = c' }
  expect(parseSearchText(writeSearchText(search))).toEqual(search)
})

test('what is not set is not written', () => {
  expect([writeSearchText({ a: undefined, b: '', c: null }), writeSearchText({ a: 1, b: false })]).toEqual([
    '',
    '?a=1&b=false',
  ])
})
