import { expect, test } from 'vitest'
import { followAddress } from './search-text.ts'

test('what is typed on while the address follows stays, and so does a space at its end', () => {
  const text = { typed: 'bracket of ', shown: '', sent: ['bracket', 'bracket of'] }
  const first = followAddress(text, 'bracket')
  expect(first).toEqual({ typed: 'bracket of ', shown: 'bracket', sent: ['bracket of'] })
  expect(followAddress(first, 'bracket of')).toEqual({ typed: 'bracket of ', shown: 'bracket of', sent: [] })
})

test('an address that was passed over is not waited for', () => {
  expect(followAddress({ typed: 'abc', shown: '', sent: ['a', 'ab'] }, 'ab').sent).toEqual([])
})

test('an address that comes from elsewhere is shown, on the way back and on again', () => {
  const back = followAddress({ typed: 'ab', shown: 'ab', sent: [] }, 'a')
  expect(back).toEqual({ typed: 'a', shown: 'a', sent: [] })
  expect(followAddress(back, 'ab').typed).toBe('ab')
})
