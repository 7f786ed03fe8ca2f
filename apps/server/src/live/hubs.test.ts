import { expect, test } from 'vitest'
import { type HubId, newId } from '../kernel/ids.ts'
import { hubConnection } from '../test/farm/hub-connection.ts'
import type { RemoteHub } from './hubs.ts'
import { createLive } from './live.ts'

const accountId = newId('account')
const at = new Date('2026-11-01T10:00:00Z')

/** What a process knows of one hub: what others tell of it, and its own connections. */
function knowHub() {
  const { hubs, printers } = createLive()
  const hubId = newId('hub')
  const remote = (epoch: number, processId: string): RemoteHub => ({
    ...hubConnection({ accountId, hubId }, at),
    epoch,
    processId,
  })
  return {
    hubId,
    hubs,
    printers,
    told: (epoch: number, processId: string) => hubs.takeRemote(remote(epoch, processId)),
    gone: (epoch: number) => hubs.dropRemote(hubId, epoch, at),
    connectsHere: (epoch: number) => hubs.attach({ ...hubConnection({ accountId, hubId }, at), epoch }),
    whereabouts: () => whereaboutsOf(hubs, hubId),
  }
}

function whereaboutsOf(hubs: ReturnType<typeof createLive>['hubs'], hubId: HubId): string {
  const elsewhere = hubs.findElsewhere(hubId)
  if (elsewhere) return elsewhere.processId
  return hubs.findHere(hubId) ? 'here' : 'away'
}

test('of what processes tell of a hub the newest connection counts, whichever message comes last', () => {
  const { told, whereabouts } = knowHub()
  expect(told(2, 'second')).toBe(true)
  expect(told(1, 'first')).toBe(false)
  expect(whereabouts()).toBe('second')
  expect(told(3, 'third')).toBe(true)
  expect(whereabouts()).toBe('third')
})

test('the end of an older connection, told late, leaves the newer one', () => {
  const { told, gone, whereabouts } = knowHub()
  told(2, 'second')
  gone(1)
  expect(whereabouts()).toBe('second')
  gone(2)
  expect(whereabouts()).toBe('away')
})

test('of a connection here and one elsewhere the newer one counts', () => {
  const { told, connectsHere, whereabouts } = knowHub()
  connectsHere(2)
  expect(told(1, 'older')).toBe(false)
  expect(whereabouts()).toBe('here')
  told(3, 'newer')
  expect(whereabouts()).toBe('newer')
})

test('a hub that comes here is with no other process any more, and neither are its printers', () => {
  const { hubId, hubs, printers, told, connectsHere, whereabouts } = knowHub()
  told(1, 'former')
  const printerId = newId('printer')
  const state = { status: 'printing' } as never
  const remote = hubs.findElsewhere(hubId)
  if (!remote) throw new Error('The hub is known.')
  const readiness = { troubledSince: null, recoveredAt: null }
  printers.applyRemote(remote, [{ printerId, state, reportedAt: at, readiness }])
  connectsHere(2)
  expect(whereabouts()).toBe('here')
  expect(printers.find(printerId)).toBeUndefined()
  expect(printers.findPast(printerId)?.state).toEqual(state)
  expect(hubs.listRemote('former')).toEqual([])
})
