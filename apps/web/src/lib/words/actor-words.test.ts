import { expect, test } from 'vitest'
import { actorWords, eventTime } from './actor-words.ts'

test('who did it is told by name where it is known', () => {
  const told: [string, string | null][] = [
    ['user:usr_1', 'Anna'],
    ['user:usr_2', null],
    ['key:key_1', 'Shop'],
    ['key:key_2', null],
    ['hub:hub_1', 'Cellar'],
    ['hub:hub_2', null],
    ['system', null],
    ['cli', null],
    ['other:1', null],
  ]
  expect(told.map(([actor, name]) => actorWords(actor, name))).toEqual([
    'Anna',
    'a former member',
    'API key Shop',
    'an API key',
    'hub Cellar',
    'a hub',
    'Printyard itself',
    'the command line',
    'other:1',
  ])
})

test('an event that is recorded late is shown at the time at which it happened', () => {
  const created_at = '2026-05-04T12:00:00.000Z'
  const happened_at = '2026-05-04T10:30:00.000Z'
  expect(eventTime({ created_at, data: { happened_at } })).toEqual({ at: happened_at, note: null })
  expect(eventTime({ created_at, data: { time_note: 'why' } })).toEqual({ at: created_at, note: 'why' })
  expect(eventTime({ created_at, data: null })).toEqual({ at: created_at, note: null })
})
