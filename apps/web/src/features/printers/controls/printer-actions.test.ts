import { expect, test } from 'vitest'
import { livePrinter } from '../../../test/live-printers.ts'
import { physicalActions, whyNot } from './printer-actions.ts'

const possible = (fields: Parameters<typeof livePrinter>[0]) =>
  physicalActions.filter((action) => whyNot(action, livePrinter(fields)) === undefined)

test.each([
  [{ status: 'idle' }, ['heaters', 'light', 'filament']],
  [{ status: 'idle', plate_state: 'occupied' }, ['clear_bed', 'heaters', 'light', 'filament']],
  [{ status: 'printing', plate_state: 'occupied' }, ['pause', 'stop', 'heaters', 'light']],
  [{ status: 'paused', plate_state: 'occupied' }, ['resume', 'stop', 'heaters', 'light', 'filament']],
  [{ status: 'error' }, ['heaters', 'light']],
  [{ status: 'offline', plate_state: 'unknown' }, ['clear_bed']],
  [{ hub_online: false, status: 'offline', plate_state: 'unknown' }, []],
  [{ hub_id: null, hub_online: false, status: 'offline', plate_state: 'unknown' }, ['clear_bed']],
] as const)('%j can %j', (fields, expected) => {
  expect(possible(fields)).toEqual(expected)
})

test('the reason names what is in the way', () => {
  expect(whyNot('pause', livePrinter({ hub_id: null, hub_online: false }))).toBe('No hub runs this printer')
  expect(whyNot('pause', livePrinter({ hub_online: false }))).toBe('Its hub is not connected')
  expect(whyNot('pause', livePrinter())).toBe('Nothing is printing')
})
