import { expect, test } from 'vitest'
import { createHubConnections, type HubConnection } from '../../live/hub-connections.ts'
import { rememberLastTelemetry } from './last-telemetry.ts'

function connectedHub(accountId: string) {
  const hubs = createHubConnections()
  const connection: HubConnection = {
    accountId,
    hubId: 'hub_1',
    socket: { send: () => undefined, close: () => undefined },
    connectedAt: new Date(0),
    lastHeartbeatAt: new Date(0),
    candidates: [],
    printerIds: { has: () => true },
    hasLostJournal: false,
  }
  hubs.attach(connection)
  const report = (id: string, ms: number, status: 'idle' | 'offline' = 'idle') =>
    hubs.applyTelemetry(connection, [{ printer_id: id, full: true, state: { status } }], new Date(ms))
  return { hubs, connection, report }
}

test('the time of the last report outlives the connection of the hub', () => {
  const { hubs, connection, report } = connectedHub('acc_1')
  const last = rememberLastTelemetry(hubs)
  expect(last.find('acc_1', 'prn_1')).toBeUndefined()
  report('prn_1', 1000)
  report('prn_1', 2000)
  hubs.detach(connection)
  expect(last.find('acc_1', 'prn_1')).toEqual(new Date(2000))
  expect(last.find('acc_2', 'prn_1')).toBeUndefined()
  last.forget('acc_1', 'prn_1')
  expect(last.find('acc_1', 'prn_1')).toBeUndefined()
})

test('that a printer is out of reach is no report of the printer', () => {
  const { hubs, report } = connectedHub('acc_1')
  const last = rememberLastTelemetry(hubs)
  report('prn_1', 1000, 'offline')
  expect(last.find('acc_1', 'prn_1')).toBeUndefined()
  report('prn_1', 2000)
  report('prn_1', 3000, 'offline')
  expect(last.find('acc_1', 'prn_1')).toEqual(new Date(2000))
})

test('what is remembered is bounded', () => {
  const { hubs, report } = connectedHub('acc_1')
  const last = rememberLastTelemetry(hubs, 2)
  for (const [id, ms] of [
    ['a', 1],
    ['b', 2],
    ['c', 3],
  ] as const)
    report(id, ms)
  expect(['a', 'b', 'c'].map((id) => last.find('acc_1', id)?.getTime())).toEqual([undefined, 2, 3])
})
