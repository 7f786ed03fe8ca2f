import { expect, test } from 'vitest'
import { type AccountId, type HubId, newId, type PrinterId } from '../../kernel/ids.ts'
import { createLive } from '../../live/live.ts'
import { hubConnection } from '../../test/farm/hub-connection.ts'
import { rememberLastTelemetry } from './last-telemetry.ts'

const ours = 'acc_1' as AccountId
const printerId = 'prn_1' as PrinterId

function connectedHub(accountId: AccountId) {
  const { hubs, printers } = createLive()
  const connection = hubConnection({ accountId, hubId: 'hub_1' as HubId })
  hubs.attach(connection)
  const report = (id: PrinterId, ms: number, status: 'idle' | 'offline' = 'idle') =>
    hubs.applyTelemetry(connection, [{ printer_id: id, full: true, state: { status } }], new Date(ms))
  return { hubs, printers, connection, report }
}

test('the time of the last report outlives the connection of the hub', () => {
  const { hubs, printers, connection, report } = connectedHub(ours)
  const last = rememberLastTelemetry(printers)
  expect(last.find(ours, printerId)).toBeUndefined()
  report(printerId, 1000)
  report(printerId, 2000)
  hubs.detach(connection)
  expect(last.find(ours, printerId)).toEqual(new Date(2000))
  expect(last.find(newId('account'), printerId)).toBeUndefined()
  last.forget(ours, printerId)
  expect(last.find(ours, printerId)).toBeUndefined()
})

test('that a printer is out of reach is no report of the printer', () => {
  const { printers, report } = connectedHub(ours)
  const last = rememberLastTelemetry(printers)
  report(printerId, 1000, 'offline')
  expect(last.find(ours, printerId)).toBeUndefined()
  report(printerId, 2000)
  report(printerId, 3000, 'offline')
  expect(last.find(ours, printerId)).toEqual(new Date(2000))
})

test('what is remembered is bounded', () => {
  const { printers, report } = connectedHub(ours)
  const last = rememberLastTelemetry(printers, 2)
  const ids = [1, 2, 3].map(() => newId('printer'))
  for (const [index, id] of ids.entries()) report(id, index + 1)
  expect(ids.map((id) => last.find(ours, id)?.getTime())).toEqual([undefined, 2, 3])
})

test('what is of one account is not of another, and makes room for it', () => {
  const { hubs, printers, report } = connectedHub(ours)
  const theirs = 'acc_2' as AccountId
  const connection = hubConnection({ accountId: theirs, hubId: 'hub_2' as HubId })
  hubs.attach(connection)
  const last = rememberLastTelemetry(printers, 2)
  const say = (ms: number) =>
    hubs.applyTelemetry(connection, [{ printer_id: printerId, full: true, state: { status: 'idle' } }], new Date(ms))
  report(printerId, 1)
  say(2)
  expect([ours, theirs].map((id) => last.find(id, printerId)?.getTime())).toEqual([1, 2])
  say(3)
  const other = newId('printer')
  report(other, 4)
  expect(last.find(ours, printerId)).toBeUndefined()
  expect(last.find(ours, other)?.getTime()).toBe(4)
  expect(last.find(theirs, printerId)?.getTime()).toBe(3)
})
