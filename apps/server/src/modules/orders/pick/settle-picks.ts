import type { OrderId, OrderItemId } from '../../../kernel/ids.ts'
import type { Work } from '../../events/work.ts'
import { isDedicatedItem, setPin } from '../../planning/pegs/pins.queries.ts'
import { closeFarmTask, openFarmTask } from '../../worklist/farm-tasks.ts'
import type { OrderWithItems } from '../orders.queries.ts'
import { getOrderLocked } from '../orders.service.ts'
import { isEnded } from '../state/order-status.ts'
import { stageOf } from './pick-state.ts'
import { listPickLines, listPicks, type PickLine, writePick } from './picks.queries.ts'
import { shareOf } from './share-of.ts'

/**
 * Brings what was picked for an order, and its tasks, up to date with what is open of it. Call it in the transaction of whatever
 * changes the order, which is locked here.
 *
 * @param isReady whether the shelves have all that is due, by the plan of this moment; without it the shelves are not looked at, and an
 *   open task to pick is left to who knows
 */
export async function settlePicks(work: Work, orderId: OrderId, isReady?: boolean): Promise<void> {
  const { sql, accountId } = work
  const order = await getOrderLocked(sql, accountId, orderId)
  const listed = isEnded(order.status) ? [] : await listPickLines(sql, accountId, orderId)
  const lines = isReady === undefined ? listed : withoutMissing(listed)
  await trimPicks(work, order, lines)
  const due = lines.filter((line) => line.is_due)
  const stage = stageOf(due, isReady ?? false)
  const isOver = lines.length === 0
  if (stage !== 'pack') await close(work, 'pack', order, isOver && !isEnded(order.status))
  if (stage === 'pack') {
    await close(work, 'pick', order, true)
    await openFarmTask(work, packTask(order))
  } else if (stage === 'pick') {
    await openFarmTask(work, pickTask(order, due))
  } else if (isOver || isReady === false) {
    await close(work, 'pick', order, isOver && !isEnded(order.status))
  }
}

/** The lines without picked units that are there no more, such as after a count: what comes in their place is to be picked. */
function withoutMissing(lines: readonly PickLine[]): PickLine[] {
  const left = new Map(lines.map((line) => [shareOf(line), line.on_shelf]))
  return lines.map((line) => {
    const picked = Math.min(line.picked, Math.max(0, left.get(shareOf(line)) ?? 0))
    left.set(shareOf(line), (left.get(shareOf(line)) ?? 0) - picked)
    return { ...line, picked }
  })
}

/** No more is picked than is open and there: the rest is missing, or goes back to the shelf. */
async function trimPicks(work: Work, order: OrderWithItems, lines: readonly PickLine[]): Promise<void> {
  const picked = new Map(lines.map((line) => [line.order_item_id, Math.min(line.picked, line.open)]))
  for (const { order_item_id, units } of await listPicks(work.sql, work.accountId, order.id)) {
    const most = picked.get(order_item_id) ?? 0
    if (units <= most) continue
    // What left is held no more already.
    if (most > 0) await writePick(work, { order_id: order.id, order_item_id, units: most })
    else await putBackPicked(work, order, order_item_id)
  }
}

/** What was picked for a line goes back to its bin, and is free for others unless it was made for this line. */
export async function putBackPicked(work: Work, order: OrderWithItems, order_item_id: OrderItemId): Promise<void> {
  await writePick(work, { order_id: order.id, order_item_id, units: 0 })
  const skuId = order.items.find(({ id }) => id === order_item_id)?.product_sku_id
  if (!skuId || (await isDedicatedItem(work, order_item_id))) return
  const pin = { order_item_id, product_sku_id: skuId, supply_kind: 'ready_stock' as const, supply_id: skuId }
  await setPin(work, { ...pin, units: 0 })
}

async function close(work: Work, source: 'pick' | 'pack', { id }: OrderWithItems, isDone: boolean): Promise<void> {
  await closeFarmTask(work, { source, subjectId: id }, isDone ? 'completed' : 'cancelled')
}

const priorities = { low: 'low', normal: 'medium', high: 'high', urgent: 'high' } as const

/** Nothing that tells who the customer is stands in a task: it is erased with the order, not with its tasks. */
function taskOf(order: OrderWithItems, what: string) {
  return {
    title: `${what} order ${order.order_number}`,
    task_type: 'collection' as const,
    priority: priorities[order.priority],
    subjectId: order.id,
    printerId: null,
  }
}

/** Answers what a task to pick says of its size: `3 units from 2 places`. */
export function describePick({ lines, units }: { lines: number; units: number }): string {
  return `${units} ${units === 1 ? 'unit' : 'units'} from ${lines} ${lines === 1 ? 'place' : 'places'}`
}

function pickTask(order: OrderWithItems, lines: readonly PickLine[]) {
  const places = lines.map(({ bin, sku, open }) => `${bin === '' ? 'No bin' : bin}: ${open} × ${sku}`)
  return {
    ...taskOf(order, 'Pick'),
    source: 'pick' as const,
    subtitle: describePick({ lines: lines.length, units: lines.reduce((sum, { open }) => sum + open, 0) }),
    description: places.join('\n'),
  }
}

function packTask(order: OrderWithItems) {
  return {
    ...taskOf(order, 'Pack'),
    source: 'pack' as const,
    subtitle: '',
    description: 'All that leaves now is picked. Completing this makes the parcel.',
  }
}
