import { expect, test } from 'vitest'
import { safeReturn } from './safe-return.ts'

test.each(['/printers', '/printers/prn_1?tab=queue#top'])('%s is returned to', (path) => {
  expect(safeReturn(path)).toBe(path)
})

test.each([
  '//evil.example',
  '/\\evil.example',
  'https://evil.example',
  '/\t/evil',
  '/sign-in?return=/x',
  undefined,
  7,
])('%j leads home', (path) => {
  expect(safeReturn(path)).toBe('/')
})
