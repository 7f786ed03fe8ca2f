import { unknownPrinterState } from '@printyard/protocol/unknown-printer-state'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { AccountId, HubId, PrinterId } from '../kernel/ids.ts'
import { hubConnection } from '../test/farm/hub-connection.ts'
import { fromHub } from './hub-messages.ts'
import { createLive } from './live.ts'
import { findOwnLive } from './own-printer.ts'
import { followTrouble } from './recovery.ts'

const at = new Date('2026-11-01T10:00:00Z')
const accountIds = ['acc_1', 'acc_2'] as AccountId[]
const hubs = [
  { hubId: 'hub_1' as HubId, accountId: 'acc_1' as AccountId },
  { hubId: 'hub_2' as HubId, accountId: 'acc_1' as AccountId },
  { hubId: 'hub_3' as HubId, accountId: 'acc_2' as AccountId },
]
const printerIds = ['prn_1', 'prn_2'] as PrinterId[]
const readiness = followTrouble(undefined, false, at, 0)

const hub = fc.constantFrom(...hubs)
const printerId = fc.constantFrom(...printerIds)
const status = fc.constantFrom('idle' as const, 'printing' as const, 'offline' as const)
const epoch = fc.integer({ min: 1, max: 4 })
const step = fc.oneof(
  fc.record({ kind: fc.constant('attach' as const), hub, epoch }),
  fc.record({ kind: fc.constantFrom('detach' as const, 'disconnect' as const, 'forget all' as const), hub }),
  fc.record({ kind: fc.constantFrom('told' as const, 'gone' as const), hub, epoch }),
  fc.record({ kind: fc.constantFrom('report' as const, 'reported elsewhere' as const), hub, printerId, status }),
  fc.record({ kind: fc.constant('forget' as const), printerId }),
)

test('whatever happens: where the mark of an account is the same, so is what is known of the statuses of its printers', () => {
  let changes = 0
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 25 }), (steps) => {
      const live = createLive()
      const runs = new Set<string>(printerIds)
      const connections = new Map<HubId, ReturnType<typeof hubConnection>>()
      const take = (next: (typeof steps)[number]) => {
        if (next.kind === 'forget') return live.printers.forget(next.printerId)
        const { hubId } = next.hub
        const connection = { ...hubConnection(next.hub, at), printerIds: runs }
        const state = 'status' in next ? { ...fromHub(unknownPrinterState('')), status: next.status } : undefined
        switch (next.kind) {
          case 'attach':
            connections.set(hubId, { ...connection, epoch: next.epoch })
            return live.hubs.attach(connections.get(hubId) ?? connection)
          case 'detach':
            return live.hubs.detach(connections.get(hubId) ?? connection, at)
          case 'disconnect':
            return live.hubs.disconnect(hubId, { reason: 'stale', message: '', retry_after_ms: 0 })
          case 'forget all':
            return live.printers.forgetHub(hubId, at)
          case 'told':
            return live.hubs.takeRemote({ ...connection, epoch: next.epoch, processId: 'other' })
          case 'gone':
            return live.hubs.dropRemote(hubId, next.epoch, at)
          case 'report':
            return live.printers.apply(connection, [{ printer_id: next.printerId, full: true, state: state ?? {} }], at)
          case 'reported elsewhere':
            if (state) {
              live.printers.applyRemote(connection, [{ printerId: next.printerId, state, reportedAt: at, readiness }])
            }
        }
      }
      const look = () =>
        accountIds.map((accountId) => ({
          mark: live.printers.statusMark(accountId),
          known: hubs
            .flatMap(({ hubId }) => printerIds.map((id) => findOwnLive(live, accountId, { id, hub_id: hubId })))
            .map(({ hubOnline, live }) => `${hubOnline} ${live?.state.status}`)
            .join(),
        }))
      for (const next of steps) {
        const before = look()
        take(next)
        for (const [place, now] of look().entries()) {
          if (now.known !== before[place]?.known) changes += 1
          if (now.mark === before[place]?.mark) expect(now.known, next.kind).toBe(before[place]?.known)
        }
      }
    }),
    { numRuns: 2_000 },
  )
  expect(changes).toBeGreaterThan(2_000)
})

test('a report of the same status leaves the mark as it is', () => {
  const live = createLive()
  const first = { hubId: 'hub_1' as HubId, accountId: 'acc_1' as AccountId }
  const connection = { ...hubConnection(first, at), printerIds: new Set<string>(printerIds) }
  live.hubs.attach(connection)
  const report = (progress: number) =>
    live.printers.apply(
      connection,
      [{ printer_id: 'prn_1' as PrinterId, full: false, state: { status: 'printing', progress } }],
      at,
    )
  report(1)
  const mark = live.printers.statusMark('acc_1' as AccountId)
  report(2)
  expect(live.printers.statusMark('acc_1' as AccountId)).toBe(mark)
})
