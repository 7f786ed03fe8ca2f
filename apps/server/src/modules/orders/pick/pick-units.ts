import { AppError, validationError } from '../../../kernel/errors.ts'
import type { OrderId } from '../../../kernel/ids.ts'
import { lockItemsOfSkus } from '../../catalogue/inventory/stock-ledger.ts'
import type { Work } from '../../events/work.ts'
import { setPin } from '../../planning/pegs/pins.queries.ts'
import { replan } from '../../planning/replan/replan.ts'
import { getOrderLocked } from '../orders.service.ts'
import { isEnded } from '../state/order-status.ts'
import { findHeldUnits, listPickLines, type PickLine, writePick } from './picks.queries.ts'
import { settlePicks } from './settle-picks.ts'
import { shareOf } from './share-of.ts'

/**
 * Takes units off the shelves for an order: all that is due of it, or what of it lies in one bin. Nothing that the plan holds for
 * another order is taken, and a personalised line takes what was made for it alone; what is picked already stays, so that a bin that is scanned twice is picked once.
 *
 * @throws AppError `ORDER_ALREADY_FULFILLED`, `ORDER_CANNOT_FULFILL`, `INSUFFICIENT_STOCK`, or `VALIDATION_ERROR` for a bin with
 *   nothing of the order
 */
export async function pickUnits(work: Work, orderId: OrderId, bin?: string): Promise<PickLine[]> {
  const { sql, accountId } = work
  // Callers that take stock wait for the plan before any row of an order is locked.
  await replan(work, orderId)
  const order = await getOrderLocked(sql, accountId, orderId)
  if (order.status === 'fulfilled') throw new AppError('ORDER_ALREADY_FULFILLED')
  if (isEnded(order.status)) {
    throw new AppError('ORDER_CANNOT_FULFILL', { status: order.status }, { details: { status: order.status } })
  }
  // People who pick the same SKU for several orders wait for one another.
  await lockItemsOfSkus(
    sql,
    accountId,
    order.items.flatMap(({ product_sku_id }) => product_sku_id ?? []),
  )
  const lines = await listPickLines(sql, accountId, orderId)
  const wanted = lines.filter((line) => (bin === undefined ? line.is_due : isBin(line, bin)))
  if (bin !== undefined && wanted.length === 0) throw validationError({ bin: ['holds nothing of this order'] })
  const picked = sharePicks(lines, wanted)
  const short = wanted.filter((line) => line.picked + (picked.get(line) ?? 0) < line.open)
  if (picked.size === 0 && short.length > 0) throw nothingThere(short)
  for (const [line, units] of picked) {
    await writePick(work, { order_id: orderId, order_item_id: line.order_item_id, units: line.picked + units })
    await holdPicked(work, line, line.picked + units)
  }
  if (picked.size > 0) {
    await work.record({
      type: 'order.units_picked',
      subjectId: orderId,
      data: {
        lines: [...picked].map(([{ order_item_id, product_sku_id }, quantity]) => ({
          order_item_id,
          product_sku_id,
          quantity,
        })),
      },
    })
    await settlePicks(work, orderId)
  }
  return listPickLines(sql, accountId, orderId)
}

/** No plan gives what was picked to another order, however pressing that is. What is held for the line alone already is enough. */
async function holdPicked(work: Work, { order_item_id, product_sku_id }: PickLine, units: number): Promise<void> {
  if (product_sku_id === null) return
  const held = await findHeldUnits(work.sql, work.accountId, { order_item_id, product_sku_id })
  if (held >= units) return
  const pin = { order_item_id, product_sku_id, supply_kind: 'ready_stock' as const, supply_id: product_sku_id }
  await setPin(work, { ...pin, units })
}

/** All that is due of an order, or nothing. @throws AppError `INSUFFICIENT_STOCK` and as `pickUnits` */
export async function pickWhole(work: Work, orderId: OrderId): Promise<void> {
  const lines = await pickUnits(work, orderId)
  const short = lines.filter(({ open, picked, is_due }) => is_due && picked < open)
  if (short.length > 0) throw nothingThere(short)
}

/** The label of a bin has the ID of its inventory item; names are typed by hand. */
function isBin({ bin, inventory_item_id }: PickLine, asked: string): boolean {
  const code = asked.trim()
  return code === inventory_item_id || (bin !== '' && bin.toLowerCase() === code.toLowerCase())
}

/** Answers what each line gets of what is on the shelf. Lines of one SKU draw on the same units, but for personalised ones. */
function sharePicks(lines: readonly PickLine[], wanted: readonly PickLine[]): Map<PickLine, number> {
  const left = new Map<string | null, number>(lines.map((line) => [shareOf(line), line.on_shelf]))
  for (const line of lines) left.set(shareOf(line), (left.get(shareOf(line)) ?? 0) - line.picked)
  const picked = new Map<PickLine, number>()
  for (const line of wanted) {
    const units = Math.min(line.open - line.picked, Math.max(0, left.get(shareOf(line)) ?? 0))
    if (units <= 0 || line.product_sku_id === null) continue
    left.set(shareOf(line), (left.get(shareOf(line)) ?? 0) - units)
    picked.set(line, units)
  }
  return picked
}

function nothingThere(short: readonly PickLine[]): AppError {
  const lines = short.map(({ order_item_id, sku, open, picked, on_shelf }) => ({
    order_item_id,
    sku,
    needed: open - picked,
    available: Math.max(0, on_shelf - picked),
  }))
  const available = Math.max(...lines.map((line) => line.available))
  return new AppError('INSUFFICIENT_STOCK', { available }, { details: { available, lines } })
}
