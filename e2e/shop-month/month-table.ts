import type { SkuBalance } from './judge-month.ts'
import type { ShopMonth } from './shop-month.ts'

const columns = [
  'SKU',
  'opening',
  '+ printed',
  '+ put together',
  '+ came back',
  '− shipped',
  '− in kits',
  '− rejected',
  '− damaged',
  '= on the shelf',
]

/** The months beside each other, and below them where the units of each SKU of the first went. */
export function describeMonths(months: readonly ShopMonth[]): string {
  const rows = (of: (month: ShopMonth) => string | number) => months.map((month) => String(of(month)))
  const figures = [
    ['', ...months.map(({ way }) => way)],
    ['orders shipped', ...rows(({ figures: { ordersShipped } }) => ordersShipped)],
    ['orders cancelled', ...rows(({ figures: { ordersCancelled } }) => ordersCancelled)],
    ['orders that never left', ...rows(({ figures: { ordersOpen } }) => ordersOpen)],
    ['orders late', ...rows(({ figures: { ordersLate } }) => ordersLate)],
    ['hours late, of those', ...rows(({ figures: { lateHours } }) => lateHours.toFixed(1))],
    ['units printed', ...rows(({ figures: { unitsMade } }) => unitsMade)],
    ['units left on the shelf', ...rows(({ figures: { surplusUnits } }) => surplusUnits)],
    ['plates printed', ...rows(({ figures: { platesPrinted } }) => platesPrinted)],
    ['plates that failed', ...rows(({ figures: { platesFailed } }) => platesFailed)],
    ['least plates for what was used', ...rows(({ figures: { leastPlates } }) => leastPlates)],
    ['plates to the least', ...rows(({ figures }) => (figures.platesPrinted / figures.leastPlates).toFixed(2))],
    ['jobs', ...rows(({ figures: { jobs } }) => jobs)],
    ['wrong', ...rows(({ wrong }) => wrong.length)],
  ]
  const [first] = months
  const tables = [align(figures)]
  if (first) tables.push(`Units by SKU, ${first.way}:\n${align([columns, ...first.balance.map(rowOf)])}`)
  return tables.join('\n')
}

function rowOf(sku: SkuBalance): string[] {
  const came = [sku.opening, sku.printed, sku.assembled, sku.restocked]
  const went = [sku.shipped, sku.usedInKits, sku.rejected, sku.damaged]
  return [sku.code, ...[...came, ...went, sku.onShelf].map(String), sku.isRight ? '' : 'WRONG']
}

function align(rows: readonly string[][]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)))
  const lineOf = (row: readonly string[]) =>
    row.map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
  return rows.map((row) => `${lineOf(row).join('  ').trimEnd()}\n`).join('')
}
