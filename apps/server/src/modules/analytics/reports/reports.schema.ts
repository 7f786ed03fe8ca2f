import Type, { type Static } from 'typebox'
import { answer, idOf, nullable, request, resource } from '../../../http/schema.ts'
import { currencyCode } from '../../orders/settings/order-settings.schema.ts'
import { count, date, dateRange, daysQuery, percent, rowsBy } from './report-parts.ts'

export const ProductionQuery = request({
  ...daysQuery,
  by: rowsBy(['day', 'printer', 'sku']),
  printer_id: Type.Optional(idOf('printer', 'Only jobs of this printer')),
  product_id: Type.Optional(idOf('product', 'Only jobs of this product')),
})
export const PrintersQuery = request(daysQuery)
export const InventoryReportQuery = request({ ...daysQuery, by: rowsBy(['day', 'material', 'sku']) })
export const RevenueQuery = request({
  ...daysQuery,
  by: rowsBy(['day', 'platform', 'sku']),
  currency: Type.Optional(
    currencyCode('Only orders in this currency, in its minor unit; default: those in the currency of the account'),
  ),
})

const cents = (description: string) => Type.Number({ description: `${description}, in cents` })
const grams = (description: string) => Type.Number({ description: `${description}, in g` })
const revenue = nullable(cents('Revenue of orders; null when only some jobs are looked at'))
const produced = {
  jobs_completed: count('Jobs that were completed'),
  jobs_failed: count('Jobs that failed'),
  units_produced: count('Good units of completed jobs'),
  units_rejected: count('Units that were found bad'),
}
const printTime = count('Minutes that these jobs were printed')

export const ProductionReport = resource('ProductionReport', 'Production of the farm', {
  date_range: dateRange,
  summary: answer(
    {
      ...produced,
      completion_rate: percent('Completed jobs among those that ended; 0 without any'),
      total_print_time_hours: Type.Number({ minimum: 0, description: 'Hours that these jobs were printed' }),
      revenue_cents: revenue,
    },
    { description: 'All days together' },
  ),
  daily: Type.Array(
    answer(
      { date, ...produced, total_print_time_minutes: printTime, revenue_cents: revenue },
      { description: 'One day' },
    ),
    { description: 'Every day in order' },
  ),
  by_sku: Type.Array(
    answer(
      {
        product_sku_id: Type.String({ description: 'The SKU' }),
        sku: Type.String({ description: 'Its code' }),
        product_name: Type.String({ description: 'Name of its product' }),
        ...produced,
        total_print_time_minutes: printTime,
      },
      { description: 'One SKU' },
    ),
    { description: 'The hundred SKUs with the most units' },
  ),
  by_printer: Type.Array(
    answer(
      {
        printer_id: Type.String({ description: 'The printer that had the job last' }),
        printer_name: Type.String({ description: 'Its name' }),
        ...produced,
        total_print_time_minutes: printTime,
      },
      { description: 'One printer' },
    ),
    { description: 'The hundred printers that ended the most jobs' },
  ),
})

export const PrintersReport = resource('PrintersReport', 'Work of each printer', {
  date_range: dateRange,
  summary: answer(
    {
      total_printers: count('Printers in use'),
      average_utilization: percent('Mean `utilization_percent` of the printers'),
      busy_percent: nullable(
        percent('Share of the time on record of all printers that they printed (null: none is on record)'),
      ),
      average_success_rate: percent('Mean success rate of the printers'),
      total_jobs: count('Jobs that were completed or failed'),
      total_print_hours: Type.Number({ minimum: 0, description: 'Hours that they printed together' }),
      total_print_minutes: count('The same in minutes'),
    },
    { description: 'All printers in use together' },
  ),
  printers: Type.Array(
    answer(
      {
        id: Type.String({ description: 'ID of the printer' }),
        name: Type.String({ description: 'Its name' }),
        model: Type.String({ description: 'Its model' }),
        status: Type.String({ description: 'Current status', examples: ['idle'] }),
        in_maintenance: Type.Boolean({ description: 'Whether a person took it out of service' }),
        total_jobs: count('Jobs that were completed or failed on it'),
        completed: count('Jobs that were completed'),
        failed: count('Jobs that failed'),
        success_rate: percent('Completed jobs among them; 100 without any'),
        failure_count: count('Prints that failed or were stopped on it'),
        total_print_hours: Type.Number({ minimum: 0, description: 'Hours that it printed' }),
        total_print_minutes: count('The same in minutes'),
        utilization_percent: percent('Share of all the time of these days that it printed, on record or not'),
        busy_percent: nullable(percent('Share of its time on record that it printed (null: none is on record)')),
      },
      { description: 'One printer' },
    ),
    { description: 'Printers in use by their names' },
  ),
})

export const InventoryReport = resource('InventoryReport', 'Stock that is short, and filament that was used', {
  date_range: dateRange,
  summary: answer(
    {
      low_stock_skus: count('Active inventory items that are low or out of stock'),
      low_filament_spools: count('Spools that are low or used up'),
      total_material_types: count('Types of filament'),
    },
    { description: 'Current counts of the stock' },
  ),
  low_stock_items: Type.Array(
    answer(
      {
        id: Type.String({ description: 'ID of the inventory item' }),
        sku: Type.String({ description: 'Code of the SKU' }),
        color: Type.String({ description: 'Colour of the SKU; empty when unknown' }),
        stock_level: Type.Integer({ description: 'Ready stock' }),
        low_stock_threshold: Type.Integer({ description: 'Ready stock at or below this counts as low' }),
        product_name: Type.String({ description: 'Name of the product' }),
      },
      { description: 'One item' },
    ),
    { description: 'The twenty with the least stock of those that are short' },
  ),
  filament_inventory: Type.Array(
    answer(
      {
        type: Type.String({ description: 'Filament type' }),
        color: Type.String({ description: 'Colour; empty when unknown' }),
        status: Type.String({ description: 'in_stock, low or out_of_stock', examples: ['in_stock'] }),
        remaining_grams: grams('Filament left on the spool'),
        low_threshold: grams('Threshold: a spool with this much left or less is low'),
      },
      { description: 'One spool' },
    ),
    { description: 'Spools, those with the least left first; at most 500' },
  ),
  material_usage: Type.Array(
    answer(
      {
        material_type: Type.String({ description: 'Filament type' }),
        total_usage: grams('Filament of the type that was used'),
      },
      { description: 'One type' },
    ),
    { description: 'Filament by type, the most used first' },
  ),
  usage_trend: Type.Array(answer({ date, usage: grams('Filament that was used') }, { description: 'One day' }), {
    description: 'Every day in order',
  }),
})

export const RevenueReport = resource('RevenueReport', 'Revenue of orders', {
  date_range: dateRange,
  currency: Type.String({ description: 'ISO 4217 code of the currency that all amounts are in', examples: ['EUR'] }),
  currencies: Type.Array(
    answer(
      {
        currency: Type.String({ description: 'ISO 4217 code', examples: ['EUR'] }),
        orders: count('Orders of these days in it, without those that were cancelled or refunded'),
      },
      { description: 'One currency' },
    ),
    { description: 'Currencies that orders of these days are in, the most used first; each is a report of its own' },
  ),
  summary: answer(
    {
      total_revenue_cents: cents('Totals of the orders'),
      order_count: count('Orders, without those that were cancelled or refunded'),
      average_order_value: cents('Mean total of an order; 0 without any'),
    },
    { description: 'All days together' },
  ),
  by_platform: Type.Array(
    answer(
      {
        platform: Type.String({ description: 'Platform of the orders', examples: ['etsy'] }),
        revenue_cents: cents('Totals of its orders'),
        orders: count('Its orders'),
      },
      { description: 'One platform' },
    ),
    { description: 'Platforms, that with the highest revenue first' },
  ),
  by_sku: Type.Array(
    answer(
      {
        sku: Type.String({ description: 'Code that lines of orders name' }),
        revenue_cents: cents('Total of these lines'),
        orders: count('Orders with such a line'),
        units: count('Units ordered'),
      },
      { description: 'One code' },
    ),
    { description: 'The hundred codes with the highest revenue' },
  ),
  daily: Type.Array(
    answer({ date, revenue_cents: cents('Totals of the orders'), orders: count('Orders') }, { description: 'One day' }),
    { description: 'Every day in order' },
  ),
})

export type Production = Static<typeof ProductionReport>
export type Printers = Static<typeof PrintersReport>
export type InventoryFigures = Static<typeof InventoryReport>
export type Revenue = Static<typeof RevenueReport>
