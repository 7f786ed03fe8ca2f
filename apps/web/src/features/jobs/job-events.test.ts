import { expect, test } from 'vitest'
import { describeJobEvent, presentAttempt } from './job-events.ts'

test('a change names what was changed, each thing once', () => {
  const data = { fields: ['priority', 'color', 'any_color', 'later_field'] }
  expect(describeJobEvent({ type: 'job.updated', data })).toBe('Changed: priority, colour, later_field')
  expect(describeJobEvent({ type: 'job.updated', data: null })).toBe('Changed')
})

test('types of a later service are readable', () => {
  expect(describeJobEvent({ type: 'job.plate_ejected', data: {} })).toBe('plate ejected')
})

test('a try that goes on shows how far it is, one that ended how', () => {
  expect(presentAttempt({ phase: 'transferring', outcome: null }, 'processing').word).toBe('Sending the file')
  expect(presentAttempt({ phase: 'starting', outcome: 'unknown' }, 'printing').word).toBe('Needs a check')
})

test('the plate of a job that is paused is paused', () => {
  const onPlate = { phase: 'confirmed', outcome: null } as const
  expect(presentAttempt(onPlate, 'paused').word).toBe('Paused')
  expect(presentAttempt(onPlate, 'printing').word).toBe('Printing')
  expect(presentAttempt({ ...onPlate, phase: 'transferring' }, 'paused').word).toBe('Sending the file')
})
