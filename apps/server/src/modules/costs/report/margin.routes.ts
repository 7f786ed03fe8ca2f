import type { Context } from '../../../context/context.ts'
import { orCsv, sendCsv, wantsCsv } from '../../../http/csv.ts'
import { envelope, failures, ok } from '../../../http/schema.ts'
import type { App } from '../../../http/types.ts'
import { listDays, readDays } from '../../analytics/report-days.ts'
import { type MarginReport as Report, reportMargins, type SkuMargin, sumOrders } from '../calculation/margin-report.ts'
import { loadOrderMargins } from '../costs.service.ts'
import { ordersOfDays } from '../order-facts.queries.ts'
import { MarginQuery, MarginReport, presentFigures } from './margin.schema.ts'

/** Rows of a list that an answer shows: a page of them is looked at, the whole is for a spreadsheet. */
const mostRows = 200

type Figures = ReturnType<typeof presentFigures>

/** The columns of a spreadsheet that stand for what was earned. */
const figureColumns = [
  'revenue',
  'estimated_cost',
  'estimated_cost_known',
  'estimated_margin',
  'estimated_margin_percent',
  'actual_revenue',
  'actual_cost',
  'actual_cost_known',
  'actual_margin',
  'actual_margin_percent',
  'unknown',
] as const

/** Routes for what orders earn, for owners and admins alone. */
export function marginRoutes(routes: App, { db, clock }: Context): void {
  routes.get(
    '/costs/margin',
    {
      config: { scope: 'read', role: 'admin' },
      schema: {
        summary: 'Get the margin of orders, SKUs and days',
        description:
          'Orders of some days, without those that were cancelled or refunded. At most 366 days; without from and to the last 30.',
        querystring: MarginQuery,
        response: { 200: orCsv(envelope(MarginReport)), ...failures('FORBIDDEN', 'NOT_FOUND') },
      },
    },
    async (request, reply) => {
      const { actor, query } = request
      const { reports: sql } = db
      const days = await readDays(sql, actor.accountId, query, clock.now())
      const { currency, margins } = await loadOrderMargins(sql, actor.accountId, ordersOfDays(days))
      const report = reportMargins(margins)
      if (wantsCsv(request, query.format)) {
        const { by = 'order' } = query
        const { columns, rows } = csvRows[by](report)
        return sendCsv(reply, `margin-by-${by}`, [...columns, ...figureColumns], rows)
      }
      const { total, foreignOrders, orders, skus } = report
      return ok({
        date_range: { from: days.from, to: days.to },
        currency,
        summary: {
          orders: total.orders,
          other_currency_orders: foreignOrders,
          estimate: presentFigures(total.estimate),
          shipped_orders: total.shipped?.orders ?? 0,
          actual: total.shipped && presentFigures(total.shipped.actual),
        },
        daily: listDays(days).map((date) => {
          const { orders: count, estimate } = report.days.get(date) ?? sumOrders([])
          return { date, orders: count, estimate: presentFigures(estimate) }
        }),
        by_order: orders.slice(0, mostRows).map(presentOrder),
        orders_left_off: Math.max(0, orders.length - mostRows),
        by_sku: skus.slice(0, mostRows).map(presentSku),
        skus_left_off: Math.max(0, skus.length - mostRows),
      })
    },
  )
}

function presentOrder({ order, date, estimate, actual }: Report['orders'][number]) {
  return {
    order_id: order.id,
    order_number: order.number,
    platform: order.platform,
    date,
    currency: order.currency,
    estimate: presentFigures(estimate),
    actual: actual && presentFigures(actual),
  }
}

function presentSku({ skuId, name, units, estimate, shipped }: SkuMargin) {
  return {
    product_sku_id: skuId,
    sku: name,
    units,
    estimate: presentFigures(estimate),
    shipped_units: shipped?.units ?? 0,
    actual: shipped && presentFigures(shipped.actual),
  }
}

type CsvRow = Record<string, string | number | null>

const csvRows: Record<'order' | 'sku' | 'day', (report: Report) => { columns: string[]; rows: CsvRow[] }> = {
  order: ({ orders }) => ({
    columns: ['date', 'order_number', 'platform', 'currency'],
    rows: orders
      .map(presentOrder)
      .map(({ estimate, actual, ...order }) => ({ ...order, ...inColumns(estimate, actual) })),
  }),
  sku: ({ skus }) => ({
    columns: ['sku', 'units', 'shipped_units'],
    rows: skus.map(presentSku).map(({ estimate, actual, ...sku }) => ({ ...sku, ...inColumns(estimate, actual) })),
  }),
  day: ({ days }) => ({
    columns: ['date', 'orders'],
    rows: [...days]
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([date, { orders, estimate, shipped }]) => ({
        date,
        orders,
        ...inColumns(presentFigures(estimate), shipped && presentFigures(shipped.actual)),
      })),
  }),
}

function inColumns(estimate: Figures, actual: Figures | null): CsvRow {
  const missing = [...estimate.unknown, ...(actual?.unknown ?? [])].map(({ input, subject }) => `${input}: ${subject}`)
  return {
    revenue: estimate.revenue,
    estimated_cost: estimate.cost,
    estimated_cost_known: estimate.known_cost,
    estimated_margin: estimate.margin,
    estimated_margin_percent: estimate.margin_percent,
    actual_revenue: actual?.revenue ?? null,
    actual_cost: actual?.cost ?? null,
    actual_cost_known: actual?.known_cost ?? null,
    actual_margin: actual?.margin ?? null,
    actual_margin_percent: actual?.margin_percent ?? null,
    unknown: [...new Set(missing)].join('; '),
  }
}
