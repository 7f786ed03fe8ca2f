import { expect, test } from 'vitest'
import type { PlannedAssembly, PlannedJob } from '../api/api-schema.generated.ts'
import { isNothing, jobWords, queuedWords } from './production-words.ts'

const output = (sku: string, units: number) => ({ product_sku_id: `sku_${sku}`, sku, units })
const job = (plates: number): PlannedJob => ({
  job_id: null,
  recipe_ids: [],
  plates,
  outputs: [output('CLIP-RED', 4), output('CLIP-BLUE', 2)],
  surplus: [],
  due_date: null,
  serves: [],
})
const task: PlannedAssembly = {
  assembly_task_id: null,
  order_item_id: null,
  product_sku_id: 'sku_1',
  sku: 'KIT',
  units: 1,
}

test('a job says what each of its plates yields, and what is more than needed', () => {
  expect(jobWords(job(1))).toBe('1 plate: 4 × CLIP-RED, 2 × CLIP-BLUE')
  expect(jobWords({ ...job(2), surplus: [output('CLIP-RED', 1)] })).toBe(
    '2 plates, each 4 × CLIP-RED, 2 × CLIP-BLUE; 1 × CLIP-RED more than needed',
  )
})

test('what is queued is counted by jobs, plates and tasks', () => {
  expect(queuedWords({ jobs: [job(2), job(3)], assembly_tasks: [task] })).toBe(
    '2 jobs with 5 plates and 1 assembly task',
  )
  expect(queuedWords({ jobs: [job(1)], assembly_tasks: [] })).toBe('1 job with 1 plate')
  expect(isNothing({ jobs: [], assembly_tasks: [task] })).toBe(false)
  expect(isNothing({ jobs: [], assembly_tasks: [] })).toBe(true)
})
