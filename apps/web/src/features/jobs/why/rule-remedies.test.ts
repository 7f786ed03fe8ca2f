import { expect, test } from 'vitest'
import { remedyFor } from './rule-remedies.ts'

test('what helps is what the service says, in the words of the page where it is done', () => {
  expect(remedyFor({ rule: 'filament_places_match', remedy: 'load_filament' })).toEqual({
    kind: 'printer',
    label: 'Enter the loaded filament',
  })
  expect(remedyFor({ rule: 'hub_online', remedy: 'look_at_printer' })).toEqual({
    kind: 'hubs',
    label: 'Look at the hubs',
  })
})

test('a rule that holds, or that no person can do anything about, has none', () => {
  expect(remedyFor({ rule: 'hub_online', remedy: null })).toBeUndefined()
  expect(remedyFor({ rule: 'model_matches', remedy: 'none' })).toBeUndefined()
  expect(remedyFor({ rule: 'idle', remedy: 'wait' })).toBeUndefined()
})
