import { expect, test } from 'vitest'
import { newId } from '../kernel/ids.ts'
import { LivePrinters } from './printers.ts'

const [accountId, other] = [newId('account'), newId('account')]
const [hubId, otherHub] = [newId('hub'), newId('hub')]
const [one, two] = [newId('printer'), newId('printer')]
const all = { has: () => true }
const at = new Date(0)

function report(
  printers: LivePrinters,
  status: 'idle' | 'printing' | 'offline',
  printerId = one,
  reporter = { accountId, hubId, printerIds: all },
): void {
  printers.apply(reporter, [{ printer_id: printerId, full: true, state: { status } }] as never, at)
}

test('an account has an idle printer from the report that says so to the one that says another thing', () => {
  const printers = new LivePrinters()
  expect(printers.hasIdle(accountId)).toBe(false)
  report(printers, 'idle', one)
  report(printers, 'idle', two)
  report(printers, 'printing', one)
  expect([printers.hasIdle(accountId), printers.hasIdle(other)]).toEqual([true, false])
  report(printers, 'offline', two)
  expect(printers.hasIdle(accountId)).toBe(false)
  report(printers, 'idle', two)
  expect(printers.hasIdle(accountId)).toBe(true)
})

test('it has none once the hub is away, or the printer is forgotten', () => {
  const printers = new LivePrinters()
  report(printers, 'idle')
  printers.forgetHub(hubId, at)
  expect(printers.hasIdle(accountId)).toBe(false)
  report(printers, 'idle')
  printers.forget(one)
  expect(printers.hasIdle(accountId)).toBe(false)
})

test('reports are counted, but for those of printers that are not of the hub', () => {
  const printers = new LivePrinters()
  report(printers, 'idle', one)
  report(printers, 'printing', one)
  report(printers, 'idle', two, { accountId, hubId, printerIds: { has: () => false } as never })
  expect(printers.reportsTaken).toBe(2)
})

test('a printer that another account reports is idle for that one alone', () => {
  const printers = new LivePrinters()
  report(printers, 'idle')
  report(printers, 'idle', one, { accountId: other, hubId: otherHub, printerIds: all })
  expect([printers.hasIdle(accountId), printers.hasIdle(other)]).toEqual([false, true])
  printers.forgetHub(otherHub, at)
  expect(printers.hasIdle(other)).toBe(false)
})
