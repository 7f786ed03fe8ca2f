import type { PrinterStatus } from '@printyard/protocol/printer-state'
import type { Context } from '../../context/context.ts'
import type { PageMeta } from '../../http/schema.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { HubId, PrinterId } from '../../kernel/ids.ts'
import { RememberedReads } from '../../kernel/remembered-reads.ts'
import { type AttachedPrinter, findPrinter, type PrinterRow } from './printers.queries.ts'

/** Rows of printers that are kept, some 2 KB each with their texts: a few farms of usual size. */
const mostRows = 5_000

interface PrinterPage {
  rows: PrinterRow[]
  meta: PageMeta
}

/** Who asks, and which state the printers were in then; without a mark nothing is answered from memory. */
export type FleetAsker = Pick<Actor, 'accountId' | 'printerMark'>

/** Rows of printers in memory, never older than the question: docs/decisions/0039-fleet-in-memory.md says how. */
export interface FleetMemory {
  /** Answers what `read` answered for this list with this query, unless a printer of the account has changed since. */
  findPage(actor: Actor, list: string, query: object, read: () => Promise<PrinterPage>): Promise<PrinterPage>
  findPrinter(actor: Actor, printerId: PrinterId): Promise<PrinterRow | undefined>
  /** What `read` answered for these hubs, in the same way. */
  listAttached(
    asker: FleetAsker,
    hubIds: readonly HubId[],
    read: () => Promise<AttachedPrinter[]>,
  ): Promise<readonly AttachedPrinter[]>
  /**
   * The answer that `write` makes of a page and the statuses of its printers. The last one is kept with the page: no status is looked up
   * while `statusMark` is the same, and nothing is written while the statuses are.
   */
  bodyOf(
    page: PrinterPage,
    statusMark: number,
    statusOf: (row: PrinterRow) => PrinterStatus,
    write: (printers: { row: PrinterRow; status: PrinterStatus }[]) => string,
  ): Buffer
}

/** For `context.memory.hold`. */
export function rememberFleets({ db }: Pick<Context, 'db'>, capacity = mostRows): FleetMemory {
  const reads = new RememberedReads(capacity)
  const bodies = new WeakMap<PrinterPage, { statusMark: number; statuses: string; body: Buffer }>()

  /** Without a mark nothing is known of the rows in memory. */
  function find<T extends { rows: object[] }>(asker: FleetAsker, what: string, read: () => Promise<T>): Promise<T> {
    const { accountId, printerMark } = asker
    return printerMark === undefined ? read() : reads.find(accountId, what, printerMark, read)
  }

  return {
    findPage: (actor, list, query, read) => find(actor, JSON.stringify([list, query]), read),
    async findPrinter(actor, printerId) {
      const { rows } = await find(actor, printerId, async () => {
        const row = await findPrinter(db.sql, actor.accountId, printerId)
        return { rows: row ? [row] : [] }
      })
      return rows[0]
    },
    async listAttached(asker, hubIds, read) {
      const { rows } = await find(asker, JSON.stringify(['hubs', hubIds]), async () => ({ rows: await read() }))
      return rows
    },
    bodyOf(page, statusMark, statusOf, write) {
      const known = bodies.get(page)
      if (known?.statusMark === statusMark) return known.body
      const shown = page.rows.map((row) => ({ row, status: statusOf(row) }))
      const statuses = shown.map(({ status }) => status).join()
      const body = known?.statuses === statuses ? known.body : Buffer.from(write(shown))
      bodies.set(page, { statusMark, statuses, body })
      return body
    },
  }
}
