import { expect, test } from 'vitest'
import { deprecationHeaders } from './deprecation.ts'

test('a deprecated route says since when, until when, and what takes its place', () => {
  expect(
    deprecationHeaders({ since: '2026-01-01', sunset: '2027-06-30T12:00:00Z', successor: '/public/v1/things' }),
  ).toEqual({
    Deprecation: '@1767225600',
    Sunset: 'Wed, 30 Jun 2027 12:00:00 GMT',
    Link: '</public/v1/things>; rel="successor-version"',
  })
  expect(deprecationHeaders({ since: '2026-01-01' })).toEqual({ Deprecation: '@1767225600' })
})

test('dates that cannot be are refused', () => {
  expect(() => deprecationHeaders({ since: 'soon' })).toThrow('"soon" is no date')
  expect(() => deprecationHeaders({ since: '2026-01-02', sunset: '2026-01-01' })).toThrow('before since')
})
