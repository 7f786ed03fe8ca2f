import type { Context } from '../../../context/context.ts'
import { isConnectionError } from '../../../db/database-errors.ts'
import type { HubConnections, LivePrinter } from '../../../live/hub-connections.ts'

/** How long after a failure a printer is looked at again. */
const lookAgainMs = 1_000

type Following = Pick<Context, 'log' | 'isDraining'> & { hubs: Pick<HubConnections, 'findLive'> }

/**
 * Records what printers show, for each printer one look at a time and always at its newest picture: a printer that changes faster
 * than the database writes costs one look more, not one for each change. A printer tells a change once, so while the database is
 * away it is looked at again until it was recorded.
 */
export function createPrinterFollower(
  context: Following,
  record: (printerId: string, live: LivePrinter) => Promise<void>,
): (printerId: string) => void {
  /** Printers that are being looked at; true when there is something newer to see. */
  const looking = new Map<string, boolean>()

  async function look(printerId: string): Promise<void> {
    for (let isNewer = true; isNewer; isNewer = looking.get(printerId) === true) {
      looking.set(printerId, false)
      const live = context.hubs.findLive(printerId)
      if (!live || context.isDraining()) break
      try {
        await record(printerId, live)
      } catch (error) {
        if (isConnectionError(error)) setTimeout(() => see(printerId), lookAgainMs).unref()
        else context.log.error({ err: error, printer_id: printerId }, 'what a printer shows could not be recorded')
      }
    }
    looking.delete(printerId)
  }

  function see(printerId: string): void {
    if (looking.has(printerId)) looking.set(printerId, true)
    else void look(printerId)
  }

  return see
}
