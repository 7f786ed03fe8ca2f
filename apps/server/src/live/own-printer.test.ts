import { unknownPrinterState } from '@printyard/protocol/unknown-printer-state'
import { describe, expect, test } from 'vitest'
import type { AccountId, HubId, PrinterId } from '../kernel/ids.ts'
import { hubConnection } from '../test/farm/hub-connection.ts'
import { fromHub, type PrinterState } from './hub-messages.ts'
import type { HubConnection } from './hubs.ts'
import { createLive } from './live.ts'
import { findOwnHub, findOwnLive, isOutOfReach, isRunByHub } from './own-printer.ts'

const ours = 'acc_1' as AccountId
const theirs = 'acc_2' as AccountId
const ownHub = 'hub_1' as HubId
const ownPrinter = 'prn_1' as PrinterId

const connect = (accountId: AccountId, hubId: HubId, printerIds: string[]): HubConnection =>
  hubConnection({ accountId, hubId, printerIds: new Set(printerIds) })
const report = (status: PrinterState['status']) => [
  { printer_id: ownPrinter, full: true, state: { ...fromHub(unknownPrinterState('')), status } },
]
const printer = { id: ownPrinter, hub_id: ownHub }

/** Its own hub, another one of the account, and one of another account; all of them say that they run the printer. */
function connected() {
  const live = createLive()
  const [own, other, foreign] = [
    connect(ours, ownHub, ['prn_1']),
    connect(ours, 'hub_2' as HubId, ['prn_1']),
    connect(theirs, 'hub_3' as HubId, ['prn_1']),
  ] as const
  for (const connection of [own, other, foreign]) live.hubs.attach(connection)
  return { live, own, other, foreign }
}

describe('the live state of a printer', () => {
  test('is that of its own hub only', () => {
    const { live, own, other, foreign } = connected()
    for (const stranger of [other, foreign]) {
      live.hubs.applyTelemetry(stranger, report('idle'), new Date(0))
      expect(findOwnLive(live, ours, printer)).toEqual({ hubOnline: true, live: undefined })
      expect(isOutOfReach(live, ours, printer)).toBe(true)
    }
    live.hubs.applyTelemetry(own, report('idle'), new Date(0))
    expect(findOwnLive(live, ours, printer).live?.state.status).toBe('idle')
    expect(findOwnLive(live, theirs, printer)).toEqual({ hubOnline: false, live: undefined })
  })

  test('does not exist without a hub', () => {
    const alone = { id: ownPrinter, hub_id: null }
    const { live } = connected()
    expect(findOwnLive(live, ours, alone)).toEqual({ hubOnline: false, live: undefined })
    expect([isOutOfReach(live, ours, alone), isRunByHub(live.hubs, ours, alone)]).toEqual([true, false])
  })
})

test('a printer is out of reach while its hub is away or gets no answer from it', () => {
  const { live, own } = connected()
  live.hubs.applyTelemetry(own, report('printing'), new Date(0))
  expect(isOutOfReach(live, ours, printer)).toBe(false)
  live.hubs.applyTelemetry(own, report('offline'), new Date(0))
  expect(isOutOfReach(live, ours, printer)).toBe(true)
  live.hubs.applyTelemetry(own, report('idle'), new Date(0))
  live.hubs.disconnect(ownHub, { reason: 'stale', message: '', retry_after_ms: 0 })
  expect(isOutOfReach(live, ours, printer)).toBe(true)
})

test('a printer is run by its hub once the hub was told of it', () => {
  const { live } = connected()
  expect(isRunByHub(live.hubs, ours, printer)).toBe(true)
  expect(isRunByHub(live.hubs, ours, { id: 'prn_2' as PrinterId, hub_id: ownHub })).toBe(false)
  expect(isRunByHub(live.hubs, theirs, printer)).toBe(false)
  expect(findOwnHub(live.hubs, theirs, ownHub)).toBeUndefined()
  expect(findOwnHub(live.hubs, ours, ownHub)?.hubId).toBe('hub_1')
})
