import type { Context } from '../../../context/context.ts'
import { orCsv, sendCsv, wantsCsv } from '../../../http/csv.ts'
import { envelope, failures, ok } from '../../../http/schema.ts'
import type { App } from '../../../http/types.ts'
import {
  InventoryReport,
  InventoryReportQuery,
  PrintersQuery,
  PrintersReport,
  ProductionQuery,
  ProductionReport,
  RevenueQuery,
  RevenueReport,
} from './reports.schema.ts'
import { readInventory, readPrinters, readProduction, readRevenue } from './reports.service.ts'

const tags = ['Analytics']
const days = 'By the days of the account, at most 366 of them; without from and to the last 30.'

const produced = [
  'jobs_completed',
  'jobs_failed',
  'units_produced',
  'units_rejected',
  'total_print_time_minutes',
] as const

export function reportRoutes(app: App, context: Context): void {
  app.get(
    '/analytics/production',
    {
      config: { scope: 'read' },
      schema: {
        tags,
        summary: 'Get the production of the farm',
        description: `Jobs that ended, and their units. ${days} Revenue is that of orders, and is null when only the jobs of a printer or a product are looked at.`,
        querystring: ProductionQuery,
        response: { 200: orCsv(envelope(ProductionReport)), ...failures() },
      },
    },
    async (request, reply) => {
      const { by = 'day', format } = request.query
      const report = await readProduction(context, request.actor.accountId, request.query)
      if (!wantsCsv(request, format)) return ok(report)
      const name = `production-by-${by}`
      if (by === 'sku') return sendCsv(reply, name, ['sku', 'product_name', ...produced], report.by_sku)
      if (by === 'printer') return sendCsv(reply, name, ['printer_name', ...produced], report.by_printer)
      return sendCsv(reply, name, ['date', ...produced, 'revenue_cents'], report.daily)
    },
  )

  app.get(
    '/analytics/printers',
    {
      config: { scope: 'read' },
      schema: {
        tags,
        summary: 'Get the work of each printer',
        description: `Jobs, failures and hours of the printers in use, and the share of the time that they printed. ${days}`,
        querystring: PrintersQuery,
        response: { 200: orCsv(envelope(PrintersReport)), ...failures() },
      },
    },
    async (request, reply) => {
      const report = await readPrinters(context, request.actor.accountId, request.query)
      if (!wantsCsv(request, request.query.format)) return ok(report)
      return sendCsv(
        reply,
        'printers',
        [
          'name',
          'model',
          'status',
          'total_jobs',
          'completed',
          'failed',
          'success_rate',
          'failure_count',
          'total_print_hours',
          'utilization_percent',
          'busy_percent',
        ],
        report.printers,
      )
    },
  )

  app.get(
    '/analytics/inventory',
    {
      config: { scope: 'read' },
      schema: {
        tags,
        summary: 'Get the stock that is short, and the filament that was used',
        description: `Stock and spools are those of this moment; usage is the quantity that prints and people took. ${days}`,
        querystring: InventoryReportQuery,
        response: { 200: orCsv(envelope(InventoryReport)), ...failures() },
      },
    },
    async (request, reply) => {
      const { by = 'day', format } = request.query
      const report = await readInventory(context, request.actor.accountId, request.query)
      if (!wantsCsv(request, format)) return ok(report)
      const name = `inventory-by-${by}`
      if (by === 'material') return sendCsv(reply, name, ['material_type', 'total_usage'], report.material_usage)
      if (by === 'day') return sendCsv(reply, name, ['date', 'usage'], report.usage_trend)
      const columns = ['sku', 'product_name', 'color', 'stock_level', 'low_stock_threshold'] as const
      return sendCsv(reply, name, columns, report.low_stock_items)
    },
  )

  app.get(
    '/analytics/revenue',
    {
      config: { scope: 'read' },
      schema: {
        tags,
        summary: 'Get the revenue of orders',
        description: `Orders by their date, in one currency, by default that of the account, without cancelled and refunded ones. ${days} Costs are not part of it.`,
        querystring: RevenueQuery,
        response: { 200: orCsv(envelope(RevenueReport)), ...failures() },
      },
    },
    async (request, reply) => {
      const { by = 'day', format } = request.query
      const report = await readRevenue(context, request.actor.accountId, request.query)
      if (!wantsCsv(request, format)) return ok(report)
      const name = `revenue-by-${by}`
      if (by === 'platform') return sendCsv(reply, name, ['platform', 'orders', 'revenue_cents'], report.by_platform)
      if (by === 'sku') return sendCsv(reply, name, ['sku', 'units', 'orders', 'revenue_cents'], report.by_sku)
      return sendCsv(reply, name, ['date', 'orders', 'revenue_cents'], report.daily)
    },
  )
}
