import type { ServiceMessageBody } from '@printyard/protocol/messages'
import type { Context } from '../context/context.ts'
import type { App } from '../http/types.ts'
import { type HubId, readId } from '../kernel/ids.ts'
import { every } from '../kernel/timers.ts'
import { replaced } from '../live/hubs.ts'

/** The net under notices that were missed. */
const sweepMs = 15_000

/** It may have been put out as well: another process knows which of the two. */
const putOut: ServiceMessageBody<'close'> = {
  ...replaced,
  message: 'A newer connection of this hub took over, or its token was replaced.',
}

/** Ends the connections of this process whose hub another process let in since, or whose token was replaced there. */
export function endStaleConnections(app: App, context: Context): void {
  const { hubs, fences, db, clock, log } = context
  if (!fences.isShared) return

  async function endStaleOf(hubIds: readonly HubId[]): Promise<void> {
    const held = hubIds.flatMap((hubId) => hubs.findHere(hubId) ?? [])
    for (const stale of await fences.findStale(held)) {
      if (hubs.findHere(stale.hubId) !== stale) continue
      log.info({ hub_id: stale.hubId }, 'a connection of a hub is ended: another process has let the hub in since')
      hubs.disconnect(stale.hubId, putOut)
      hubs.detach(stale, clock.now())
    }
  }

  db.coherence.onForget((changedId) => {
    const changed = changedId === undefined ? undefined : readId('hub', changedId)
    // Of what is no hub nothing is held.
    if (changedId !== undefined && changed === undefined) return
    endStaleOf(changed === undefined ? hubs.listHubIdsHere() : [changed]).catch((error: unknown) => {
      log.warn({ err: error }, 'whether connections of hubs are the newest could not be asked; it is tried again')
    })
  })
  const stop = every(sweepMs, 'end connections of hubs that are not the newest', log, () =>
    endStaleOf(hubs.listHubIdsHere()),
  )
  app.addHook('onClose', async () => stop())
}
