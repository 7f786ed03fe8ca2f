import { objectOf, textOf } from '../contract/read-text.ts'
import { ShopProblem } from '../contract/shop-problem.ts'

/** Orders of one page. */
export const ordersInPage = 50

/**
 * Time before the last change at which the next read begins, when nothing more has changed: what was written in one second, or by a transaction
 * that took its time, may show later than what came after it.
 */
const overlapMs = 5 * 60_000

/**
 * Position to read on from, by the clock of the shop: at changes from `at` on, without the first `skip` of them, of which `last` is the last. Only
 * a second that fills more than a page is read in several.
 */
export interface OrderCursor {
  at: string
  skip: number
  last: string
}

const instant = (at: number) => new Date(at).toISOString().slice(0, 19)
const millis = (at: string) => Date.parse(`${at}Z`)

export const cursorAt = (at: Date): OrderCursor => ({ at: instant(at.getTime()), skip: 0, last: '' })

/** The moment from which a cursor reads on, in milliseconds. */
export const startMsOf = ({ at }: OrderCursor): number => millis(at)

/** @throws Error for what is none */
export function readCursor(value: unknown): OrderCursor {
  const { at, skip, last } = objectOf(value)
  if (typeof at !== 'string' || Number.isNaN(millis(at)) || typeof skip !== 'number' || typeof last !== 'string') {
    throw new Error('the cursor of a shop cannot be read')
  }
  return { at, skip, last }
}

/**
 * Answers what the shop is asked for. Its bound is exclusive and has whole seconds; the last row that was read comes once more, to
 * be recognised.
 */
export function queryOf({ at, skip }: OrderCursor): Record<string, string | number> {
  return {
    orderby: 'modified',
    order: 'asc',
    dates_are_gmt: 'true',
    modified_after: instant(millis(at) - 1_000),
    per_page: ordersInPage,
    offset: Math.max(0, skip - 1),
  }
}

/**
 * The rows of a page that are new, and where to read on. An order that changes meanwhile moves to the end of the list, and all others move
 * up by one; so a page that does not begin with the row that the last one ended with is read again from the beginning of its second.
 */
export function follow(
  cursor: OrderCursor,
  rows: readonly unknown[],
): { rows: unknown[]; cursor: OrderCursor; isLast: boolean } {
  if (cursor.skip > 0 && idOf(rows[0]) !== cursor.last) {
    return { rows: [], cursor: { ...cursor, skip: 0, last: '' }, isLast: false }
  }
  const fresh = cursor.skip > 0 ? rows.slice(1) : [...rows]
  const end = fresh.at(-1)
  const changedAt = end === undefined ? cursor.at : changeOf(end)
  if (rows.length < ordersInPage) {
    const at = millis(changedAt) - overlapMs
    const isLater = end !== undefined && at > millis(cursor.at)
    return { rows: fresh, cursor: { at: isLater ? instant(at) : cursor.at, skip: 0, last: '' }, isLast: true }
  }
  const isLater = millis(changedAt) > millis(cursor.at)
  const skip = Math.max(0, cursor.skip - 1) + rows.length
  return {
    rows: fresh,
    cursor: isLater ? { at: changedAt, skip: 0, last: '' } : { at: cursor.at, skip, last: idOf(end) },
    isLast: false,
  }
}

const idOf = (row: unknown) => textOf(objectOf(row).id, 200)

function changeOf(row: unknown): string {
  const at = textOf(objectOf(row).date_modified_gmt, 40).slice(0, 19)
  if (Number.isNaN(millis(at))) throw new ShopProblem('unlike', `The order ${idOf(row)} does not say when it changed.`)
  return at
}
