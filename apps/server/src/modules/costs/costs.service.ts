import type { Sql } from '../../db/database.ts'
import { notFound } from '../../kernel/errors.ts'
import type { AccountId, JobId, OrderId, SkuId } from '../../kernel/ids.ts'
import { minorDigits } from '../orders/settings/currencies.ts'
import { addCosts, type Cost, scaleCost } from './calculation/cost.ts'
import { fromMinorUnits } from './calculation/money.ts'
import { type OrderFacts, type OrderMargin, orderMargin } from './calculation/order-cost.ts'
import { nothingPrinted, plannedPlateCost, printedPlatesCost } from './calculation/plate-cost.ts'
import type { UnitCost } from './calculation/sku-cost.ts'
import { loadRates } from './load-rates.ts'
import { groupPrinted, loadUnitCosts } from './load-unit-costs.ts'
import {
  type LineToCost,
  listLinesToCost,
  listOrderLabour,
  listOrdersToCost,
  listPackagingUsed,
  type OrderToCost,
  oneOrder,
} from './order-facts.queries.ts'
import { plannedPlate } from './planned-plate.ts'
import {
  listPlateLabour,
  listPlatesOfJob,
  listRuns,
  listSpoolsUsed,
  type PlateOfJob,
  platesOfJob,
} from './printed.queries.ts'
import { findJobToCost } from './sku-facts.queries.ts'

/** @throws AppError `NOT_FOUND` */
export async function readSkuCost(
  sql: Sql,
  accountId: AccountId,
  id: SkuId,
): Promise<UnitCost & { currency: string; goodUnits: number }> {
  const rates = await loadRates(sql, accountId)
  const { skus, unitCostOf } = await loadUnitCosts(sql, accountId, rates, [id])
  const facts = skus.get(id)
  if (!facts) throw notFound('SKU')
  return { ...unitCostOf(id), currency: rates.currency, goodUnits: facts.printed?.goodUnits ?? 0 }
}

interface JobCosts {
  currency: string
  /** One plate, and all of them. */
  estimate: { plate: Cost; whole: Cost }
  /** All plates that ended, bad ones among them. */
  actual: Cost
  /** Null of a job for no SKU. */
  goodUnits: number | null
  plates: { plate: PlateOfJob; cost: Cost }[]
}

/** @throws AppError `NOT_FOUND` */
export async function readJobCost(sql: Sql, accountId: AccountId, id: JobId): Promise<JobCosts> {
  const [job, rates] = await Promise.all([findJobToCost(sql, accountId, id), loadRates(sql, accountId)])
  if (!job) throw notFound('job')
  const which = platesOfJob(id)
  const [plates, runs, spools, labour] = await Promise.all([
    listPlatesOfJob(sql, accountId, id),
    listRuns(sql, accountId, which),
    listSpoolsUsed(sql, accountId, which),
    listPlateLabour(sql, accountId, which),
  ])
  const { printer_id: printerId, printer_name: printerName, filament_needed_grams: grams } = job
  const plate = plannedPlateCost(
    rates,
    plannedPlate(job, {
      filamentType: job.wanted_filament,
      color: job.color,
      grams: grams === null ? null : grams / job.plates_total,
      ...(printerId !== null && {
        machine: { printer: { id: printerId, name: printerName ?? printerId }, model: job.model },
      }),
    }),
  )
  const printed = groupPrinted({ runs, spools, labour })
  const subject = { kind: 'job', id, name: job.product_name ?? job.file_name } as const
  const costs = plates.map((each) => ({
    plate: each,
    cost: printedPlatesCost(rates, printed.get(each.id) ?? nothingPrinted, subject),
  }))
  return {
    currency: rates.currency,
    estimate: { plate, whole: scaleCost(plate, job.plates_total) },
    actual: addCosts(costs.map(({ cost }) => cost)),
    goodUnits: job.has_outputs ? job.good_units : null,
    plates: costs,
  }
}

/** @throws AppError `NOT_FOUND` */
export async function readOrderCost(
  sql: Sql,
  accountId: AccountId,
  id: OrderId,
): Promise<OrderMargin & { currency: string }> {
  const { margins, currency } = await loadOrderMargins(sql, accountId, oneOrder(id))
  const [margin] = margins
  if (!margin) throw notFound('order')
  return { ...margin, currency }
}

/** Answers what orders earn, in as many statements for one as for all of a year. */
export async function loadOrderMargins(
  sql: Sql,
  accountId: AccountId,
  scope: ReturnType<typeof oneOrder>,
): Promise<{ currency: string; margins: (OrderMargin & { date: string })[] }> {
  const [rates, orders, lines, packaging, labour] = await Promise.all([
    loadRates(sql, accountId),
    listOrdersToCost(sql, accountId, scope),
    listLinesToCost(sql, accountId, scope),
    listPackagingUsed(sql, accountId, scope),
    listOrderLabour(sql, accountId, scope),
  ])
  const sold = lines.flatMap(({ product_sku_id: skuId }) => (skuId === null ? [] : [skuId]))
  const { unitCostOf } = await loadUnitCosts(sql, accountId, rates, sold)
  const linesOf = Map.groupBy(lines, (row) => row.order_id)
  const packagingOf = Map.groupBy(packaging, (row) => row.order_id)
  const labourOf = new Map(labour.map((row) => [row.order_id, row.seconds]))
  const margins = orders.map((order) => {
    const facts = orderFacts(order, linesOf.get(order.id) ?? [], {
      packaging: packagingOf.get(order.id) ?? [],
      labourSeconds: labourOf.get(order.id) ?? null,
    })
    return { ...orderMargin(rates, facts, unitCostOf), date: order.date }
  })
  return { currency: rates.currency, margins }
}

function orderFacts(
  order: OrderToCost,
  lines: readonly LineToCost[],
  taken: Pick<OrderFacts, 'packaging' | 'labourSeconds'>,
): OrderFacts {
  const digits = minorDigits(order.currency)
  const amountOf = (minor: number) => fromMinorUnits(minor, digits)
  const isRefunded = order.status === 'refunded'
  return {
    id: order.id,
    number: order.order_number,
    platform: order.platform,
    currency: order.currency,
    paid: isRefunded ? 0n : amountOf(order.total_revenue),
    goods: isRefunded ? 0n : amountOf(order.total_revenue - order.tax_amount - order.shipping_cost),
    lines: lines.map((line) => ({
      id: line.id,
      skuId: line.product_sku_id,
      name: line.sku || line.product_name,
      units: line.quantity * line.pack_size,
      price: amountOf(line.total_price),
      shippedUnits: line.shipped,
      restockedUnits: line.restocked,
    })),
    hasLeft:
      lines.some(({ shipped }) => shipped > 0) &&
      lines.every(({ fulfillment_status: status }) => status === 'fulfilled'),
    ...taken,
  }
}
