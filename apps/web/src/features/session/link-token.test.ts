import { expect, test } from 'vitest'
import { readLinkToken } from './link-token.ts'

test('the token of a link stands after its #, with and without it', () => {
  expect([readLinkToken('#tJ0m3vYxQk1oZc8rW5uHn2s'), readLinkToken('tJ0m3vYxQk1oZc8rW5uHn2s')]).toEqual([
    'tJ0m3vYxQk1oZc8rW5uHn2s',
    'tJ0m3vYxQk1oZc8rW5uHn2s',
  ])
})

test.each(['', '#', '#short', '#with space in the token', `#${'x'.repeat(300)}`])('%j holds no token', (hash) => {
  expect(readLinkToken(hash)).toBeUndefined()
})
