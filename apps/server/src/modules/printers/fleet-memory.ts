import type { PrinterStatus } from '@printyard/protocol/printer-state'
import type { Context } from '../../context/context.ts'
import type { Sql } from '../../db/database.ts'
import type { PageMeta } from '../../http/schema.ts'
import type { AccountId, PrinterId } from '../../kernel/ids.ts'
import { RememberedReads } from '../../kernel/remembered-reads.ts'
import { shareWithinTurn } from '../../kernel/share-within-turn.ts'
import { findPrinter, type PrinterRow } from './printers.queries.ts'

/** Rows of printers that are kept, some 2 KB each with their texts: a few farms of usual size. */
const mostRows = 5_000

interface PrinterPage {
  rows: PrinterRow[]
  meta: PageMeta
}

/** Rows of printers in memory, never older than the question: docs/decisions/0039-fleet-in-memory.md says how. */
export interface FleetMemory {
  /** What `read` answered for this list with this query, unless a printer of the account has changed since. */
  findPage(accountId: AccountId, list: string, query: object, read: () => Promise<PrinterPage>): Promise<PrinterPage>
  findPrinter(accountId: AccountId, printerId: PrinterId): Promise<PrinterRow | undefined>
  /** The answer that `write` makes of a page and the statuses of its printers; the last one is kept with the page. */
  bodyOf(page: PrinterPage, statuses: PrinterStatus[], write: () => string): Buffer
}

/** For `context.memory.hold`. */
export function rememberFleets({ db }: Pick<Context, 'db'>, capacity = mostRows): FleetMemory {
  const reads = new RememberedReads(capacity)
  const bodies = new WeakMap<PrinterPage, { statuses: string; body: Buffer }>()
  const findMark = shareWithinTurn((accountId: AccountId) => readMark(db.sql, accountId))

  return {
    async findPage(accountId, list, query, read) {
      const mark = await findMark(accountId)
      return await reads.find(JSON.stringify([accountId, list, query]), mark, read)
    },
    async findPrinter(accountId, printerId) {
      const mark = await findMark(accountId)
      const { rows } = await reads.find(`${accountId} ${printerId}`, mark, async () => {
        const row = await findPrinter(db.sql, accountId, printerId)
        return { rows: row ? [row] : [] }
      })
      return rows[0]
    },
    bodyOf(page, statuses, write) {
      const shown = statuses.join()
      const known = bodies.get(page)
      if (known?.statuses === shown) return known.body
      const body = Buffer.from(write())
      bodies.set(page, { statuses: shown, body })
      return body
    },
  }
}

/** What is another text once a transaction that changed a printer of the account has committed. */
async function readMark(sql: Sql, accountId: AccountId): Promise<string> {
  const [row] = await sql<{ mark: string }[]>`
    select coalesce(string_agg(mark::text, ' ' order by id), '') as mark from printer_marks where account_id = ${accountId}`
  return row?.mark ?? ''
}
