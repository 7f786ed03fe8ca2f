import { describe, expect, test } from 'vitest'
import { effectiveStatus } from './effective-status.ts'

const printing = { status: 'printing' } as const

describe('the effective status', () => {
  test('is what the hub says of a printer in service', () => {
    expect(effectiveStatus({ inMaintenance: false, hubOnline: true, live: printing })).toBe('printing')
    expect(effectiveStatus({ inMaintenance: false, hubOnline: true, live: { status: 'error' } })).toBe('error')
  })
  test('is offline when the hub is away, whatever was heard before', () => {
    expect(effectiveStatus({ inMaintenance: false, hubOnline: false, live: printing })).toBe('offline')
  })
  test('is offline until the hub has reported the printer', () => {
    expect(effectiveStatus({ inMaintenance: false, hubOnline: true, live: undefined })).toBe('offline')
  })
  test('is offline for a printer out of use', () => {
    expect(effectiveStatus({ isActive: false, inMaintenance: false, hubOnline: true, live: printing })).toBe('offline')
  })
  test('is maintenance for a printer in maintenance, online or not', () => {
    for (const hubOnline of [true, false]) {
      expect(effectiveStatus({ inMaintenance: true, hubOnline, live: printing })).toBe('maintenance')
    }
  })
})
