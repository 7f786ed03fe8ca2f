import { expect, test } from 'vitest'
import { findTypeProblem, matches } from './matches.ts'

const all = { event_types: [], subject_ids: [] }
const completed = { type: 'job.completed', subject_id: 'job_1' }

test('without a filter everything is sent that every key may read', () => {
  expect(matches(all, completed)).toBe(true)
  expect(matches(all, { type: 'session.started', subject_id: 'ses_1' })).toBe(false)
  expect(matches(all, { type: 'api_key.created', subject_id: 'key_1' })).toBe(false)
  expect(matches({ ...all, event_types: ['session.started'] }, { type: 'session.started', subject_id: 'ses_1' })).toBe(
    false,
  )
})

test('types are named whole or by their first word, subjects by their IDs, and both must fit', () => {
  const filter = { event_types: ['job.*', 'order.created'], subject_ids: ['job_1', 'ord_1'] }
  expect(matches(filter, completed)).toBe(true)
  expect(matches(filter, { type: 'job.completed', subject_id: 'job_2' })).toBe(false)
  expect(matches(filter, { type: 'order.created', subject_id: 'ord_1' })).toBe(true)
  expect(matches(filter, { type: 'order.updated', subject_id: 'ord_1' })).toBe(false)
  expect(matches({ ...all, event_types: ['job.*'] }, { type: 'jobs.x', subject_id: 'job_1' })).toBe(false)
})

test('a test call goes to the webhook that is tested alone', () => {
  expect(matches(all, { type: 'webhook.tested', subject_id: 'whk_1' })).toBe(false)
})

test('types that do not exist, or that webhooks are not sent, are refused', () => {
  expect(findTypeProblem('job.completed')).toBeUndefined()
  expect(findTypeProblem('job.*')).toBeUndefined()
  expect(findTypeProblem('job.complete')).toMatch(/no type of event/)
  expect(findTypeProblem('*')).toMatch(/no type of event/)
  expect(findTypeProblem('session.*')).toMatch(/admins/)
})
