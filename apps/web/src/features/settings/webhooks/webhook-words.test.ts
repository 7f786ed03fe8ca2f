import { expect, test } from 'vitest'
import { attemptWords, deliveryState, filterWords, pauseSentence, webhookState } from './webhook-words.ts'

const at = '2026-11-20T09:30:00.000Z'

test('an attempt reads as its answer, or as what went wrong', () => {
  const attempt = { failure: null, status_code: 200, duration_ms: 84, attempted_at: at }
  expect(attemptWords(attempt)).toBe('200 in 84 ms')
  expect(attemptWords({ ...attempt, failure: 'status', status_code: 500 })).toBe('500 in 84 ms')
  expect(attemptWords({ ...attempt, failure: 'redirect', status_code: 307 })).toBe('307: Redirect, not followed')
  expect(attemptWords({ ...attempt, failure: 'timeout', status_code: null })).toBe('No answer in time')
  expect(attemptWords({ ...attempt, attempted_at: null })).toBe('Not sent yet')
})

test('states of a later service are shown as they are', () => {
  expect(webhookState({ status: 'failing' })).toEqual({ tone: 'trouble', word: 'Failing' })
  expect(webhookState({ status: 'resting' as 'paused' })).toEqual({ tone: 'unknown', word: 'resting' })
  expect(deliveryState({ status: 'delivered' })).toEqual({ tone: 'done', word: 'Delivered' })
})

test('a filter and a pause read as sentences', () => {
  expect(filterWords({ event_types: [], subject_ids: [] })).toBe('All events')
  expect(filterWords({ event_types: ['job.*', 'order.created'], subject_ids: ['prn_1'] })).toBe(
    'job.*, order.created of prn_1',
  )
  expect(pauseSentence({ pause_reason: null })).toBeUndefined()
  expect(pauseSentence({ pause_reason: 'failing' })).toMatch(/three days.*Resume/)
})
