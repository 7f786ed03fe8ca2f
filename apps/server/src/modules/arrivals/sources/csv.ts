import { readCsv } from '../../orders/import/read-csv.ts'
import { type Cells, cellsOf, columnsOf } from '../../orders/import/row-reader.ts'
import { type Arrivals, type Draft, UnreadableSourceError } from './drafts.ts'
import { filled } from './fields.ts'

/** What a file of rows can be of, by the columns that tell it. */
const forms = [
  { needs: ['name', 'model', 'connection_type'], read: readPrinter },
  { needs: ['product_name'], read: readProduct },
  { needs: ['sku', 'ready_stock'], read: readStock },
] as const

/**
 * Printers, products with their SKUs, or stock, as comma-separated values: the columns of the spreadsheets of our own export.
 *
 * @throws AppError `VALIDATION_ERROR` with the line, UnreadableSourceError
 */
export async function readArrivingCsv(bytes: Buffer): Promise<Arrivals> {
  const { header, rows } = await readCsv(bytes)
  const columns = columnsOf(header)
  const form = forms.find(({ needs }) => needs.every((column) => columns.has(column)))
  if (form === undefined) {
    throw new UnreadableSourceError(
      'Line 1 has not the columns of printers (name, model, connection_type), products (product_name, and sku) or stock (sku, ready_stock).',
    )
  }
  return { source: 'csv', drafts: rows.map(({ row, cells }) => form.read(cellsOf(columns, cells), `row ${row}`)) }
}

function readPrinter(cells: Cells, from: string): Draft {
  const fields = (...names: string[]) => filled(Object.fromEntries(names.map((name) => [name, cells(name)])))
  const nozzle = cells('nozzle_size')
  return {
    kind: 'printer',
    from,
    name: cells('name'),
    body: {
      ...fields(
        'name',
        'model',
        'manufacturer',
        'location',
        'notes',
        'current_filament_type',
        'current_color',
        'current_build_plate',
      ),
      connection_type: cells('connection_type').toLowerCase(),
      ...(nozzle !== '' && { nozzle_size: Number(nozzle.replace(',', '.')) }),
      connection: fields('address', 'serial', 'access_code', 'api_key', 'username', 'password'),
    },
  }
}

function readProduct(cells: Cells, from: string): Draft {
  const sku = cells('sku')
  const pieces = cells('quantity')
  const threshold = cells('low_stock_threshold')
  const filledCells = filled({
    color: cells('color'),
    filament_type: cells('filament_type'),
    hex_code: cells('hex_code'),
    // Written as the rules of POST /skus take them; what is no number is refused there.
    quantity: pieces === '' ? undefined : Number(pieces),
    low_stock_threshold: threshold === '' ? undefined : Number(threshold),
  })
  return {
    kind: 'product',
    from,
    name: sku || cells('product_name'),
    product: filled({
      name: cells('product_name'),
      category: cells('category'),
      description: cells('description'),
    }),
    sku: sku === '' ? undefined : { ...filledCells, sku },
    readyStock: cells('ready_stock') || undefined,
  }
}

function readStock(cells: Cells, from: string): Draft {
  const sku = cells('sku')
  return { kind: 'product', from, name: sku, product: undefined, sku: { sku }, readyStock: cells('ready_stock') }
}
