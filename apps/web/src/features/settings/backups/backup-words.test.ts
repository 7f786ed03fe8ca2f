import { expect, test } from 'vitest'
import type { Backup } from '../../../lib/api/api-schema.generated.ts'
import { backupState, contentWords, progressWords, sizeWords } from './backup-words.ts'

const done: Backup = {
  id: 'bkp_1',
  cause: 'schedule',
  status: 'done',
  started_at: '2026-11-23T02:00:00Z',
  ended_at: '2026-11-23T02:01:00Z',
  folder: '/media/backups',
  name: 'backup-2026-11-23T02-00-00Z',
  total_bytes: 81_000_000,
  new_bytes: 1_200_000,
  file_count: 1,
  missing_file_count: 0,
  row_count: 51_000,
  is_encrypted: true,
  error: null,
  copy_to: null,
  copied_at: null,
  copy_error: null,
  progress: null,
}

test('a backup that is done says what it holds, how large it is and that it was verified', () => {
  expect(backupState(done)).toEqual({ tone: 'done', word: 'Verified' })
  expect(contentWords(done)).toBe('51,000 rows, 1 file, encrypted')
  expect(contentWords({ ...done, missing_file_count: 2, is_encrypted: false })).toBe(
    '51,000 rows, 1 file, 2 files missing, not encrypted',
  )
  expect(sizeWords(done)).toContain('of it new')
})

test('one whose copy failed is told apart from one that failed, and says what is on the disk', () => {
  const failed: Backup = { ...done, status: 'failed', error: 'denied', copy_to: 's3://farm', copy_error: 'denied' }
  expect(backupState(failed)).toEqual({ tone: 'trouble', word: 'Verified, copy failed' })
  expect(contentWords(failed)).toBe('51,000 rows, 1 file, encrypted')
})

test('one that failed or still runs holds nothing', () => {
  const failed: Backup = { ...done, status: 'failed', name: null, total_bytes: null, new_bytes: null }
  expect([contentWords(failed), sizeWords(failed)]).toEqual([undefined, ''])
})

test('one that is made says how far it is, by what was counted and of how much where that is known', () => {
  expect(progressWords({ step: 'files', unit: 'bytes', done: 12_000_000, total: 81_000_000 })).toBe(
    'Copying files: 12 MB of 81 MB',
  )
  expect(progressWords({ step: 'tables', unit: 'rows', done: 1_240, total: null })).toBe(
    'Writing the database: 1,240 rows',
  )
  expect(progressWords({ step: 'check', unit: 'rows', done: 1_240, total: 51_000 })).toBe(
    'Comparing every table: 1,240 of 51,000 rows',
  )
})
