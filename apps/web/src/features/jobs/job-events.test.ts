import { readFileSync } from 'node:fs'
import { join } from 'node:path'
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

test('whatever can happen to a job has words of its own', () => {
  const catalogue = join(import.meta.dirname, '../../../../server/src/modules/events/event-catalogue.ts')
  const types = [...readFileSync(catalogue, 'utf8').matchAll(/^ {2}'(job\.\w+)': event\(/gm)].map(
    ([, type = '']) => type,
  )
  expect(types.length).toBeGreaterThan(15)
  const bare = types.filter((type) => describeJobEvent({ type, data: null }) === type.slice(4).replaceAll('_', ' '))
  expect(bare).toEqual([])
})
