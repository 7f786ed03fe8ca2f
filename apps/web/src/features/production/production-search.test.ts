import { expect, test } from 'vitest'
import { needFiltersOf, readProductionSearch } from './production-search.ts'

test('the address says the tab and what is narrowed down; without it all that must be printed', () => {
  expect(readProductionSearch({})).toEqual({})
  const full = { tab: 'shelf', search: 'clip', for: 'orders', due: 'week', state: 'blocked' }
  expect(readProductionSearch(full)).toEqual(full)
  expect(readProductionSearch({ tab: 'needs', search: '', for: 'all', due: 'toString', state: '' })).toEqual({})
})

test('a choice of days is a moment, the same for a minute', () => {
  const nowMs = Date.parse('2026-03-01T10:00:30Z')
  expect(needFiltersOf({ due: 'day', state: 'ready' }, nowMs)).toEqual({
    ...{ is_blocked: false, due_before: '2026-03-02T10:00:00.000Z' },
  })
  expect(needFiltersOf({ due: 'late' }, nowMs + 20_000)).toEqual({ due_before: '2026-03-01T10:00:00.000Z' })
})
