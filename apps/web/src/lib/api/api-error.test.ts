import { expect, test } from 'vitest'
import { ApiError, problemText } from './api-error.ts'

const refused = (details?: unknown) =>
  new ApiError('The request is not valid; see details.', { code: 'VALIDATION_ERROR', status: 400, details })

test('what is wrong with single fields is said where no field can say it', () => {
  const details = { filename: ['must end in .gcode, .3mf or .bgcode'], _root: ['is too much', 'is too late'] }
  expect(problemText(refused(details))).toBe('filename: must end in .gcode, .3mf or .bgcode. is too much, is too late.')
})

test.each([undefined, null, 'text', { filename: 'no list' }, {}])(
  'without such messages (%j) the sentence stands',
  (details) => {
    expect(problemText(refused(details))).toBe('The request is not valid; see details.')
  },
)

test('a fault of the page itself is told by its own message', () => {
  expect(problemText(new Error('x is undefined'))).toBe('x is undefined')
})
