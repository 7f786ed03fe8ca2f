import { expect, test } from 'vitest'
import { causeOf, type PrinterStanding } from './period-cause.ts'

const ready: PrinterStanding = {
  is_active: true,
  in_maintenance: false,
  plate_state: 'clear',
  liveStatus: 'idle',
  attempt: undefined,
}
const cause = (standing: Partial<PrinterStanding>) => causeOf({ ...ready, ...standing })
const held = (phase: 'reserved' | 'transferring' | 'starting' | 'confirmed', outcome: 'unknown' | null = null) => ({
  attempt: { phase, outcome },
})

test('a printer that is ready has no cause of its own: the queue decides', () => {
  expect(cause({})).toBeUndefined()
})

test('each state of a printer has its cause', () => {
  expect(cause({ liveStatus: 'printing' })).toBe('printing')
  expect(cause({ liveStatus: 'paused' })).toBe('paused')
  expect(cause({ liveStatus: 'error' })).toBe('error')
  expect(cause({ liveStatus: 'offline' })).toBe('offline')
  expect(cause({ liveStatus: undefined })).toBe('offline')
  expect(cause({ liveStatus: 'maintenance' })).toBe('maintenance')
  expect(cause({ in_maintenance: true })).toBe('maintenance')
  expect(cause({ is_active: false })).toBe('inactive')
})

test.each(['occupied', 'unknown'] as const)(
  'an idle printer whose plate is %s waits for a person to clear it',
  (plate_state) => {
    expect(cause({ plate_state })).toBe('plate_not_clear')
  },
)

test.each(['reserved', 'transferring', 'starting'] as const)(
  'from %s on until it prints, a job is on its way',
  (phase) => {
    expect(cause(held(phase))).toBe('transferring')
    expect(cause({ ...held(phase), liveStatus: 'maintenance' })).toBe('transferring')
  },
)

test('a print whose end has not been reported yet still counts as printing', () => {
  expect(cause({ ...held('confirmed'), plate_state: 'occupied' })).toBe('printing')
  expect(cause({ ...held('confirmed'), liveStatus: 'maintenance' })).toBe('printing')
})

test('an idle printer whose print has an unknown fate needs a person, one that is seen printing does not', () => {
  expect(cause(held('starting', 'unknown'))).toBe('error')
  expect(cause({ ...held('confirmed', 'unknown'), liveStatus: 'printing' })).toBe('printing')
})

test('of two causes the one that comes first in the order wins', () => {
  const all = {
    is_active: false,
    in_maintenance: true,
    plate_state: 'occupied',
    ...held('confirmed', 'unknown'),
  } as const
  expect(cause({ ...all, liveStatus: undefined })).toBe('inactive')
  expect(cause({ ...all, is_active: true, liveStatus: undefined })).toBe('maintenance')
  expect(cause({ ...all, is_active: true, in_maintenance: false, liveStatus: undefined })).toBe('offline')
  expect(cause({ ...all, is_active: true, in_maintenance: false, liveStatus: 'paused' })).toBe('paused')
  expect(cause({ ...all, is_active: true, in_maintenance: false })).toBe('error')
  expect(cause({ plate_state: 'occupied', liveStatus: 'maintenance' })).toBe('maintenance')
})
