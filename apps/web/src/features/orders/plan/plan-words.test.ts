import { expect, test } from 'vitest'
import { presentGroup } from './plan-words.ts'

test('units that cannot be made are trouble, those that wait for a printer are not', () => {
  expect(presentGroup({ state: 'blocked', units: 2 })).toEqual({ tone: 'trouble', word: '2 blocked' })
  expect(presentGroup({ state: 'to_print', units: 1204 })).toEqual({ tone: 'waiting', word: '1,204 to print' })
})
