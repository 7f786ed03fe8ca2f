import { objectOf, textOf } from '../contract/read-text.ts'
import { ShopProblem } from '../contract/shop-problem.ts'

/** Orders of one page; with their lines they cost a fraction of what the smallest plan allows at once. */
const ordersInPage = 10

/** As for other shops: the next read begins so much before the last change. */
const overlapMs = 5 * 60_000

/** Position to read on from: at changes from `at` on; after the place `after` in their list where one second fills more than a page. */
interface OrderCursor {
  at: string
  after: string
}

export const cursorAt = (at: Date): OrderCursor => ({ at: second(at.getTime()), after: '' })

const second = (ms: number) => `${new Date(ms).toISOString().slice(0, 19)}Z`

/** @throws Error for what is none */
export function readCursor(value: unknown): OrderCursor {
  const { at, after } = objectOf(value)
  if (typeof at !== 'string' || Number.isNaN(Date.parse(at)) || typeof after !== 'string') {
    throw new Error('the cursor of a shop cannot be read')
  }
  return { at, after }
}

export function variablesOf({ at, after }: OrderCursor) {
  return { first: ordersInPage, after: after === '' ? null : after, query: `updated_at:>='${at}'` }
}

/**
 * Answers where to read on after a page. An order that changes while pages are read moves to the end of the list, and no other moves: what is read
 * next begins at a time, or at a place that the shop itself keeps.
 */
export function follow(
  cursor: OrderCursor,
  nodes: readonly Record<string, unknown>[],
  pageInfo: Record<string, unknown>,
): { cursor: OrderCursor; isLast: boolean } {
  const last = nodes.at(-1)
  const changedMs = last === undefined ? Date.parse(cursor.at) : changeOf(last)
  if (pageInfo.hasNextPage !== true) {
    const at = Math.max(Date.parse(cursor.at), changedMs - overlapMs)
    return { cursor: { at: second(at), after: '' }, isLast: true }
  }
  if (changedMs - (changedMs % 1_000) > Date.parse(cursor.at))
    return { cursor: { at: second(changedMs), after: '' }, isLast: false }
  const after = textOf(pageInfo.endCursor, 2_000)
  if (after === '') throw new ShopProblem('unlike', 'The shop does not tell where its list continues.')
  return { cursor: { at: cursor.at, after }, isLast: false }
}

function changeOf(order: Record<string, unknown>): number {
  const ms = Date.parse(textOf(order.updatedAt, 40))
  if (Number.isNaN(ms)) throw new ShopProblem('unlike', 'The shop does not say when an order changed.')
  return ms
}
