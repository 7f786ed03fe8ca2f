import { expect, test } from 'vitest'
import type { JobId } from '../../../kernel/ids.ts'
import { jobFacts } from '../../../test/farm/printer-facts.ts'
import { compareInQueue } from './queue-order.ts'

const place = (id: string, its: Parameters<typeof jobFacts>[0]) => ({ ...its, id: id as JobId })
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
      place('f', { queue_position: 2 }),
      place('e', { queue_position: 2 }),
      place('d', { queue_position: 1.5 }),
      place('c', { due_date: later, queue_position: 9 }),
      place('b', { due_date: soon, queue_position: 10 }),
      place('g', { priority_rank: 3, due_date: soon }),
      place('a', { priority_rank: 0, queue_position: 99 }),
    ),
  ).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g'])
})
