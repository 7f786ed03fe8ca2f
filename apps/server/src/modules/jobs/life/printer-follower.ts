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

export interface PrinterFollower {
  /** Has what a printer shows now recorded, soon, and again while the database is away. */
  see(printerId: PrinterId): void
  /** Records what a printer of a hub of this process shows now. Resolves once it is recorded. */
  look(printerId: PrinterId): Promise<void>
}

/**
 * Records what printers show, for each printer one look at a time for all who ask, and always at its newest picture: a look
 * that began earlier never writes after a later one. A printer that changes faster than the database writes costs one look more,
 * not one for each change. A printer tells a change once, so while the database is away it is looked at again until it was recorded.
 */
export function createPrinterFollower(
  context: Following,
  record: (printerId: PrinterId, live: LivePrinter) => Promise<void>,
): PrinterFollower {
  const look = inOrder(async (printerId) => {
    const live = context.printers.findHere(printerId)
    if (live) await record(printerId, live)
  })
  const looks = new KeyedWorker<PrinterId>(
    async (printerId) => {
      if (!context.isDraining()) await look(printerId)
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
  return {
    look,
    see: (printerId) => void looks.request(printerId, undefined, context.printers.find(printerId)?.accountId),
  }
}

/** One call after the other for each printer, in the order in which they were made; a failed one does not keep the next from its turn. */
function inOrder(look: (printerId: PrinterId) => Promise<void>): (printerId: PrinterId) => Promise<void> {
  const ends = new Map<PrinterId, Promise<void>>()
  return (printerId) => {
    const before = ends.get(printerId)
    const turn = before ? before.then(() => look(printerId)) : look(printerId)
    const end = turn
      .catch(() => undefined)
      .then(() => {
        if (ends.get(printerId) === end) ends.delete(printerId)
      })
    ends.set(printerId, end)
    return turn
  }
}
