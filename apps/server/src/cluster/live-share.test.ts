import { expect, test } from 'vitest'
import { systemClock } from '../kernel/clock.ts'
import { newId } from '../kernel/ids.ts'
import { createLive } from '../live/live.ts'
import { hubConnection } from '../test/farm/hub-connection.ts'
import type { Bus } from './bus.ts'
import { LiveShare } from './live-share.ts'
import type { LiveBatch } from './wire.ts'

test('what could not be told is told again, as it is by then, and once', async () => {
  const live = createLive()
  const told: LiveBatch[] = []
  let isAway = false
  const bus = {
    listen: () => undefined,
    async publishAll(messages: readonly (readonly [string, object])[]) {
      if (isAway) throw new Error('Redis does not answer.')
      told.push(...messages.map(([, message]) => message as LiveBatch))
      return 1
    },
  } as unknown as Bus
  const share = new LiveShare({ processId: newId('process'), bus, clock: systemClock }, live, () => undefined)
  const [accountId, hubId, printerId] = [newId('account'), newId('hub'), newId('printer')]
  const connection = { ...hubConnection({ accountId, hubId }), printerIds: new Set([printerId]), epoch: 1 }
  live.hubs.attach(connection)
  const report = (progress: number) =>
    live.hubs.applyTelemetry(
      connection,
      [{ printer_id: printerId, full: true, state: { status: 'printing', progress } }] as never,
      new Date(),
    )
  const seen = () =>
    told
      .splice(0)
      .flatMap(({ hubs, printers }) => [...hubs.map(({ id }) => id), ...printers.map(({ state }) => state.progress)])

  report(1)
  await share.tell()
  expect(seen()).toEqual([hubId, 1])
  isAway = true
  report(2)
  await expect(share.tell()).rejects.toThrow('Redis does not answer.')
  isAway = false
  await share.tell()
  expect(seen()).toEqual([hubId, 2])
  await share.tell()
  expect(seen()).toEqual([])
  share.close()
})
