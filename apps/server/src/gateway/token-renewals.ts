import type { Context } from '../context/context.ts'
import type { App } from '../http/types.ts'
import { every } from '../kernel/timers.ts'
import { StaleConnectionError } from '../live/fences.ts'
import type { HubConnection } from '../live/hubs.ts'
import { renewTokenIfDue } from '../modules/hubs/token-renewal.ts'

/** Interval at which tokens that became due on a connection are replaced; at each connect it is looked at anyway. */
const lookEveryMs = 3_600_000

/** Gives hubs whose connection lasts longer than their token another one, while the application runs. */
export function renewTokensOfConnected(app: App, context: Context): void {
  const stop = every(lookEveryMs, 'give hubs other tokens', context.log, () => renewDueTokens(context))
  app.addHook('onClose', async () => stop())
}

/** Looks at each hub that is connected here. */
export async function renewDueTokens(context: Context): Promise<void> {
  for (const hubId of context.hubs.listHubIdsHere()) {
    const connection = context.hubs.findHere(hubId)
    if (connection) await renewTokenOf(context, connection)
  }
}

/** Gives a hub another token if its own is due. What fails is logged, and tried again: the token that it has goes on counting. */
export async function renewTokenOf(context: Context, connection: HubConnection): Promise<void> {
  try {
    await renewTokenIfDue(context, connection)
  } catch (error) {
    // A newer connection of the hub is looked at by itself.
    if (error instanceof StaleConnectionError) return
    context.log.warn(
      { err: error, hub_id: connection.hubId },
      'the token of a hub could not be replaced; it is tried again',
    )
  }
}
