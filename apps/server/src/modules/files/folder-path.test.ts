import { expect, test } from 'vitest'
import { readFolder } from './folder-path.ts'

test.each([
  ['', ''],
  ['   ', ''],
  ['Brackets', 'Brackets'],
  [' Brackets / 2026 ', 'Brackets/2026'],
])('the folder "%s" is stored as "%s"', (text, folder) => {
  expect(readFolder(text)).toBe(folder)
})

test.each(['/', '/Brackets', 'Brackets/', 'Brackets//2026', 'Brackets/ /2026'])('"%s" has an empty name', (text) => {
  expect(() => readFolder(text)).toThrow(expect.objectContaining({ code: 'VALIDATION_ERROR' }))
})
