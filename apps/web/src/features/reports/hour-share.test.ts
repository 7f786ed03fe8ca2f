import { expect, test } from 'vitest'
import { hourWord, shareOf } from './hour-share.ts'

test('an hour that nothing is known of has no share, one without a print has none of it', () => {
  expect(shareOf({ printing_minutes: 0, wall_minutes: 0 })).toBeUndefined()
  expect(shareOf({ printing_minutes: 0, wall_minutes: 60 })).toBe(0)
  expect(shareOf({ printing_minutes: 41, wall_minutes: 60 })).toBe(68)
  expect(hourWord(7)).toBe('07')
})
