import { expect, test } from 'vitest'
import { type AccountId, type HubId, newId } from '../../kernel/ids.ts'
import { createLive } from '../../live/live.ts'
import { hubConnection } from '../../test/farm/hub-connection.ts'
import { hubPresence } from './hub-presence.ts'

const ours = 'acc_1' as AccountId
const hubId = 'hub_1' as HubId

const at = (ms: number) => new Date(ms)
const stored = { id: hubId, last_seen_at: at(5_000) }

function connectedAt(lastHeartbeatAt: Date) {
  const { hubs } = createLive()
  hubs.attach(hubConnection({ accountId: ours, hubId, lastHeartbeatAt }))
  return hubs
}

test('a hub that never connected is offline and stale', () => {
  const hub = { id: hubId, last_seen_at: null }
  expect(hubPresence(createLive().hubs, ours, hub, at(0))).toEqual({
    is_online: false,
    last_seen_at: null,
    is_stale: true,
  })
})

test('a hub is stale when its last heartbeat is more than two minutes old, connected or not', () => {
  const hubs = connectedAt(at(10_000))
  expect(hubPresence(hubs, ours, stored, at(130_000))).toEqual({
    is_online: true,
    last_seen_at: at(10_000),
    is_stale: false,
  })
  expect(hubPresence(hubs, ours, stored, at(130_001)).is_stale).toBe(true)
  expect(hubPresence(createLive().hubs, ours, stored, at(125_000))).toEqual({
    is_online: false,
    last_seen_at: at(5_000),
    is_stale: false,
  })
  expect(hubPresence(createLive().hubs, ours, stored, at(125_001)).is_stale).toBe(true)
})

test('the connection of a hub in another account is not its own', () => {
  expect(hubPresence(connectedAt(at(10_000)), newId('account'), stored, at(10_000)).is_online).toBe(false)
})
