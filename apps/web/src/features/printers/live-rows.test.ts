import { expect, test } from 'vitest'
import { livePrinter } from '../../test/live-printers.ts'
import { mergeLiveRows } from './live-rows.ts'

const rows = [
  livePrinter({ id: 'a' }),
  livePrinter({ id: 'b' }),
  livePrinter({ id: 'c', in_maintenance: true, status: 'maintenance' }),
]
const merge = (...fields: { printer_id: string; [name: string]: unknown }[]) =>
  mergeLiveRows(rows, new Map(fields.map((each) => [each.printer_id, each])))

test('only rows of which something changed become new objects', () => {
  const merged = merge({ printer_id: 'a', status: 'printing', progress: 3 }, { printer_id: 'b', nozzle_temp: 25 })
  expect(merged[0]).toEqual({ ...rows[0], status: 'printing', progress: 3 })
  expect(merged[1]).toBe(rows[1])
})

test('a message that changes nothing leaves the list as it is', () => {
  expect(merge({ printer_id: 'a', nozzle_temp: 25 }, { printer_id: 'unknown', progress: 1 })).toBe(rows)
})

test('a printer in maintenance stays so, and its temperatures are shown', () => {
  expect(merge({ printer_id: 'c', status: 'idle', bed_temp: 60 })[2]).toEqual({ ...rows[2], bed_temp: 60 })
})

test('fields of another kind change nothing', () => {
  expect(merge({ printer_id: 'a', name: 'Other', plate_state: 'occupied' })).toBe(rows)
})
