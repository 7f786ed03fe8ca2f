import type { AccountId } from '../kernel/ids.ts'
import type { Sql } from './database.ts'

/** Notice that something of an account has changed. A hint to look, never the truth itself: that is in the tables. */
export interface ChangeNotice {
  accountId: AccountId
  /** Change, as the type of an event: `job.queued`, `printer.updated`, … */
  what: string
  /** Of an event recorded in this process, what it is about. */
  subjectId?: string
}

export type ChangeListener = (notice: ChangeNotice) => void

const deliveries = new WeakMap<object, ChangeListener>()

/** Says where the notices of a handle go: a pool hands them on at once, a transaction when it has committed. */
export function deliverNotices(sql: Sql, deliver: ChangeListener): void {
  deliveries.set(sql, deliver)
}

/**
 * Tells the listeners of the database about a change once it is visible to others: after the commit when `sql` is a
 * transaction, never when it is rolled back. Call it after the statement that made the change.
 */
export function notifyWhenCommitted(sql: Sql, notice: ChangeNotice): void {
  deliveries.get(sql)?.(notice)
}
