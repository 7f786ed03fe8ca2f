import { expect, test } from 'vitest'
import { readHistorySearch } from './history-filters.ts'

test('days are those of the account, from their first to their last moment', () => {
  const search = { from: '2026-07-01', to: '2026-07-02', status: 'failed', printer: 'prn_1', file: 'fil_1' }
  expect(readHistorySearch(search, 'Europe/Berlin')).toEqual({
    ended_as: 'failed',
    of_printer_id: 'prn_1',
    of_file_id: 'fil_1',
    from: '2026-06-30T22:00:00.000Z',
    to: '2026-07-02T21:59:59.999Z',
  })
})

test('what cannot be read in the address asks for nothing', () => {
  expect(readHistorySearch({ status: 'queued', from: 'soon', to: '' }, 'UTC')).toEqual({})
})
