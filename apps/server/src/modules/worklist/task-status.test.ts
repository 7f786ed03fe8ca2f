import { expect, test } from 'vitest'
import { taskStatuses, timesAfter } from './task-status.ts'

const at = (time: string) => new Date(`2026-11-20T${time}Z`)
const nine = at('09:00:00')

test('a task that is taken up has started, and has neither an end nor a duration', () => {
  const taken = { started_at: nine, completed_at: null, actual_time_minutes: null }
  expect(timesAfter({ status: 'pending', started_at: null }, 'in_progress', nine)).toEqual(taken)
})

test.each([
  ['09:00:00', 0],
  ['09:00:01', 1],
  ['09:12:00', 12],
  ['09:12:00.001', 13],
])('work from 09:00:00 to %s took %i minutes', (end, minutes) => {
  expect(timesAfter({ status: 'in_progress', started_at: nine }, 'completed', at(end))).toEqual({
    started_at: nine,
    completed_at: at(end),
    actual_time_minutes: minutes,
  })
})

test('a clock that was set back while a person worked makes no negative duration', () => {
  const times = timesAfter({ status: 'in_progress', started_at: nine }, 'completed', at('08:30:00'))
  expect(times.actual_time_minutes).toBe(0)
})

test.each(['pending', 'cancelled'] as const)('what is completed out of %s has an end but no duration', (status) => {
  const earlier = status === 'cancelled' ? at('08:00:00') : null
  expect(timesAfter({ status, started_at: earlier }, 'completed', nine)).toEqual({
    started_at: null,
    completed_at: nine,
    actual_time_minutes: null,
  })
})

test('a task that is put back forgets that it was started, and a cancelled one keeps it', () => {
  const task = { status: 'in_progress', started_at: nine } as const
  expect(timesAfter(task, 'pending', at('10:00:00')).started_at).toBeNull()
  expect(timesAfter(task, 'cancelled', at('10:00:00')).started_at).toEqual(nine)
})

test('a cancelled task that is taken up again starts then, not when it was first started', () => {
  const times = timesAfter({ status: 'cancelled', started_at: at('08:00:00') }, 'in_progress', nine)
  expect(times.started_at).toEqual(nine)
})

test('only a completed task has an end', () => {
  for (const from of taskStatuses) {
    for (const to of taskStatuses) {
      const times = timesAfter({ status: from, started_at: nine }, to, nine)
      expect(times.completed_at === null, `${from} to ${to}`).toBe(to !== 'completed')
    }
  }
})
