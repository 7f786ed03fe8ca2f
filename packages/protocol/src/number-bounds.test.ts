import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readHubFrame } from './hub-frames.ts'
import { withinBounds } from './number-bounds.ts'
import type { PrinterState } from './printer-state.ts'
import { unknownPrinterState } from './unknown-printer-state.ts'

const frameOf = (state: PrinterState) =>
  JSON.stringify({
    type: 'telemetry',
    id: 'f1',
    ts: '2026-01-01T00:00:00.000Z',
    printers: [{ printer_id: 'p1', full: true, state }],
  })

test.each([
  ['remaining_time_minutes', 1e300],
  ['layer_num', 1e15],
  ['nozzle_temp', -1e9],
] as const)('a frame whose %s is %d is refused', (field, value) => {
  const state = { ...unknownPrinterState('x'), [field]: value }
  expect(readHubFrame(frameOf(state))).toMatchObject({ kind: 'invalid' })
})

test('whatever numbers a printer gives, its bounded picture passes, and believable ones are kept', () => {
  const numbers = fc.record({
    nozzle_temp: fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.constant(215)),
    layer_num: fc.oneof(fc.maxSafeNat(), fc.constant(12)),
    remaining_time_minutes: fc.oneof(fc.maxSafeNat(), fc.constant(42)),
  })
  fc.assert(
    fc.property(numbers, (given) => {
      const bounded = withinBounds({ ...unknownPrinterState('x'), ...given })
      expect(readHubFrame(frameOf(bounded)).kind).toBe('message')
      for (const field of ['nozzle_temp', 'layer_num', 'remaining_time_minutes'] as const) {
        expect([given[field], null]).toContain(bounded[field])
      }
    }),
  )
  expect(withinBounds({ ...unknownPrinterState('x'), nozzle_temp: 215, layer_num: 12 })).toMatchObject({
    nozzle_temp: 215,
    layer_num: 12,
  })
})
