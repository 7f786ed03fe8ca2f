import { unknownPrinterState } from '@printyard/protocol/unknown-printer-state'
import { describe, expect, test } from 'vitest'
import { createHubConnections, type HubConnection } from '../../live/hub-connections.ts'
import { findOwnLive } from './live-printer.ts'

describe('the live state of a printer', () => {
  const connect = (accountId: string, hubId: string): HubConnection => ({
    accountId,
    hubId,
    socket: { send: () => undefined, close: () => undefined },
    connectedAt: new Date(0),
    lastHeartbeatAt: new Date(0),
    candidates: [],
    printerIds: { has: () => true },
    hasLostJournal: false,
  })
  const report = [{ printer_id: 'prn_1', full: true, state: { ...unknownPrinterState(''), status: 'idle' as const } }]

  test('is that of its own hub only', () => {
    const hubs = createHubConnections()
    const own = connect('acc_1', 'hub_1')
    const other = connect('acc_1', 'hub_2')
    const foreign = connect('acc_2', 'hub_3')
    for (const connection of [own, other, foreign]) hubs.attach(connection)
    const printer = { id: 'prn_1', hub_id: 'hub_1' }

    hubs.applyTelemetry(other, report, new Date(0))
    expect(findOwnLive(hubs, 'acc_1', printer)).toEqual({ hubOnline: true, live: undefined })
    hubs.applyTelemetry(foreign, report, new Date(0))
    expect(findOwnLive(hubs, 'acc_1', printer)).toEqual({ hubOnline: true, live: undefined })
    hubs.applyTelemetry(own, report, new Date(0))
    expect(findOwnLive(hubs, 'acc_1', printer).live?.state.status).toBe('idle')
  })

  test('does not exist without a hub', () => {
    expect(findOwnLive(createHubConnections(), 'acc_1', { id: 'prn_1', hub_id: null })).toEqual({
      hubOnline: false,
      live: undefined,
    })
  })
})
