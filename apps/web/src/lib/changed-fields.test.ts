import { expect, test } from 'vitest'
import { changedFields } from './changed-fields.ts'

test('only fields with another value are left, also where the value has parts', () => {
  const before = { name: 'Hall', days: [1, 2], at: null as string | null }
  expect(changedFields(before, { name: 'Hall', days: [1, 2], at: null })).toEqual({})
  expect(changedFields(before, { name: 'Yard', days: [1, 2, 3], at: '08:00' })).toEqual({
    name: 'Yard',
    days: [1, 2, 3],
    at: '08:00',
  })
})
