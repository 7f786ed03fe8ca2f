import { chmodSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryDirectory } from '../../test/run/temporary-directory.ts'
import { findClosedPath } from './postgres-account.ts'

const stranger = { uid: 54_321, gid: 54_321 }

test('the closed directory nearest to the data is named', () => {
  const open = temporaryDirectory(0o755)
  const data = join(open, 'closed', 'data')
  mkdirSync(data, { recursive: true })
  expect(findClosedPath([data], stranger)).toBeUndefined()
  chmodSync(join(open, 'closed'), 0o700)
  expect(findClosedPath([open, data], stranger)).toBe(join(open, 'closed'))
})

test('a directory that may be entered but not listed is open enough', () => {
  expect(findClosedPath([temporaryDirectory(0o711)], stranger)).toBeUndefined()
})

test('the owner of a closed directory may enter it', () => {
  const directory = temporaryDirectory(0o700)
  const owner = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 }
  expect(findClosedPath([directory], owner)).toBeUndefined()
  expect(findClosedPath([directory], stranger)).toBe(directory)
})
