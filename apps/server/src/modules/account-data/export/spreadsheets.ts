import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { csvText } from '../../../http/csv.ts'
import { fallbackCurrency, minorDigits } from '../../orders/settings/currencies.ts'

type Cell = string | number | boolean | null
type SheetRow = Record<string, Cell>

/** What people open in a spreadsheet: rows joined with the names that their IDs stand for. */
interface Spreadsheet {
  name: string
  about: string
  columns: readonly string[]
  /** `$account` stands for the ID of the account. */
  statement: string
  /** Turns a row as it is stored into one as people read it. */
  present?: (row: SheetRow) => SheetRow
}

export const spreadsheets: readonly Spreadsheet[] = [
  {
    name: 'printers',
    about: 'Printers; a file that `printyard import from csv` takes.',
    columns: [
      'name',
      'model',
      'manufacturer',
      'location',
      'notes',
      'connection_type',
      'address',
      'serial',
      'nozzle_size',
      'current_filament_type',
      'current_color',
      'current_build_plate',
      'is_active',
      'total_print_hours',
      'id',
    ],
    statement: `
      select name, model, manufacturer, location, notes, connection_type,
        coalesce(connection_host || coalesce(':' || connection_port, ''), '') as address,
        coalesce(connection_serial, '') as serial, nozzle_size, current_filament_type, current_color, current_build_plate,
        is_active, round(total_print_seconds / 3600.0, 1)::float8 as total_print_hours, id
      from printers where account_id = $account order by name`,
  },
  {
    name: 'products',
    about: 'SKUs with their products and stock; a file that `printyard import from csv` takes.',
    columns: [
      'product_name',
      'category',
      'sku',
      'color',
      'hex_code',
      'filament_type',
      'quantity',
      'ready_stock',
      'needs_assembly',
      'low_stock_threshold',
      'bin',
      'is_active',
      'product_id',
      'product_sku_id',
    ],
    statement: `
      select p.name as product_name, p.category, s.sku, s.color, s.hex_code, s.filament_type, s.quantity,
        coalesce(i.ready_stock, 0) as ready_stock, coalesce(i.quantity_needs_assembly, 0) as needs_assembly,
        coalesce(i.low_stock_threshold, 0) as low_stock_threshold, coalesce(i.bin, '') as bin,
        coalesce(s.is_active, p.is_active) as is_active, p.id as product_id, s.id as product_sku_id
      from products p
      left join skus s on s.account_id = p.account_id and s.product_id = p.id
      left join inventory_items i on i.account_id = s.account_id and i.product_sku_id = s.id
      where p.account_id = $account order by p.name, s.sku`,
  },
  {
    name: 'stock-movements',
    about: 'The stock ledger, oldest first.',
    columns: [
      'created_at',
      'sku',
      'stock',
      'reason',
      'change',
      'quantity_before',
      'quantity_after',
      'job_id',
      'order_id',
      'actor',
      'notes',
    ],
    statement: `
      select m.created_at, s.sku, m.stock, m.reason, m.change, m.quantity_before, m.quantity_after, m.job_id, m.order_id,
        m.actor, m.notes
      from stock_movements m
      join inventory_items i on i.account_id = m.account_id and i.id = m.inventory_item_id
      join skus s on s.account_id = i.account_id and s.id = i.product_sku_id
      where m.account_id = $account order by m.created_at, m.id`,
  },
  {
    name: 'orders',
    about:
      'A row for each line of an order, with the columns that `POST /orders/import` takes. It holds personal data.',
    columns: [
      'order_number',
      'external_id',
      'order_date',
      'ship_by',
      'currency',
      'priority',
      'customer_name',
      'customer_email',
      'customer_phone',
      'shipping_street',
      'shipping_city',
      'shipping_state',
      'shipping_zip',
      'shipping_country',
      'shipping_cost',
      'tax_amount',
      'discount_amount',
      'total_revenue',
      'order_notes',
      'sku',
      'listing_id',
      'variation',
      'product_name',
      'quantity',
      'unit_price',
      'item_notes',
      'is_paid',
      'platform',
      'shop',
      'status',
      'quantity_fulfilled',
      'tracking_number',
      'shipped_at',
    ],
    statement: `
      select o.order_number, o.external_id, o.order_date, o.ship_by, coalesce(o.currency, s.currency, '${fallbackCurrency}') as currency,
        o.priority, o.customer_name, o.customer_email, o.customer_phone, o.shipping_street, o.shipping_city,
        o.shipping_state, o.shipping_zip, o.shipping_country, o.shipping_cost, o.tax_amount, o.discount_amount,
        o.total_revenue, o.notes as order_notes, i.sku, i.listing_id, i.variation, i.product_name, i.quantity,
        i.unit_price, i.notes as item_notes, o.is_paid, o.platform, o.shop, o.status, i.quantity_fulfilled,
        o.tracking_number, o.shipped_at
      from orders o
      left join order_items i on i.account_id = o.account_id and i.order_id = o.id
      left join order_settings s on s.account_id = o.account_id
      where o.account_id = $account order by o.order_date, o.id, i.created_at, i.id`,
    present: withAmounts(['shipping_cost', 'tax_amount', 'discount_amount', 'total_revenue', 'unit_price']),
  },
  {
    name: 'jobs',
    about: 'Jobs, oldest first, with how they ended.',
    columns: [
      'id',
      'status',
      'product_name',
      'sku',
      'file_name',
      'printer',
      'color',
      'filament_type',
      'number_of_units',
      'units_rejected',
      'plates_done',
      'plates_total',
      'time_submitted',
      'time_started',
      'time_completed',
      'estimated_print_time_minutes',
      'actual_print_time_minutes',
      'filament_needed_grams',
      'failure_reason',
      'order_item_id',
      'created_by',
    ],
    statement: `
      select j.id, j.status, j.product_name, j.sku_name as sku, j.file_name, p.name as printer, j.color, j.filament_type,
        j.number_of_units, j.units_rejected, j.plates_done, j.plates_total, j.time_submitted, j.time_started,
        j.time_completed, j.estimated_print_time_minutes, j.actual_print_time_minutes, j.filament_needed_grams,
        j.failure_reason, j.order_item_id, j.created_by
      from jobs j left join printers p on p.account_id = j.account_id and p.id = j.printer_id
      where j.account_id = $account order by j.created_at, j.id`,
  },
  {
    name: 'spools',
    about: 'Spools of filament with their remaining filament, in grams.',
    columns: [
      'id',
      'type',
      'name',
      'brand',
      'color',
      'hex_code',
      'diameter',
      'remaining',
      'spool_weight',
      'low_threshold',
      'status',
      'location',
      'printer',
      'slot',
      'created_at',
    ],
    statement: `
      select m.id, m.type, m.name, m.brand, m.color, m.hex_code, m.diameter, m.remaining / 1000.0 as remaining, m.spool_weight / 1000.0 as spool_weight,
        m.low_threshold / 1000.0 as low_threshold, m.status, m.location, p.name as printer, m.slot, m.created_at
      from materials m left join printers p on p.account_id = m.account_id and p.id = m.printer_id
      where m.account_id = $account and m.kind = 'filament' order by m.created_at, m.id`,
  },
]

/** Amounts are stored in minor units; people write them with a point. */
function withAmounts(columns: readonly string[]) {
  return (row: SheetRow): SheetRow => {
    const digits = minorDigits(String(row.currency))
    const amounts = columns.map((column) => {
      const value = row[column]
      return [column, typeof value === 'number' ? (value / 10 ** digits).toFixed(digits) : '']
    })
    return { ...row, ...Object.fromEntries(amounts) }
  }
}

/** The library would write false as nothing, which an import takes for the default. */
function withWords(row: SheetRow): SheetRow {
  return Object.fromEntries(
    Object.entries(row).map(([column, value]) => [column, typeof value === 'boolean' ? String(value) : value]),
  )
}

/** Rows that are turned into text at once. */
const rowsAtOnce = 500

/** A spreadsheet as CSV, made of its rows as JSON Lines. */
export function asCsv({ columns, present = (row) => row }: Spreadsheet, lines: Readable, onRow: () => void): Readable {
  async function* pieces(): AsyncGenerator<Buffer> {
    yield Buffer.from(csvText(columns, [], { isFirst: true }))
    let rows: SheetRow[] = []
    for await (const line of createInterface({ input: lines })) {
      rows.push(withWords(present(JSON.parse(line) as SheetRow)))
      onRow()
      if (rows.length < rowsAtOnce) continue
      yield Buffer.from(csvText(columns, rows, { isFirst: false }))
      rows = []
    }
    if (rows.length > 0) yield Buffer.from(csvText(columns, rows, { isFirst: false }))
  }
  return Readable.from(pieces())
}
