import { expect, test } from 'vitest'
import { checkLevels } from './shelf-levels.ts'

test('a shelf is filled up to more than where it begins', () => {
  expect(checkLevels({ restock_point: 3, restock_to: 4 })).toBeUndefined()
  expect(checkLevels({ restock_point: '3', restock_to: '12' })).toBeUndefined()
  expect(checkLevels({ restock_point: 3, restock_to: 3 })).toBe('“Up to” must be more than “Fill up from”')
  expect(checkLevels({ restock_point: '', restock_to: 3 })).toBe('Enter a number')
})
