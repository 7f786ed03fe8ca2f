import type { ImportFormat, ItemField, OrderField, RowOfOrder } from './formats.ts'
import { type Columns, cellsOf } from './row-reader.ts'

/** Part that a field belongs to: the order or its line. */
export type Part = 'order' | 'item'

/** Answers the heading of the column in which a field of a row stands, or would stand; null where the file has none for it. */
export type HeadingOf = (cells: readonly string[], part: Part, field: string) => string | null

/** Characters of the private use area, which no shop writes. */
const mark = (at: number) => `\ue000${at}\ue001`
const marked = /\ue000(\d+)\ue001/

/**
 * Finds headings as the file spells them. Which column a format reads a field from depends on the columns that there are and on what stands
 * in the row. So a row of marks is read in its place, and the field holds the mark of its column.
 */
export function headingsOf(format: ImportFormat, columns: Columns, header: readonly string[]): HeadingOf {
  const find = (cells: readonly string[], part: Part, field: string) => {
    const [, at] = marked.exec(fieldOf(format.readRow(cellsOf(columns, cells)), part, field) ?? '') ?? []
    return at === undefined ? undefined : header[Number(at)]
  }
  const all = header.map((_name, at) => mark(at))
  return (cells, part, field) => {
    const filled = header.map((_name, at) => ((cells[at] ?? '').trim() === '' ? '' : `${cells[at]}${mark(at)}`))
    return find(filled, part, field) ?? find(all, part, field) ?? null
  }
}

function fieldOf({ order, item }: RowOfOrder, part: Part, field: string): string | undefined {
  if (part === 'order') return order[(field === 'order_notes' ? 'notes' : field) as OrderField]
  const [, wish] = /^personalisation\.(\d+)\./.exec(field) ?? []
  return wish === undefined ? item?.[field as ItemField] : item?.personalisation?.[Number(wish)]?.value
}
