import { expect, test } from 'vitest'
import { jobFacts } from '../../test/printer-facts.ts'
import { compareInQueue } from './queue-order.ts'

const order = (...jobs: Parameters<typeof jobFacts>[0][]) =>
  jobs
    .map(jobFacts)
    .sort(compareInQueue)
    .map((job) => job.id)

test('priority comes before due date, due date before position, position before the ID', () => {
  const soon = new Date('2026-11-17T00:00:00Z')
  const later = new Date('2026-11-18T00:00:00Z')
  expect(
    order(
      { id: 'f', queue_position: 2 },
      { id: 'e', queue_position: 2 },
      { id: 'd', queue_position: 1.5 },
      { id: 'c', due_date: later, queue_position: 9 },
      { id: 'b', due_date: soon, queue_position: 10 },
      { id: 'g', priority_rank: 3, due_date: soon },
      { id: 'a', priority_rank: 0, queue_position: 99 },
    ),
  ).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g'])
})
