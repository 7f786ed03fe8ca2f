import type { Context } from '../../../context/context.ts'
import type { AccountId } from '../../../kernel/ids.ts'
import { fromStored } from '../../materials/material-kinds.ts'
import { getOrderSettings, requireCurrency } from '../../orders/settings/order-settings.service.ts'
import { statusNow } from '../../printers/live-printer.ts'
import { busyPercent } from '../../timeline/busy-percent.ts'
import { sumFarmTime } from '../../timeline/timeline.queries.ts'
import { countLowStock } from '../analytics.queries.ts'
import { listDays, type ReportDays, readDays } from '../report-days.ts'
import {
  countFailuresByPrinter,
  countJobsByPrinter,
  countMaterials,
  countOrdersByCurrency,
  listActivePrinters,
  listFilament,
  listProductionByDay,
  listProductionByPrinter,
  listProductionBySku,
  listRevenueByDay,
  listRevenueByPlatform,
  listRevenueBySku,
  listShortItems,
  listUsageByDay,
  listUsageByType,
  type ProductionFilter,
} from './reports.queries.ts'
import type { InventoryFigures, Printers, Production, Revenue } from './reports.schema.ts'

interface Days {
  from?: string
  to?: string
}

type Known = Pick<Context, 'db' | 'clock'>

const tenth = (value: number) => Math.round(value * 10) / 10
const sum = (values: number[]) => values.reduce((total, value) => total + value, 0)
const mean = (values: number[]) => (values.length === 0 ? 0 : sum(values) / values.length)

/** A row for every day: that of the day, or one of nothing. */
function everyDay<Row extends { date: string }>(days: ReportDays, rows: Row[], nothing: Omit<Row, 'date'>): Row[] {
  const byDate = new Map(rows.map((row) => [row.date, row]))
  // Both parts of the row are there; TypeScript does not put them together.
  return listDays(days).map((date) => byDate.get(date) ?? ({ ...nothing, date } as Row))
}

export async function readProduction(
  { db, clock }: Known,
  accountId: AccountId,
  query: Days & ProductionFilter,
): Promise<Production> {
  const { reports: sql } = db
  const days = await readDays(sql, accountId, query, clock.now())
  const isWhole = query.printer_id === undefined && query.product_id === undefined
  const [daily, bySku, byPrinter, revenue] = await Promise.all([
    listProductionByDay(sql, accountId, days, query),
    listProductionBySku(sql, accountId, days, query),
    listProductionByPrinter(sql, accountId, days, query),
    isWhole ? listRevenueByDay(sql, accountId, days) : [],
  ])
  const nothing = {
    jobs_completed: 0,
    jobs_failed: 0,
    units_produced: 0,
    units_rejected: 0,
    total_print_time_minutes: 0,
  }
  const revenueOf = new Map(revenue.map((row) => [row.date, row.revenue_cents]))
  const completed = sum(daily.map((row) => row.jobs_completed))
  const failed = sum(daily.map((row) => row.jobs_failed))
  return {
    date_range: { from: days.from, to: days.to },
    summary: {
      jobs_completed: completed,
      jobs_failed: failed,
      units_produced: sum(daily.map((row) => row.units_produced)),
      units_rejected: sum(daily.map((row) => row.units_rejected)),
      completion_rate: completed + failed === 0 ? 0 : tenth((completed / (completed + failed)) * 100),
      total_print_time_hours: tenth(sum(daily.map((row) => row.total_print_time_minutes)) / 60),
      revenue_cents: isWhole ? sum(revenue.map((row) => row.revenue_cents)) : null,
    },
    daily: everyDay(days, daily, nothing).map((row) => ({
      ...row,
      revenue_cents: isWhole ? (revenueOf.get(row.date) ?? 0) : null,
    })),
    by_sku: bySku,
    by_printer: byPrinter,
  }
}

export async function readPrinters(
  context: Pick<Context, 'db' | 'clock' | 'hubs' | 'printers'>,
  accountId: AccountId,
  query: Days,
): Promise<Printers> {
  const { reports: sql } = context.db
  const now = context.clock.now()
  const days = await readDays(sql, accountId, query, now)
  // What is left of today has not been there to print in.
  const span = { from: days.starts_at, to: days.ends_at < now ? days.ends_at : now }
  const [places, jobs, times, failures] = await Promise.all([
    listActivePrinters(sql, accountId),
    countJobsByPrinter(sql, accountId, days),
    span.from < span.to ? sumFarmTime(sql, accountId, span) : [],
    countFailuresByPrinter(sql, accountId, days),
  ])
  const jobsOf = new Map(jobs.map((row) => [row.printer_id, row]))
  const timesOf = Map.groupBy(times, (row) => row.printer_id)
  const printMinutes = (some: typeof times) =>
    sum(some.filter(({ cause }) => cause === 'printing').map(({ ms }) => ms)) / 60_000
  const failuresOf = new Map(failures.map((row) => [row.printer_id, row.count]))
  const wallMinutes = (span.to.getTime() - span.from.getTime()) / 60_000
  const printers = places.map((printer) => {
    const { completed = 0, failed = 0 } = jobsOf.get(printer.id) ?? {}
    const onRecord = timesOf.get(printer.id) ?? []
    const printed = printMinutes(onRecord)
    return {
      id: printer.id,
      name: printer.name,
      model: printer.model,
      status: statusNow(context, accountId, printer),
      in_maintenance: printer.in_maintenance,
      total_jobs: completed + failed,
      completed,
      failed,
      success_rate: completed + failed === 0 ? 100 : tenth((completed / (completed + failed)) * 100),
      failure_count: failuresOf.get(printer.id) ?? 0,
      total_print_hours: tenth(printed / 60),
      total_print_minutes: Math.round(printed),
      utilization_percent: wallMinutes <= 0 ? 0 : Math.min(100, tenth((printed / wallMinutes) * 100)),
      busy_percent: busyPercent(onRecord) ?? null,
    }
  })
  return {
    date_range: { from: days.from, to: days.to },
    summary: {
      total_printers: printers.length,
      average_utilization: tenth(mean(printers.map((printer) => printer.utilization_percent))),
      busy_percent: busyPercent(times) ?? null,
      average_success_rate: tenth(mean(printers.map((printer) => printer.success_rate))),
      total_jobs: sum(printers.map((printer) => printer.total_jobs)),
      total_print_hours: tenth(printMinutes(times) / 60),
      total_print_minutes: Math.round(printMinutes(times)),
    },
    printers,
  }
}

export async function readInventory(
  { db, clock }: Known,
  accountId: AccountId,
  query: Days,
): Promise<InventoryFigures> {
  const { reports: sql } = db
  const days = await readDays(sql, accountId, query, clock.now())
  const [lowStock, items, materials, filament, usage, trend] = await Promise.all([
    countLowStock(sql, accountId),
    listShortItems(sql, accountId),
    countMaterials(sql, accountId),
    listFilament(sql, accountId),
    listUsageByType(sql, accountId, days),
    listUsageByDay(sql, accountId, days),
  ])
  const grams = (stored: number) => fromStored('filament', stored)
  return {
    date_range: { from: days.from, to: days.to },
    summary: { low_stock_skus: lowStock, ...materials },
    low_stock_items: items,
    filament_inventory: filament.map(({ type, color, status, remaining, low_threshold }) => ({
      type,
      color,
      status,
      remaining_grams: grams(remaining),
      low_threshold: grams(low_threshold),
    })),
    material_usage: usage.map((row) => ({ material_type: row.material_type, total_usage: grams(row.usage) })),
    usage_trend: everyDay(days, trend, { usage: 0 }).map((row) => ({ date: row.date, usage: grams(row.usage) })),
  }
}

/** @throws AppError `VALIDATION_ERROR` for a currency that ISO 4217 does not have */
export async function readRevenue(
  { db, clock }: Known,
  accountId: AccountId,
  { currency, ...query }: Days & { currency?: string },
): Promise<Revenue> {
  const { reports: sql } = db
  if (currency !== undefined) requireCurrency(currency)
  const days = await readDays(sql, accountId, query, clock.now())
  const [settings, currencies, daily, byPlatform, bySku] = await Promise.all([
    getOrderSettings(sql, accountId),
    countOrdersByCurrency(sql, accountId, days),
    listRevenueByDay(sql, accountId, days, currency),
    listRevenueByPlatform(sql, accountId, days, currency),
    listRevenueBySku(sql, accountId, days, currency),
  ])
  const total = sum(byPlatform.map((row) => row.revenue_cents))
  const orders = sum(byPlatform.map((row) => row.orders))
  return {
    date_range: { from: days.from, to: days.to },
    currency: currency ?? settings.currency,
    currencies,
    summary: {
      total_revenue_cents: total,
      order_count: orders,
      average_order_value: orders === 0 ? 0 : Math.round(total / orders),
    },
    by_platform: byPlatform,
    by_sku: bySku,
    daily: everyDay(days, daily, { revenue_cents: 0, orders: 0 }),
  }
}
