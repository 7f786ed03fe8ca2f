import type { Job, PrintFile } from '@printyard/sdk/generated/api.generated'
import { expect, test } from 'vitest'
import { formatEvent, formatFiles, formatJobs, formatProduction } from './tables.ts'

const job: Job = {
  actual_print_time_minutes: null,
  color: 'Black',
  created_at: null,
  estimated_print_time_minutes: 90,
  failure_reason: null,
  filament_type: 'PLA',
  file_name: 'Bracket',
  id: 'job_1',
  material_type: '',
  number_of_units: 2,
  printer_id: null,
  product_id: null,
  product_name: null,
  product_sku_id: null,
  progress_percentage: 12.4,
  status: 'printing',
  time_completed: null,
  time_started: null,
  time_submitted: null,
  updated_at: null,
}

test('jobs stand below each other, and an empty list says so', () => {
  expect(formatJobs([job])).toBe(
    'ID     STATUS    DONE  FILE     UNITS  FILAMENT   PRINTER\njob_1  printing  12%   Bracket  2      PLA Black',
  )
  expect(formatJobs([])).toBe('There is no such job.')
})

test('text of others neither breaks a line nor speaks to the terminal', () => {
  const table = formatJobs([{ ...job, file_name: 'a\nb\u001b]0;title\u0007\u202ec' }])
  expect(table.split('\n')).toHaveLength(2)
  expect(table).toContain('a b ]0;title c')
  // biome-ignore lint/suspicious/noControlCharactersInRegex: what must not be there
  expect(table).not.toMatch(/[\u001b\u0007\u202e]/)
})

test('times and weights of files have units; what is unknown is left empty', () => {
  const file = { id: 'fil_1', name: 'a', number_of_units: 1, filament_type: null } as PrintFile
  const known = formatFiles([{ ...file, print_time_seconds: 5_430, filament_weight_grams: 12.345 }])
  expect(known.split('\n')[1]).toMatch(/^fil_1 {2}a +1 h 31 min +12\.3 g +1$/)
  const unknown = formatFiles([{ ...file, print_time_seconds: null, filament_weight_grams: null }])
  expect(unknown.split('\n')[1]).toMatch(/^fil_1 {2}a +1$/)
})

test('an event is one line that ends with its ID', () => {
  const event = { id: 'evt_1', type: 'job.queued', subject_id: 'job_1', actor: 'key_1', created_at: 'T', data: {} }
  expect(formatEvent(event)).toMatch(/^T {2}job\.queued +job_1 {2}key_1 {2}evt_1$/)
})

test('a production tells each reason once', () => {
  const shortage = {
    material_id: null,
    message: 'No recipe makes A.',
    product_sku_id: null,
    reason: 'no_recipe',
    sku: 'A',
  }
  const text = formatProduction({
    assembly_tasks: [],
    dry_run: false,
    jobs: [],
    lines: [],
    lines_left_out: 0,
    refused: [],
    shortages: [shortage, shortage],
    unmatched_items: [],
  })
  expect(text).toBe('Queued 0 jobs; made 0 assembly tasks.\n! No recipe makes A.')
})
