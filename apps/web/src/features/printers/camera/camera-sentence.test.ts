import { expect, test } from 'vitest'
import { ApiError } from '../../../lib/api/api-error.ts'
import { cameraSentence, mayHavePictureLater } from './camera-sentence.ts'

const failed = (code: string, reason?: string) =>
  new ApiError('The service says so.', { code, status: 502, details: reason === undefined ? {} : { reason } })

test('a printer without a camera says so once, and is not asked again', () => {
  const error = failed('COMMAND_NOT_SUPPORTED', 'not_supported')
  expect(cameraSentence(error)).toBe('This printer has no camera that gives single pictures.')
  expect(mayHavePictureLater(error)).toBe(false)
})

test('a camera that was slow is asked again', () => {
  expect(mayHavePictureLater(failed('HUB_COMMAND_FAILED', 'timeout'))).toBe(true)
})

test('what is not known is told in the words of the service', () => {
  expect(cameraSentence(failed('HUB_COMMAND_FAILED', 'haunted'))).toBe('The service says so.')
})
