import type { PrinterState } from '@printyard/protocol/printer-state'
import { unknownPrinterState } from '@printyard/protocol/unknown-printer-state'
import { describe, expect, test } from 'vitest'
import type { HubConnection } from './hubs.ts'
import { createLive } from './live.ts'
import { findOwnHub, findOwnLive, isOutOfReach, isRunByHub } from './own-printer.ts'

const connect = (accountId: string, hubId: string, printerIds: string[]): HubConnection => ({
  accountId,
  hubId,
  socket: { send: () => undefined, close: () => undefined },
  connectedAt: new Date(0),
  lastHeartbeatAt: new Date(0),
  candidates: [],
  printerIds: new Set(printerIds),
  hasLostJournal: false,
})
const report = (status: PrinterState['status']) => [
  { printer_id: 'prn_1', full: true, state: { ...unknownPrinterState(''), status } },
]
const printer = { id: 'prn_1', hub_id: 'hub_1' }

/** Its own hub, another one of the account, and one of another account; all of them say that they run the printer. */
function connected() {
  const live = createLive()
  const [own, other, foreign] = [
    connect('acc_1', 'hub_1', ['prn_1']),
    connect('acc_1', 'hub_2', ['prn_1']),
    connect('acc_2', 'hub_3', ['prn_1']),
  ] as const
  for (const connection of [own, other, foreign]) live.hubs.attach(connection)
  return { live, own, other, foreign }
}

describe('the live state of a printer', () => {
  test('is that of its own hub only', () => {
    const { live, own, other, foreign } = connected()
    for (const stranger of [other, foreign]) {
      live.hubs.applyTelemetry(stranger, report('idle'), new Date(0))
      expect(findOwnLive(live, 'acc_1', printer)).toEqual({ hubOnline: true, live: undefined })
      expect(isOutOfReach(live, 'acc_1', printer)).toBe(true)
    }
    live.hubs.applyTelemetry(own, report('idle'), new Date(0))
    expect(findOwnLive(live, 'acc_1', printer).live?.state.status).toBe('idle')
    expect(findOwnLive(live, 'acc_2', printer)).toEqual({ hubOnline: false, live: undefined })
  })

  test('does not exist without a hub', () => {
    const alone = { id: 'prn_1', hub_id: null }
    const { live } = connected()
    expect(findOwnLive(live, 'acc_1', alone)).toEqual({ hubOnline: false, live: undefined })
    expect([isOutOfReach(live, 'acc_1', alone), isRunByHub(live.hubs, 'acc_1', alone)]).toEqual([true, false])
  })
})

test('a printer is out of reach while its hub is away or gets no answer from it', () => {
  const { live, own } = connected()
  live.hubs.applyTelemetry(own, report('printing'), new Date(0))
  expect(isOutOfReach(live, 'acc_1', printer)).toBe(false)
  live.hubs.applyTelemetry(own, report('offline'), new Date(0))
  expect(isOutOfReach(live, 'acc_1', printer)).toBe(true)
  live.hubs.applyTelemetry(own, report('idle'), new Date(0))
  live.hubs.disconnect('hub_1', { reason: 'stale', message: '', retry_after_ms: 0 })
  expect(isOutOfReach(live, 'acc_1', printer)).toBe(true)
})

test('a printer is run by its hub once the hub was told of it', () => {
  const { live } = connected()
  expect(isRunByHub(live.hubs, 'acc_1', printer)).toBe(true)
  expect(isRunByHub(live.hubs, 'acc_1', { id: 'prn_2', hub_id: 'hub_1' })).toBe(false)
  expect(isRunByHub(live.hubs, 'acc_2', printer)).toBe(false)
  expect(findOwnHub(live.hubs, 'acc_2', 'hub_1')).toBeUndefined()
  expect(findOwnHub(live.hubs, 'acc_1', 'hub_1')?.hubId).toBe('hub_1')
})
