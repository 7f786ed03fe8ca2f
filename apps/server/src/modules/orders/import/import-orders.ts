import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Context } from '../../../context/context.ts'
import { newId, type OrderId, type SkuId } from '../../../kernel/ids.ts'
import type { Work } from '../../events/work.ts'
import { requireRoom } from '../../quotas/quotas.service.ts'
import { holdListingMaps, type Shop } from '../listings/listing-maps.queries.ts'
import { type NamedLine, nameLines } from '../listings/name-lines.ts'
import { insertOrderItems, insertOrders, type OrderedLine, type OrderToInsert } from '../orders.queries.ts'
import type { NewOrder } from '../orders.schema.ts'
import { orderCreated, statedCurrency, totalOf, wordsOf } from '../orders.service.ts'
import { getOrderSettings } from '../settings/order-settings.service.ts'
import { findEndsOfDays, findShipTimes } from '../settings/ship-times.ts'
import { findKnownOrders } from './known-orders.queries.ts'
import type { DraftOrder, RowProblem } from './read-orders.ts'

export const rowOutcomes = ['created', 'exists', 'skipped', 'refused'] as const

/** Outcome of a row of the file. */
export interface RowResult {
  row: number
  outcome: (typeof rowOutcomes)[number]
  order_number: string
  order_id: OrderId | null
  /** What the line of the row stands for; null for none, or for a row without a line. */
  product_sku_id: SkuId | null
  isUnmapped: boolean
  /** Reason why it was skipped. */
  reason: string | null
  problems: RowProblem[]
}

interface NamedOrder {
  draft: DraftOrder
  body: NewOrder
  lines: OrderedLine[]
}

/** Orders that are written by one statement. */
const ordersInStatement = 250
const linesInStatement = 1000

/**
 * Records the orders of a file that are new, all of them or none. Orders that their shop has already are left alone, so that the
 * same file can be sent again. A dry run looks at the same and writes nothing. `onRows` is told how many rows of the file are done.
 *
 * @throws AppError `QUOTA_EXCEEDED`
 */
export async function importOrders(
  context: Pick<Context, 'config' | 'clock' | 'memory'>,
  work: Work,
  shop: Shop,
  drafts: readonly DraftOrder[],
  { isDryRun, onRows = () => undefined }: { isDryRun: boolean; onRows?: (written: number) => void },
): Promise<RowResult[]> {
  const { sql, accountId } = work
  await holdListingMaps(sql, accountId)
  const named = await nameAll(work, shop, drafts)
  const numbers = named.flatMap(({ body }) => body.order_number ?? [])
  const externalIds = named.flatMap(({ body }) => body.external_id ?? [])
  const find = await findKnownOrders(sql, accountId, shop, { numbers, externalIds })

  const outcomes = new Map<DraftOrder, Outcome>()
  const fresh: NamedOrder[] = []
  for (const order of named) {
    const known = find(order.body)
    if (known === undefined) fresh.push(order)
    else outcomes.set(order.draft, known)
  }
  if (isDryRun) for (const { draft } of fresh) outcomes.set(draft, { outcome: 'created', orderId: null })
  else {
    if (fresh.length > 0) await requireRoom(context, sql, accountId, 'orders', fresh.length)
    const others = rowsIn(drafts) - rowsIn(fresh.map(({ draft }) => draft))
    const written = await writeOrders(work, shop, fresh, (rows) => onRows(others + rows))
    const missed = fresh.filter(({ draft }) => !written.has(draft))
    // Another request has recorded them since this one looked.
    const now = missed.length === 0 ? find : await findKnownOrders(sql, accountId, shop, { numbers, externalIds })
    for (const { draft, body } of fresh) {
      const orderId = written.get(draft)
      outcomes.set(
        draft,
        orderId ? { outcome: 'created', orderId } : (now(body) ?? { outcome: 'exists', orderId: null }),
      )
    }
  }
  const lines = new Map(named.map((order) => [order.draft, order.lines]))
  return drafts
    .flatMap((draft) => rowsOf(draft, outcomes.get(draft), lines.get(draft) ?? []))
    .sort((a, b) => a.row - b.row)
}

/** Outcome of an order that is as it should be. */
export interface Outcome {
  outcome: 'created' | 'exists' | 'refused'
  orderId: OrderId | null
  problem?: { field: string; message: string }
}

async function nameAll({ sql, accountId }: Work, shop: Shop, drafts: readonly DraftOrder[]): Promise<NamedOrder[]> {
  const good = drafts.flatMap((draft) => (draft.body ? [{ draft, body: draft.body }] : []))
  const names = await nameLines(
    sql,
    accountId,
    shop,
    good.flatMap(({ body }) => body.items),
  )
  let at = 0
  return good.map(({ draft, body }) => {
    const lines = body.items.map((item) => {
      const name = names[at] as NamedLine
      at += 1
      return { ...item, ...name }
    })
    return { draft, body, lines }
  })
}

const rowsIn = (drafts: readonly DraftOrder[]) => drafts.reduce((sum, { rows }) => sum + rows.length, 0)

async function writeOrders(
  work: Work,
  shop: Shop,
  fresh: readonly NamedOrder[],
  onRows: (written: number) => void,
): Promise<Map<DraftOrder, OrderId>> {
  const { sql, accountId, now } = work
  const settings = await getOrderSettings(sql, accountId)
  const dates = fresh.map(({ body }) => body.order_date ?? now)
  const shipTimes = await findShipTimes<Date | string>(sql, settings, dates)
  const ends = await findEndsOfDays(
    sql,
    settings,
    fresh.flatMap(({ draft }) => draft.shipDay ?? []),
  )
  const written = new Map<DraftOrder, OrderId>()
  let done = 0
  for (let start = 0; start < fresh.length; start += ordersInStatement) {
    const part = fresh.slice(start, start + ordersInStatement).map((order, index) => {
      const { items: _items, allow_unmapped: _allow, ...body } = order.body
      const numbered = { ...body, ...shop, order_number: body.order_number ?? '' }
      const row: OrderToInsert = {
        ...numbered,
        id: newId('order', now.getTime()),
        items_total: totalOf(order.lines),
        currency: body.currency ?? statedCurrency(settings),
        ship_by:
          ends.get(order.draft.shipDay ?? '') ?? body.ship_by ?? shipTimes.get(dates[start + index] ?? now) ?? null,
        words: wordsOf(numbered, order.lines),
      }
      return { ...order, row }
    })
    const ids = new Set(
      await insertOrders(
        work,
        part.map(({ row }) => row),
      ),
    )
    const inserted = part.filter(({ row }) => ids.has(row.id))
    const lines = inserted.flatMap(({ row, lines: its }) => its.map((line) => ({ ...line, order_id: row.id })))
    for (let line = 0; line < lines.length; line += linesInStatement) {
      await insertOrderItems(work, lines.slice(line, line + linesInStatement))
    }
    await work.recordAll(inserted.map(({ row, lines: its }) => orderCreated(row, its, settings.currency)))
    for (const { draft, row } of inserted) written.set(draft, row.id)
    done += rowsIn(part.map(({ draft }) => draft))
    onRows(done)
    await nextTurn()
  }
  return written
}

function rowsOf(draft: DraftOrder, outcome: Outcome | undefined, lines: readonly NamedLine[]): RowResult[] {
  const lineOfRow = new Map(draft.itemRows.map((row, index) => [row, lines[index]]))
  const problem = outcome?.problem
  return draft.rows.map((row, index) => {
    const line = lineOfRow.get(row)
    const ofRow = draft.problems.filter((each) => each.row === row)
    return {
      row,
      outcome: draft.isOver !== undefined ? 'skipped' : (outcome?.outcome ?? 'refused'),
      order_number: draft.order_number,
      order_id: outcome?.orderId ?? null,
      product_sku_id: line?.product_sku_id ?? null,
      isUnmapped: line !== undefined && line.product_sku_id === null,
      reason: draft.isOver ?? null,
      problems: problem && index === 0 ? [...ofRow, { row, column: draft.columnOf(problem.field), ...problem }] : ofRow,
    }
  })
}
