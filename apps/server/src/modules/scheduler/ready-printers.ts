import type { Context } from '../../context/context.ts'
import type { Sql } from '../../db/database.ts'
import { type AccountId, type PrinterId, readId } from '../../kernel/ids.ts'
import { findOwnLive } from '../../live/own-printer.ts'
import { listFreePrinters, type PrinterForRules } from '../matching/matching.queries.ts'
import { judgePlate } from '../printers/plate/plate-judgement.ts'

/**
 * The printers that may take a job now, or those of them that are asked for. Only the process that holds a hub's connection can send to
 * it, and so only it plans for the hub's printers.
 */
export async function listReadyPrinters(
  context: Context,
  sql: Sql,
  accountId: AccountId,
  printerIds?: readonly PrinterId[],
): Promise<PrinterForRules[]> {
  const rows = await listFreePrinters(sql, accountId, printerIds)
  return rows.filter((row) => {
    const { live } = findOwnLive(context, accountId, row)
    const state = live?.isElsewhere ? undefined : live?.state
    // What the printer shows at this moment may not have reached the record of its plate yet.
    return state?.status === 'idle' && !judgePlate({ ...row, live_attempt_id: null }, state)
  })
}

/** Gathers printers that may have become free, such as those whose plates are cleared, until it is disposed of. */
export class FreedPrinters implements Disposable {
  readonly #context: Context
  readonly #accountId: AccountId
  /** Printers of the account of which an event or a report has told something. */
  readonly #touched = new Set<PrinterId>()
  readonly #stop: (() => void)[]
  #told = Promise.withResolvers<'told'>()

  constructor(context: Context, accountId: AccountId) {
    this.#context = context
    this.#accountId = accountId
    this.#stop = [
      context.db.onChange(({ accountId: of, what, subjectId }) => {
        const printerId = of === accountId && subjectId !== undefined && readId('printer', subjectId)
        if (printerId && what.startsWith('printer.')) this.#touch(printerId)
      }),
      context.printers.onTelemetry((printerId, before, { accountId: of, state }) => {
        if (of === accountId && state.status === 'idle' && before?.status !== 'idle') this.#touch(printerId)
      }),
    ]
  }

  #touch(printerId: PrinterId): void {
    this.#touched.add(printerId)
    this.#told.resolve('told')
  }

  /** Resolves when something was told since the last call of `take`. */
  told(): Promise<'told'> {
    return this.#told.promise
  }

  /** Those that are ready now, of which something was told since the last call. @param planned printers that have their place in a plan */
  async take(sql: Sql, planned: ReadonlySet<PrinterId>): Promise<PrinterForRules[]> {
    const ids = [...this.#touched].filter((id) => !planned.has(id))
    this.#touched.clear()
    this.#told = Promise.withResolvers()
    return ids.length === 0 ? [] : listReadyPrinters(this.#context, sql, this.#accountId, ids)
  }

  [Symbol.dispose](): void {
    for (const stop of this.#stop) stop()
  }
}
