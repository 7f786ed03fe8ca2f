import { expect, test } from 'vitest'
import { describeActor, describeJobEvent, presentAttempt } from './job-events.ts'

test('a change names what was changed, each thing once', () => {
  const data = { fields: ['priority', 'color', 'any_color', 'later_field'] }
  expect(describeJobEvent({ type: 'job.changed', data })).toBe('Changed: priority, colour, later_field')
  expect(describeJobEvent({ type: 'job.changed', data: null })).toBe('Changed')
})

test('types and actors of a later service are readable', () => {
  expect(describeJobEvent({ type: 'job.plate_ejected', data: {} })).toBe('plate ejected')
  expect([describeActor('user:usr_1'), describeActor('robot:1')]).toEqual(['a person', 'robot:1'])
})

test('a try that goes on shows how far it is, one that ended how', () => {
  expect(presentAttempt({ phase: 'transferring', outcome: null }).word).toBe('Sending the file')
  expect(presentAttempt({ phase: 'starting', outcome: 'unknown' }).word).toBe('Needs a check')
})
