import { expect, test } from 'vitest'
import { eventFacts, eventWords } from './event-words.ts'

test('types of events read as words', () => {
  expect(eventWords('api_key.created')).toBe('API key created')
  expect(eventWords('member.role_changed')).toBe('Member role changed')
  expect(eventWords('user.totp_enabled')).toBe('User authenticator app enabled')
})

test('plain values are told, others left out', () => {
  expect(eventFacts({ from: 'admin', count: 2, list: [1], nothing: null })).toBe('from: admin, count: 2')
})
