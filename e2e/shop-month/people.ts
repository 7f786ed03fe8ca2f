import { setTimeout as wait } from 'node:timers/promises'
import { type Draw, drawAbout } from '@printyard/virtual-printers/farm/draw'
import { drawFailure } from '@printyard/virtual-printers/farm/floor-life'
import { fateOfLastOrder } from '../fault-runs/device-log.ts'
import type { KnownOrder } from './month-record.ts'
import { attempt, codeOfSku, type Shop } from './shop.ts'
import { unlessRefused } from './shop-api.ts'
import { daySeconds } from './shop-plan.ts'
import { planReturn } from './take-orders.ts'

interface Task {
  id: string
  title: string
  task_type: string
  printer_id: string | null
}

interface AssemblyTask {
  id: string
  kind: 'print_assembly' | 'kit_assembly'
  product_sku_id: string
  quantity: number
}

const lookMs = 100
/** People are there from six in the morning to ten at night. */
const workHours = [6, 22] as const
const rejectedPlates = 0.05
const rejectedAssemblies = 0.04
/** Parts of a kit are not there yet, or what was to be put together was found bad meanwhile. */
const notYet = ['INSUFFICIENT_FOR_KIT', 'INSUFFICIENT_STOCK']
const asksForFate = /^Is the print of |: did it print /

/** What changed between the look of a person and what they did. */
const changedMeanwhile = ['JOB_STATE_CHANGED', 'INVALID_STATE', 'NOT_FOUND', 'INVALID_STATUS_TRANSITION']

/**
 * The people of the shop, by the public API and with their hands alone: they take plates off and say what is bad, have failed
 * prints printed again, put together what the worklist asks for, and pack each order that is whole. Until aborted.
 */
export async function workThroughMonth(shop: Shop, signal: AbortSignal): Promise<void> {
  const visits = new Map<string, number>()
  const unlucky = new Set<string>()
  async function untilLeaving(work: () => Promise<void>): Promise<void> {
    while (!signal.aborted) {
      const hour = (shop.clock.now() % daySeconds) / 3_600
      if (workHours[0] <= hour && hour < workHours[1]) await shop.clock.keepUpWith(work)
      await wait(lookMs, undefined, { signal }).catch(() => undefined)
    }
  }
  await Promise.all([
    untilLeaving(async () => {
      await lookAtPrinters(shop, visits, unlucky)
      await retryFailed(shop)
    }),
    untilLeaving(async () => {
      await putTogether(shop)
      await shop.production.assemble()
    }),
    untilLeaving(() => shipWhole(shop)),
  ])
}

async function lookAtPrinters(shop: Shop, visits: Map<string, number>, unlucky: Set<string>): Promise<void> {
  const tasks = await shop.api.all<Task>('/worklist?status=pending')
  for (const [printerId, its] of Map.groupBy(tasks, ({ printer_id }) => printer_id)) {
    if (printerId === null) continue
    if (its.some(({ title }) => asksForFate.test(title))) await attempt(shop.record, tellFate(shop, printerId))
    const toClear = its.find(({ task_type }) => task_type === 'collection')
    if (!toClear) continue
    const visit = (visits.get(printerId) ?? 0) + 1
    visits.set(printerId, visit)
    await attempt(shop.record, clearPlate(shop, printerId, toClear, { visit, unlucky }))
  }
}

/** Says of a print whose end no one saw what lies there. */
async function tellFate(shop: Shop, printerId: string): Promise<void> {
  const [job] = await shop.api.get<{ id: string }[]>(`/jobs?printer_id=${printerId}&status=printing&limit=1`)
  const sight = await shop.use(printerId, { deed: 'look' })
  if (!job || !sight) return
  const outcome = fateOfLastOrder(sight.events) === 'completed' ? 'printed' : 'failed'
  await shop.api.post(`/jobs/${job.id}/resolve`, { outcome })
}

async function clearPlate(
  shop: Shop,
  printerId: string,
  task: Task,
  { visit, unlucky }: { visit: number; unlucky: Set<string> },
): Promise<void> {
  const { api, plan, furnished, record } = shop
  const name = furnished.printers.get(printerId)?.name ?? ''
  const sight = await shop.use(printerId, { deed: 'take_off' })
  if (!sight?.isDone || sight.isBusy) return
  const draw = drawAbout(plan.seed, `plate ${name} ${visit}`)
  const isGood = fateOfLastOrder(sight.events) === 'completed'
  const bad = isGood && draw.chance(rejectedPlates) ? await pickBad(shop, printerId, draw) : undefined
  // Before the plate is clear: the next print begins at once.
  const willFail = drawFailure(plan, name, visit) !== null
  if (willFail !== unlucky.has(printerId)) {
    await api.patch(`/printers/${printerId}`, { connection: willFail ? { faults: ['print_failure'] } : {} })
    if (willFail) unlucky.add(printerId)
    else unlucky.delete(printerId)
  }
  await api.put(`/worklist/${task.id}/status`, {
    status: 'completed',
    ...(bad && { rejected: [{ product_sku_id: bad.skuId, quantity: bad.units }] }),
  })
  record.platesCleared += 1
  if (!bad) return
  const units = { code: codeOfSku(shop, bad.skuId), units: bad.units }
  record.rejected.add(units.code, units.units)
}

/** One or two pieces of one SKU that lay on the plate. */
async function pickBad(
  shop: Shop,
  printerId: string,
  draw: Draw,
): Promise<{ skuId: string; units: number } | undefined> {
  const jobs = await shop.api.get<{ id: string; time_completed: string | null }[]>(
    `/jobs?printer_id=${printerId}&status=completed&limit=50`,
  )
  const job = jobs.toSorted((a, b) => (b.time_completed ?? '').localeCompare(a.time_completed ?? ''))[0]
  if (!job) return undefined
  const { outputs, attempts } = await shop.api.get<{
    outputs: { product_sku_id: string; units: number; units_per_plate: number; units_rejected: number }[]
    attempts: { printer_id: string; outcome: string | null }[]
  }>(`/jobs/${job.id}/plan`)
  if (attempts.every(({ printer_id, outcome }) => printer_id !== printerId || outcome !== 'done')) return undefined
  const output = draw.pick(outputs)
  const most = Math.min(2, output.units_per_plate, output.units - output.units_rejected)
  return most < 1 ? undefined : { skuId: output.product_sku_id, units: draw.integer(1, most) }
}

async function retryFailed({ api, record, furnished }: Shop): Promise<void> {
  for (const { id } of await api.get<{ id: string }[]>('/jobs?status=failed&limit=100')) {
    const { outputs } = await api.get<{ outputs: { product_sku_id: string; units: number }[] }>(`/jobs/${id}/plan`)
    const retried = await attempt(record, api.post(`/jobs/${id}/retry`))
    if (retried === undefined) continue
    record.jobsRetried += 1
    for (const { product_sku_id, units } of outputs) {
      record.givenUp.add(codeOfSku({ furnished }, product_sku_id), units)
    }
  }
}

/** Whatever the worklist asks to put together, wherever its parts are there. */
async function putTogether(shop: Shop): Promise<void> {
  for (const task of await shop.api.all<AssemblyTask>('/assembly?status=pending')) {
    await complete(shop, task)
  }
}

/** Puts together all that a task asks for; one of a few pieces turns out bad now and then. False: not yet. */
export async function complete(shop: Shop, task: AssemblyTask): Promise<boolean> {
  const { api, plan, record } = shop
  const draw = drawAbout(plan.seed, `assembly ${record.assembled.total} ${task.product_sku_id}`)
  const rejected = task.kind === 'print_assembly' && draw.chance(rejectedAssemblies) ? 1 : 0
  const completed = task.quantity - rejected
  const done = await unlessRefused(
    [...notYet, ...changedMeanwhile, 'TASK_ALREADY_COMPLETED', 'VALIDATION_ERROR'],
    api.post(`/assembly/${task.id}/complete`, { quantity_completed: completed, quantity_rejected: rejected }),
  )
  if (done === undefined) return false
  const code = codeOfSku(shop, task.product_sku_id)
  if (rejected > 0) {
    record.rejected.add(code, rejected)
    await shop.production.lose(null, { code, units: rejected })
  }
  if (task.kind === 'print_assembly') return true
  record.assembled.add(code, completed)
  const kit = plan.kits.find((each) => each.code === code)
  for (const part of kit?.parts ?? []) record.usedInKits.add(part.code, part.units * completed)
  return true
}

interface OrderPlan {
  lines: { units: number; shipped: number; cancelled: number; from_stock: number }[]
}

/** Packs each order of which all open units are held on the shelf. */
async function shipWhole(shop: Shop): Promise<void> {
  const { api, record } = shop
  for (const status of ['processing', 'printed', 'assembled']) {
    for (const { id } of await api.all<{ id: string }>(`/orders?status=${status}`)) {
      const order = record.orders.get(id)
      // An order of which a part has left is in process until the rest has, however much of that lies there.
      if (order?.state !== 'open') continue
      if (status === 'processing' && order.shippedAt === null && !order.hasLeftInPart) continue
      const { lines } = await api.get<OrderPlan>(`/orders/${id}/plan`)
      const isWhole =
        lines.length > 0 && lines.every((line) => line.units - line.shipped - line.cancelled === line.from_stock)
      if (isWhole) await ship(shop, order)
    }
  }
}

async function ship(shop: Shop, order: KnownOrder): Promise<void> {
  const { api, clock, record } = shop
  const parcel = { carrier: 'Post', tracking_number: `T-${order.planned.number}` }
  const answer = await attempt(
    record,
    api.post<{ order: { status: string }; lines: { product_sku_id: string; taken: number }[] }>(
      `/orders/${order.id}/fulfill`,
      parcel,
    ),
  )
  if (!answer) return
  for (const { product_sku_id, taken } of answer.lines) {
    if (taken > 0) record.shipped.add(codeOfSku(shop, product_sku_id), taken)
  }
  order.hasLeftInPart = answer.order.status !== 'fulfilled'
  if (order.hasLeftInPart) {
    record.refused.add('left in part', 1)
    return
  }
  order.state = 'shipped'
  const isFirst = order.shippedAt === null
  order.shippedAt ??= clock.now()
  if (isFirst) planReturn(shop, order)
}
