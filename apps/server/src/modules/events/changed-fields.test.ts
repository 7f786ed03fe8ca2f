import { expect, test } from 'vitest'
import { changedFields } from './changed-fields.ts'

test('a field that is given as it is already is not changed', () => {
  const before = { name: 'Clip', notes: '', at: new Date('2026-11-20T09:30:00Z'), printer_id: null }
  expect(changedFields(before, { name: 'Clip', notes: '', printer_id: null })).toEqual([])
  expect(changedFields(before, { at: '2026-11-20T10:30:00+01:00', name: undefined })).toEqual([])
  expect(changedFields(before, { at: '2026-11-20T09:30:00.001Z', name: 'clip', printer_id: 'prn_1' })).toEqual([
    'at',
    'name',
    'printer_id',
  ])
})
