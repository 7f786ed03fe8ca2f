import type { Context } from '../../../context/context.ts'
import { isConnectionError } from '../../../db/database-errors.ts'
import type { PrinterId } from '../../../kernel/ids.ts'
import { KeyedWorker } from '../../../kernel/keyed-worker.ts'
import { StaleConnectionError } from '../../../live/fences.ts'
import type { LivePrinter, LivePrinters } from '../../../live/printers.ts'

/** Time after a failure before a printer is looked at again. */
const lookAgainMs = 1_000

/** Printers of one account that are looked at at once: a hub whose printers all change leaves the database to others. */
const mostLooksOfAccount = 2

type Following = Pick<Context, 'log' | 'isDraining'> & { printers: Pick<LivePrinters, 'find' | 'findHere'> }

/**
 * Records what printers show, for each printer one look at a time and always at its newest picture: a printer that changes faster
 * than the database writes costs one look more, not one for each change. A printer tells a change once, so while the database is
 * away it is looked at again until it was recorded.
 */
export function createPrinterFollower(
  context: Following,
  record: (printerId: PrinterId, live: LivePrinter) => Promise<void>,
): (printerId: PrinterId) => void {
  const looks = new KeyedWorker<PrinterId>(
    async (printerId) => {
      const live = context.printers.findHere(printerId)
      if (live && !context.isDraining()) await record(printerId, live)
    },
    {
      atOncePerLane: mostLooksOfAccount,
      onError(error, printerId) {
        if (isConnectionError(error)) return lookAgainMs
        // What it shows now is told to the newer connection of its hub.
        if (error instanceof StaleConnectionError) return undefined
        context.log.error({ err: error, printer_id: printerId }, 'what a printer shows could not be recorded')
        return undefined
      },
    },
  )
  return (printerId) => void looks.request(printerId, undefined, context.printers.find(printerId)?.accountId)
}
