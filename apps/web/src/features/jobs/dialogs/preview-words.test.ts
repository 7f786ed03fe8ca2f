import { expect, test } from 'vitest'
import type { JobPreview } from '../../../lib/api/api-schema.generated.ts'
import { amountWords, fitWords, turnWords } from './preview-words.ts'

const preview: JobPreview = {
  file_name: 'clip.gcode',
  product_sku_id: null,
  product_name: null,
  sku_name: null,
  plates_total: 2,
  estimated_print_time_minutes: 70,
  filament_needed_grams: 24,
  printers_total: 6,
  printers_fitting: 4,
  printers_with_other_filament: 1,
  printers_ready: 1,
  jobs_before: 0,
  free_printer_id: 'prn_1',
  free_printer_name: 'North 2',
  reason: 'starts_now',
  sentence: 'North 2 is ready: the job starts there as soon as it is its turn.',
  remedy: null,
  earliest_start_at: null,
  finish_p50_at: null,
  finish_p90_at: null,
}

test('plates, time and grams stand in one line; what the file does not say is left out', () => {
  expect(amountWords(preview)).toBe('2 plates · 1h 10 min · 24 g')
  expect(amountWords({ ...preview, plates_total: 1, estimated_print_time_minutes: null })).toBe('1 plate · 24 g')
})

test('the printers that fit are counted, and those that would with other filament', () => {
  expect(fitWords(preview)).toBe('Fits 4 printers')
  expect(fitWords({ ...preview, printers_fitting: 0 })).toBe('Fits 1 printer with other filament')
  expect(fitWords({ ...preview, printers_fitting: 0, printers_with_other_filament: 0 })).toBe('Fits no printer')
})

test('the printer that is free is named; else the sentence of the service, and how many come before', () => {
  expect(turnWords(preview)).toBe('North 2 is free.')
  const busy = { ...preview, free_printer_name: null, sentence: 'North 2: The printer prints.', jobs_before: 3 }
  expect(turnWords(busy)).toBe('North 2: The printer prints. 3 jobs in the queue before it.')
})
