import { setImmediate as nextTurn } from 'node:timers/promises'
import { validationError } from '../../../kernel/errors.ts'
import { checkNewOrder, discountExcess } from '../check-new-order.ts'
import { timeProblems } from '../order-times.ts'
import type { NewOrder } from '../orders.schema.ts'
import { isCurrency, minorDigits } from '../settings/currencies.ts'
import { dayAlone, type Read, readAmount, readCount, readTime } from './amounts.ts'
import {
  type FormatName,
  formatNames,
  formats,
  type ImportFormat,
  type OrderField,
  type RowOfOrder,
} from './formats.ts'
import { type HeadingOf, headingsOf, type Part } from './headings.ts'
import type { CsvTable } from './read-csv.ts'
import { cellsOf, columnsOf, repeatedColumn } from './row-reader.ts'

/** Problems of a row of the file. */
export interface RowProblem {
  row: number
  field: string
  /** The heading over the field as the file spells it; null for a whole row, and where the file has no such column. */
  column: string | null
  message: string
}

/** An order as its rows tell it. */
export interface DraftOrder {
  order_number: string
  rows: number[]
  /** The rows of its lines, in their order. */
  itemRows: number[]
  /** What POST /orders would be sent; undefined when something is wrong with it, or it is over in its shop. */
  body?: NewOrder
  isOver?: string
  /** The day until the end of which it is to be shipped, where that was told without a time. */
  shipDay?: string
  problems: RowProblem[]
  /** The heading of a field of the order. */
  columnOf(field: string): string | null
}

/** A row of an order as it was read. */
interface ReadRow {
  row: number
  cells: readonly string[]
  read: RowOfOrder
  problem?: string
}

interface Defaults {
  format?: FormatName | undefined
  shop: string
  /** Currency of orders whose rows name none. */
  currency: string
}

/** Orders that are looked at in one turn of the event loop. */
const ordersInTurn = 200

/**
 * The orders of a file. A mistake in a row is one of its order; one in the header is one of the file.
 *
 * @throws AppError `VALIDATION_ERROR`
 */
export async function readOrders(
  { header, rows }: CsvTable,
  defaults: Defaults,
): Promise<{ format: FormatName; ignoredColumns: string[]; orders: DraftOrder[] }> {
  const columns = columnsOf(header)
  const name = findFormat(new Set(columns.keys()), defaults.format)
  const format = formats[name]
  const repeated = format.isWrittenByHand ? repeatedColumn(header) : undefined
  if (repeated !== undefined) throw validationError({ _root: [`line 1: has the column ${repeated} twice`] })
  const groups = new Map<string, ReadRow[]>()
  for (const { row, cells } of rows) {
    const read = format.readRow(cellsOf(columns, cells))
    const problem = rowProblem(read, cells.length, header.length)
    // A row that says of which order it is, but is damaged, spoils that order and no other.
    const key = read.key === '' ? `row ${row}` : `order ${read.key}`
    const group = groups.get(key)
    const line = { row, cells, read, ...(problem !== undefined && { problem }) }
    if (group) group.push(line)
    else groups.set(key, [line])
  }
  const headingOf = headingsOf(format, columns, header)
  const orders: DraftOrder[] = []
  for (const group of groups.values()) {
    orders.push(readOrder(group, format, headingOf, defaults))
    if (orders.length % ordersInTurn === 0) await nextTurn()
  }
  const ignoredColumns = [...columns].flatMap(([key, column]) => (format.knows?.(key) === false ? [column.name] : []))
  return { format: name, ignoredColumns, orders }
}

function rowProblem(read: RowOfOrder, cells: number, columns: number): string | undefined {
  if (cells > columns) return `has ${cells} cells, but the header has ${columns}; a comma may stand outside of quotes`
  return read.key === '' ? 'does not say of which order it is' : undefined
}

function findFormat(columns: ReadonlySet<string>, wanted: FormatName | undefined): FormatName {
  for (const name of wanted === undefined ? formatNames : [wanted]) {
    const why = formats[name].refuse?.(columns)
    if (why !== undefined) throw validationError({ _root: [why] })
  }
  const missing = (name: FormatName) => formats[name].needs.filter((column) => !columns.has(column))
  if (wanted !== undefined) {
    const lacking = missing(wanted)
    if (lacking.length === 0) return wanted
    throw validationError({ _root: [`line 1: lacks the columns ${lacking.join(', ')} of the format ${wanted}`] })
  }
  const found = formatNames.find((name) => missing(name).length === 0)
  if (found) return found
  throw validationError({
    _root: [
      `line 1: has not the columns of any known export; our own form needs ${formats.printyard.needs.join(', ')}`,
    ],
  })
}

function readOrder(
  group: readonly ReadRow[],
  format: ImportFormat,
  headingOf: HeadingOf,
  { shop, currency: defaultCurrency }: Defaults,
): DraftOrder {
  const rows = group.map(({ row }) => row)
  const [first = 0] = rows
  const cellsOfRow = new Map(group.map(({ row, cells }) => [row, cells]))
  const columnAt = (row: number, part: Part, field: string) => headingOf(cellsOfRow.get(row) ?? [], part, field)
  /** The row that says a field for the order; the first one where none does. */
  const rowOf = (field: string) => group.find(({ read }) => read.order[field as OrderField] !== undefined)?.row ?? first
  const problems: RowProblem[] = group.flatMap(({ row, problem }) =>
    problem === undefined ? [] : [{ row, field: '_root', column: null, message: problem }],
  )
  // The first row that has something of a field says it for the order.
  const fields: RowOfOrder['order'] = Object.assign({}, ...group.map(({ read }) => read.order).toReversed())
  if (format.isWrittenByHand) problems.push(...contradictions(group, headingOf))
  const withItem = group.filter(({ read }) => read.item !== undefined)
  const draft = {
    order_number: fields.order_number ?? '',
    rows,
    itemRows: withItem.map(({ row }) => row),
    problems,
    columnOf: (field: string) => columnAt(rowOf(field), 'order', field),
  }
  const over = group.map(({ read }) => read.isOver)
  // Etsy says it line by line: an order of which a part is open is taken whole.
  const isOver = over.every((why) => why !== undefined) ? over[0] : undefined
  if (isOver !== undefined && problems.length === 0) return { ...draft, isOver }

  const wrong = (part: Part, row: number, field: string, message: string) =>
    problems.push({ row, field, column: columnAt(row, part, field), message })
  const taken = <T>(read: Read<T>, part: Part, row: number, field: string): T | undefined => {
    if ('value' in read) return read.value
    wrong(part, row, field, read.problem)
    return undefined
  }
  const currency = (fields.currency ?? defaultCurrency).toUpperCase()
  if (!isCurrency(currency)) wrong('order', rowOf('currency'), 'currency', 'is not a currency of ISO 4217')
  const digits = minorDigits(currency)
  const amount = (text: string, part: Part, row: number, field: string) =>
    taken(readAmount(text, digits), part, row, field)

  const { shipping_cost, tax_amount, discount_amount, total_revenue, order_date, ship_by, priority, ...texts } = fields
  const amounts = { shipping_cost, tax_amount, discount_amount, total_revenue }
  const times = { order_date, ship_by }
  let ofLines = 0
  const items = withItem.map(({ row, read: { item = {} } }) => {
    const { quantity, unit_price, discount_amount: discount, personalisation, ...named } = item
    if (discount !== undefined) ofLines += amount(discount, 'item', row, 'discount_amount') ?? 0
    return {
      ...named,
      quantity: quantity === undefined ? undefined : taken(readCount(quantity), 'item', row, 'quantity'),
      unit_price: unit_price === undefined ? undefined : amount(unit_price, 'item', row, 'unit_price'),
      ...(personalisation && { personalisation }),
    }
  })
  const body: Record<string, unknown> = {
    ...texts,
    platform: format.platform,
    shop,
    currency,
    allow_unmapped: true,
    ...(group.some(({ read }) => read.isUnpaid) && { is_paid: false }),
    ...(priority !== undefined && { priority: priority.toLowerCase() }),
    ...(ofLines > 0 && { discount_amount: ofLines }),
    ...readAll(amounts, (text, field) => amount(text, 'order', rowOf(field), field)),
    ...readAll(times, (text, field) => taken(readTime(text), 'order', rowOf(field), field)),
    items,
  }
  // What was told to be wrong already is not told to be missing as well.
  const known = new Set(problems.map(({ row, field }) => `${row} ${field}`))
  const checked = problems.length === 0 || known.size > 0 ? checkNewOrder(body) : { errors: {} }
  if ('errors' in checked) {
    for (const [path, messages] of Object.entries(checked.errors)) {
      const { part, row, field } = placeOf(path, draft.itemRows, rowOf)
      for (const message of known.has(`${row} ${field}`) ? [] : messages) wrong(part, row, field, message)
    }
  }
  const timeOf = (field: string) => (typeof body[field] === 'string' ? new Date(body[field]) : null)
  for (const [field, message] of Object.entries(
    timeProblems({ orderDate: timeOf('order_date'), shipBy: timeOf('ship_by') }),
  ))
    wrong('order', rowOf(field), field, message)
  if (problems.length > 0 || !('value' in checked)) return draft
  const excess = discountExcess(checked.value)
  if (excess) wrong('order', rowOf('discount_amount'), 'discount_amount', excess)
  if (problems.length > 0) return draft
  const shipDay = ship_by === undefined ? undefined : dayAlone(ship_by)
  return { ...draft, body: checked.value, ...(shipDay !== undefined && { shipDay }) }
}

/** Fields of the order in which a row says something else than one above it: they may be two orders that got one number. */
function contradictions(group: readonly ReadRow[], headingOf: HeadingOf): RowProblem[] {
  const told = new Map<string, { row: number; text: string }>()
  const problems: RowProblem[] = []
  for (const { row, cells, read } of group) {
    for (const [field, text] of Object.entries(read.order)) {
      const first = told.get(field)
      if (first === undefined) told.set(field, { row, text })
      else if (first.text !== text) {
        const message = `is not that of row ${first.row}, which has the same order number`
        const column = headingOf(cells, 'order', field)
        problems.push({ row, field: field === 'notes' ? 'order_notes' : field, column, message })
      }
    }
  }
  return problems
}

function readAll<Name extends string, T>(
  fields: Record<Name, string | undefined>,
  read: (text: string, field: string) => T | undefined,
): Partial<Record<Name, T>> {
  const entries = Object.entries<string | undefined>(fields).flatMap(([field, text]) => {
    const value = text === undefined ? undefined : read(text, field)
    return value === undefined ? [] : [[field, value] as const]
  })
  // Object.fromEntries forgets the names.
  return Object.fromEntries(entries) as Partial<Record<Name, T>>
}

/** Answers where in the file a field of the request stands. */
function placeOf(
  path: string,
  itemRows: readonly number[],
  rowOf: (field: string) => number,
): { part: Part; row: number; field: string } {
  const [, index, field] = /^items\.(\d+)\.(.+)$/.exec(path) ?? []
  if (index === undefined || field === undefined) return { part: 'order', row: rowOf(path), field: path }
  const row = itemRows[Number(index)] ?? rowOf('order_number')
  return { part: 'item', row, field: field === 'product_sku_id' ? 'sku' : field }
}
