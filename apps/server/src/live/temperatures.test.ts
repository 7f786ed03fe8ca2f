import { unknownPrinterState } from '@printyard/protocol/unknown-printer-state'
import { expect, test } from 'vitest'
import { newId } from '../kernel/ids.ts'
import { fromHub } from './hub-messages.ts'
import { LivePrinters } from './printers.ts'
import { TemperatureHistory } from './temperatures.ts'

const startMs = Date.parse('2026-11-16T10:00:00Z')
const at = (seconds: number) => new Date(startMs + seconds * 1000)

function setUp(capacity?: number) {
  const printers = new LivePrinters()
  const history = new TemperatureHistory(printers, capacity)
  const hubId = newId('hub', startMs)
  const accountId = newId('account', startMs)
  const report = (printerId: ReturnType<typeof addPrinter>, seconds: number, nozzle_temp: number | null) =>
    printers.apply(
      { accountId, hubId, printerIds: new Set([printerId]) },
      [
        {
          printer_id: printerId,
          full: true,
          state: { ...fromHub(unknownPrinterState('')), status: 'idle', nozzle_temp },
        },
      ],
      at(seconds),
    )
  const addPrinter = () => newId('printer', startMs)
  const read = (printerId: ReturnType<typeof addPrinter>, seconds: number) =>
    history
      .read(accountId, printerId, at(seconds))
      .map(({ at: moment, nozzle }) => [(moment.getTime() - startMs) / 1000, nozzle])
  return { printers, history, hubId, accountId, report, addPrinter, read }
}

test('a value that does not change is told at both ends of its time, to the present', () => {
  const { report, addPrinter, read } = setUp()
  const printer = addPrinter()
  report(printer, 0, 20)
  report(printer, 4, 21)
  report(printer, 60, 215.04)
  expect(read(printer, 120)).toEqual([
    [0, 21],
    [50, 21],
    [60, 215],
    [110, 215],
    [120, 215],
  ])
})

test('an hour is kept, whatever is reported', () => {
  const { report, addPrinter, read } = setUp()
  const printer = addPrinter()
  for (let second = 0; second <= 10_000; second += 1) report(printer, second, second % 200)
  const kept = read(printer, 10_000)
  expect(kept[0]?.[0]).toBe(6_400)
  expect(kept.length).toBeLessThanOrEqual(362)
})

test('nothing is told of the time in which the hub was away, and nothing to another account', () => {
  const { printers, history, hubId, report, addPrinter, read } = setUp()
  const printer = addPrinter()
  report(printer, 0, 200)
  printers.forgetHub(hubId, at(20))
  report(printer, 100, 90)
  expect(read(printer, 100)).toEqual([
    [0, 200],
    [10, 200],
    [20, null],
    [90, null],
    [100, 90],
  ])
  expect(history.read(newId('account', startMs), printer, at(100))).toEqual([])
})

test('the printers that it remembers are limited; the first is forgotten first', () => {
  const { report, addPrinter, read } = setUp(2)
  const ids = [addPrinter(), addPrinter(), addPrinter()]
  for (const id of ids) report(id, 0, 30)
  expect(ids.map((id) => read(id, 0).length)).toEqual([0, 1, 1])
})
