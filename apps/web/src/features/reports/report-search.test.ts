import { expect, test } from 'vitest'
import { readReportSearch } from './report-search.ts'

test('the address names the report and its days; without it production of the last days', () => {
  expect(readReportSearch({ report: 'production' })).toEqual({})
  expect(readReportSearch({ report: 'revenue', from: '2026-03-01', to: '2026-03-31' })).toEqual({
    ...{ report: 'revenue', from: '2026-03-01', to: '2026-03-31' },
  })
})

test('the revenue may be in a currency, and no other report is', () => {
  expect(readReportSearch({ report: 'revenue', currency: 'JPY' })).toEqual({ report: 'revenue', currency: 'JPY' })
  expect(readReportSearch({ report: 'revenue', currency: 'yen' })).toEqual({ report: 'revenue' })
  expect(readReportSearch({ report: 'failures', currency: 'JPY' })).toEqual({ report: 'failures' })
})

test('what is no report and no day is left out', () => {
  expect(readReportSearch({ report: 'weather', from: 'yesterday', to: '' })).toEqual({})
})
