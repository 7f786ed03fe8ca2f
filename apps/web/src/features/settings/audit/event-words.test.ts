import { expect, test } from 'vitest'
import { actorName, eventFacts, eventWords } from './event-words.ts'

test('types of events read as words', () => {
  expect(eventWords('api_key.created')).toBe('API key created')
  expect(eventWords('member.role_changed')).toBe('Member role changed')
  expect(eventWords('user.totp_enabled')).toBe('User authenticator app enabled')
})

test('who did it is told by name where it is known', () => {
  const names = new Map([
    ['usr_1', 'Anna'],
    ['key_1', 'Shop'],
  ])
  expect(
    ['user:usr_1', 'user:usr_2', 'key:key_1', 'hub:hub_1', 'system', 'cli', 'other:1'].map((actor) =>
      actorName(actor, names),
    ),
  ).toEqual([
    'Anna',
    'somebody who has left',
    'API key Shop',
    'a hub',
    'Printyard itself',
    'the command line',
    'other:1',
  ])
})

test('plain values are told, others left out', () => {
  expect(eventFacts({ from: 'admin', count: 2, list: [1], nothing: null })).toBe('from: admin, count: 2')
})
