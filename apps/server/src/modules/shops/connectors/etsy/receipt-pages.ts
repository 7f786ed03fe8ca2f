import { objectOf, textOf } from '../contract/read-text.ts'
import { ShopProblem } from '../contract/shop-problem.ts'

/** Receipts of one page. */
const receiptsInPage = 50

/** Time before the last change at which the next read begins, when nothing more has changed. */
const overlapSeconds = 5 * 60

/** Etsy takes no earlier time. */
const firstSecond = 946_684_800

/** Position to read on from: at changes from the second `at` on, without the first `skip` of them, of which `last` is the last. */
interface ReceiptCursor {
  at: number
  skip: number
  last: string
}

export const cursorAt = (at: Date): ReceiptCursor => ({
  at: Math.max(firstSecond, Math.floor(at.getTime() / 1_000)),
  skip: 0,
  last: '',
})

/** @throws Error for what is none */
export function readCursor(value: unknown): ReceiptCursor {
  const { at, skip, last } = objectOf(value)
  if (!Number.isSafeInteger(at) || !Number.isSafeInteger(skip) || typeof last !== 'string') {
    throw new Error('the cursor of a shop cannot be read')
  }
  return { at: Number(at), skip: Number(skip), last }
}

/** The last row that was read comes once more, to be recognised. */
export function queryOf({ at, skip }: ReceiptCursor): Record<string, string | number> {
  return {
    sort_on: 'updated',
    sort_order: 'asc',
    min_last_modified: at,
    limit: receiptsInPage,
    offset: Math.max(0, skip - 1),
  }
}

/**
 * The receipts of a page that are new, and where to read on. A receipt that changes meanwhile moves to the end of the list and all others move
 * up; so a page that does not begin with the row that the last one ended with is read again from the beginning of its second.
 */
export function follow(
  cursor: ReceiptCursor,
  rows: readonly Record<string, unknown>[],
): { rows: Record<string, unknown>[]; cursor: ReceiptCursor; isLast: boolean } {
  if (cursor.skip > 0 && idOf(rows[0]) !== cursor.last) {
    return { rows: [], cursor: { ...cursor, skip: 0, last: '' }, isLast: false }
  }
  const fresh = cursor.skip > 0 ? rows.slice(1) : [...rows]
  const end = fresh.at(-1)
  const changedAt = end === undefined ? cursor.at : changeOf(end)
  if (rows.length < receiptsInPage) {
    return {
      rows: fresh,
      cursor: { at: Math.max(cursor.at, changedAt - overlapSeconds), skip: 0, last: '' },
      isLast: true,
    }
  }
  if (changedAt > cursor.at) return { rows: fresh, cursor: { at: changedAt, skip: 0, last: '' }, isLast: false }
  const skip = Math.max(0, cursor.skip - 1) + rows.length
  return { rows: fresh, cursor: { at: cursor.at, skip, last: idOf(end) }, isLast: false }
}

const idOf = (row: unknown) => textOf(objectOf(row).receipt_id, 40)

function changeOf(row: Record<string, unknown>): number {
  const at = Number(row.updated_timestamp ?? row.update_timestamp)
  if (!Number.isSafeInteger(at))
    throw new ShopProblem('unlike', `The receipt ${idOf(row)} does not say when it changed.`)
  return at
}
