import { expect, test } from 'vitest'
import { moveTo, type Placed, placeOfDrop, wayBack } from './queue-move.ts'

const job = (id: string, priority: Placed['priority'] = 'normal', due_date: string | null = null) => ({
  ...{ id, priority, due_date },
})
const queue = [job('u', 'urgent'), job('a'), job('b'), job('c'), job('z', 'low', '2026-05-01T00:00:00.000Z')]

test('among jobs of one priority and due date only the position changes', () => {
  expect(moveTo(queue, 'c', 1)).toEqual({
    changes: { position: { before: 'a' } },
    takesOn: {},
    order: ['u', 'c', 'a', 'b', 'z'],
  })
  expect(moveTo(queue, 'a', 3)).toMatchObject({ changes: { position: { after: 'c' } }, takesOn: {} })
})

test('above jobs that go first by priority or due date, it takes on both', () => {
  expect(moveTo(queue, 'z', 0)).toEqual({
    changes: { priority: 'urgent', due_date: null, position: { before: 'u' } },
    takesOn: { priority: 'urgent', due_date: null },
    order: ['z', 'u', 'a', 'b', 'c'],
  })
  expect(moveTo(queue, 'u', 4)?.changes).toMatchObject({ priority: 'low', position: { after: 'z' } })
})

test('to where it stands, or of what is not there, there is nothing to do', () => {
  expect([moveTo(queue, 'a', 1), moveTo(queue, 'u', -3), moveTo(queue, 'x', 0)]).toEqual([
    ...[undefined, undefined, undefined],
  ])
})

test('a drop lands beside the job that is under it, from either side', () => {
  expect(placeOfDrop(queue, 'a', 'c', 'above')).toBe(2)
  expect(placeOfDrop(queue, 'a', 'c', 'below')).toBe(3)
  expect(placeOfDrop(queue, 'c', 'a', 'above')).toBe(1)
  expect(placeOfDrop(queue, 'c', 'a', 'below')).toBe(2)
})

test('a job that was moved goes back beside what it stood beside, with its priority and due date', () => {
  const before = [job('u', 'urgent'), job('a'), job('b'), job('c')]
  expect(wayBack(before, job('b'))).toEqual({ priority: 'normal', due_date: null, position: { before: 'c' } })
  expect(wayBack(before, job('c'))).toEqual({ priority: 'normal', due_date: null, position: { after: 'b' } })
  expect(wayBack(before, job('u', 'urgent'))).toEqual({ priority: 'urgent', due_date: null })
})
