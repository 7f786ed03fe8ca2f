import { expect, test } from 'vitest'
import { dueGroupOf, groupByDue } from './due-groups.ts'

const nowMs = Date.parse('2026-03-01T12:00:00Z')
const need = (due_at: string | null, orders_waiting = 1) => ({ due_at, orders_waiting })

test('what must be printed stands under the time that is left', () => {
  expect(dueGroupOf(need('2026-03-01T11:59:00Z'), nowMs)).toBe('late')
  expect(dueGroupOf(need('2026-03-02T11:00:00Z'), nowMs)).toBe('day')
  expect(dueGroupOf(need('2026-03-08T11:00:00Z'), nowMs)).toBe('week')
  expect(dueGroupOf(need('2026-03-09T11:00:00Z'), nowMs)).toBe('later')
  expect(dueGroupOf(need(null), nowMs)).toBe('open')
  expect(dueGroupOf(need(null, 0), nowMs)).toBe('shelf')
})

test('groups without rows are left out, and the others stand in the order of their times', () => {
  const rows = [need(null, 0), need('2026-03-01T11:00:00Z')]
  expect(groupByDue(rows, nowMs)).toEqual([
    { group: 'late', rows: [rows[1]] },
    { group: 'shelf', rows: [rows[0]] },
  ])
})
