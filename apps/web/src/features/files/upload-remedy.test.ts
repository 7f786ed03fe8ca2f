import { expect, test } from 'vitest'
import { ApiError } from '../../lib/api/api-error.ts'
import { remedyOf } from './upload-remedy.ts'

test.each([
  ['SERVICE_UNREACHABLE', 0],
  ['REQUEST_TIMED_OUT', 0],
  ['SESSION_EXPIRED', 401],
  ['RATE_LIMITED', 429],
  ['INTERNAL_ERROR', 500],
  ['UNREADABLE_ANSWER', 502],
  ['STORAGE_FULL', 503],
  ['UPLOAD_INCOMPLETE', 400],
  ['UPLOAD_TOKEN_INVALID', 404],
])('after %s (%i) the same file may be sent again', (code, status) => {
  expect(remedyOf(new ApiError('no', { code, status }))).toBe('send_again')
})

test.each([
  ['INVALID_FILE', 400],
  ['FILE_NOT_SLICED', 400],
  ['VALIDATION_ERROR', 400],
  ['PAYLOAD_TOO_LARGE', 413],
  ['UNREADABLE_ANSWER', 413],
])('after %s (%i) only another file helps', (code, status) => {
  expect(remedyOf(new ApiError('no', { code, status }))).toBe('choose_another')
})

test('who may not add files is offered neither', () => {
  expect(remedyOf(new ApiError('no', { code: 'FORBIDDEN', status: 403 }))).toBeUndefined()
})
