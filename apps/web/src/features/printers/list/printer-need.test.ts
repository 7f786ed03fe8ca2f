import { expect, test } from 'vitest'
import { livePrinter } from '../../../test/live-printers.ts'
import { needOf } from './printer-need.ts'

test.each([
  ['an idle printer with a clear plate', {}, undefined],
  ['a finished print on the plate', { plate_state: 'occupied' }, 'plate'],
  ['a plate of which no one knows', { plate_state: 'unknown' }, 'plate'],
  ['a plate that is being printed on', { status: 'printing', plate_state: 'occupied' }, undefined],
  ['an error', { status: 'error', plate_state: 'occupied' }, 'error'],
  ['a pause', { status: 'paused' }, 'paused'],
  ['a problem of its connection', { status: 'offline', health_problem: 'The password is wrong.' }, 'problem'],
  ['silence', { status: 'offline' }, 'offline'],
  ['a person who works on it', { status: 'maintenance', in_maintenance: true, plate_state: 'unknown' }, undefined],
  ['a printer out of use', { status: 'offline', is_active: false }, undefined],
] as const)('%s', (_, fields, kind) => {
  expect(needOf(livePrinter(fields))?.kind).toBe(kind)
})

test('what the printer itself says goes before words of ours, without its full stop', () => {
  expect(needOf(livePrinter({ status: 'paused', status_reason: 'The filament has run out.' }))?.sentence).toBe(
    'The filament has run out',
  )
  expect(needOf(livePrinter({ status: 'offline', hub_online: false }))?.sentence).toBe('Its hub is away')
  expect(needOf(livePrinter({ status: 'offline', hub_id: null, hub_online: false }))?.sentence).toBe('No hub runs it')
})
