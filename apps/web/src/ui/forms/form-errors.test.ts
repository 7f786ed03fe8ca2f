import { expect, test } from 'vitest'
import { ApiError } from '../../lib/api/api-error.ts'
import { showFieldErrors, splitMessages } from './form-errors.ts'

test('messages go to their fields, and what belongs to no field is told beside them', () => {
  const messages = { name: ['is too long'], 'connection.address': ['is missing'], color: ['is unknown'], _root: ['No'] }
  expect(splitMessages(messages, ['name', 'connection'])).toEqual({
    shown: { name: 'is too long', connection: 'is missing' },
    rest: ['color: is unknown.', 'No.'],
  })
})

test('an error that names no field of the form is told as it is', () => {
  const error = new ApiError('The hub is away', { code: 'HUB_OFFLINE', status: 503 })
  const shown: unknown[] = []
  expect(showFieldErrors({ values: { name: '' }, setErrors: (errors) => shown.push(errors) }, error)).toBe(error)
  expect(shown).toEqual([{}])
})
