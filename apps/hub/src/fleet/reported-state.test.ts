import { unknownPrinterState } from '@printyard/protocol/unknown-printer-state'
import { expect, test } from 'vitest'
import { asReported } from './reported-state.ts'

const build = (status: 'idle' | 'printing' | 'offline', run_mark: string | null | undefined) => ({
  ...unknownPrinterState(''),
  status,
  ...(run_mark !== undefined && { run_mark }),
})

test('a printer is not idle before it says what it printed last', () => {
  expect(asReported(build('idle', null))).toMatchObject({
    status: 'maintenance',
    status_reason: 'it does not say yet what it printed last',
    run_mark: null,
  })
})

test.each([
  ['idle', 'a'],
  ['idle', undefined],
  ['printing', null],
  ['offline', null],
] as const)('%s with the mark %s is told as it is', (status, mark) => {
  const state = build(status, mark)
  expect(asReported(state)).toBe(state)
})
