import type { Context } from '../../context/context.ts'
import type { Sql } from '../../db/database.ts'
import type { AccountId, PrinterId } from '../../kernel/ids.ts'
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

/** Notices printers that may have become free, such as those whose plates are cleared, until it is disposed of. */
export class FreedPrinters implements Disposable {
  readonly #context: Context
  readonly #accountId: AccountId
  readonly #known: Set<PrinterId>
  readonly #stop: (() => void)[]
  #hasNews = false

  /** @param known printers that are not news */
  constructor(context: Context, accountId: AccountId, known: Iterable<PrinterId>) {
    this.#context = context
    this.#accountId = accountId
    this.#known = new Set(known)
    this.#stop = [
      context.db.onChange(({ accountId: of, what }) => {
        if (of === accountId && what.startsWith('printer.')) this.#hasNews = true
      }),
      context.printers.onTelemetry((_, before, { accountId: of, state }) => {
        if (of === accountId && state.status === 'idle' && before?.status !== 'idle') this.#hasNews = true
      }),
    ]
  }

  /** True when something was told since the last call of `take` that may have freed a printer. */
  get hasNews(): boolean {
    return this.#hasNews
  }

  /** Those that have become ready since the last call. */
  async take(sql: Sql): Promise<PrinterForRules[]> {
    if (!this.#hasNews) return []
    this.#hasNews = false
    const idle = this.#context.printers.listIdle(this.#accountId).filter((id) => !this.#known.has(id))
    if (idle.length === 0) return []
    const ready = await listReadyPrinters(this.#context, sql, this.#accountId, idle)
    for (const { id } of ready) this.#known.add(id)
    return ready
  }

  [Symbol.dispose](): void {
    for (const stop of this.#stop) stop()
  }
}
