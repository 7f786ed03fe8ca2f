import type { LivePrinter } from '../../../lib/api/api-schema.generated.ts'
import { needOf, needRank } from './printer-need.ts'

export const statusChoices = ['printing', 'idle', 'paused', 'error', 'offline', 'maintenance'] as const
export type StatusChoice = (typeof statusChoices)[number] | 'needs-person'

export const orders = ['need', 'left'] as const
/** `need`: who needs a person first, the most pressing at the front; `left`: the print that is over next first. */
type PrinterOrder = (typeof orders)[number]

/** How much a card tells: a line, the print, or everything. */
export const cardSizes = ['s', 'm', 'l'] as const
export type CardSize = (typeof cardSizes)[number]

/** What the address of the page of printers says of it. */
export interface PrinterView {
  status?: StatusChoice
  location?: string
  model?: string
  search?: string
  /** By name without it. */
  order?: PrinterOrder
  /** Cards without it. */
  as?: 'table' | 'cameras'
  /** Opens the form that adds printers. */
  add?: true
  /** Of cards; `m` without it. */
  size?: CardSize
}

/** Reads the address; what is no choice is left out. */
export function readPrinterView(search: Record<string, unknown>): PrinterView {
  const { status, as } = search
  const chosen = status === 'needs-person' ? status : statusChoices.find((choice) => choice === status)
  const size = cardSizes.find((each) => each === search.size)
  const order = orders.find((each) => each === search.order)
  return {
    ...(chosen !== undefined && { status: chosen }),
    ...text('location', search.location),
    ...text('model', search.model),
    ...text('search', search.search),
    ...(order && { order }),
    ...((as === 'table' || as === 'cameras') && { as }),
    ...(size && { size }),
    ...((search.add === true || search.add === 'true') && { add: true as const }),
  }
}

function text<Name extends 'location' | 'model' | 'search'>(name: Name, value: unknown): { [N in Name]?: string } {
  return typeof value === 'string' && value !== '' ? ({ [name]: value } as { [N in Name]?: string }) : {}
}

/** The printers that the view wants, in the order they came. Printers out of use are shown only to who searches for them. */
export function filterPrinters(rows: readonly LivePrinter[], view: PrinterView): LivePrinter[] {
  const wanted = view.search?.trim().toLowerCase()
  return rows.filter(
    (row) =>
      (row.is_active || Boolean(wanted)) &&
      hasStatus(row, view.status) &&
      (view.location === undefined || row.location === view.location) &&
      (view.model === undefined || row.model === view.model) &&
      (!wanted || [row.name, row.file_name ?? ''].some((words) => words.toLowerCase().includes(wanted))),
  )
}

/** Those alike stay in the order they came, which is that of their names. */
export function sortPrinters(rows: readonly LivePrinter[], order: PrinterOrder | undefined): LivePrinter[] {
  const rank = {
    need: needRank,
    left: ({ status, remaining_time_minutes: minutes }: LivePrinter) =>
      status === 'printing' && minutes !== null ? minutes : Number.MAX_VALUE,
  }
  if (order === undefined) return [...rows]
  const ranked = rows.map((row) => ({ row, at: rank[order](row) }))
  return ranked.sort((a, b) => a.at - b.at).map(({ row }) => row)
}

function hasStatus(row: LivePrinter, status: StatusChoice | undefined): boolean {
  if (status === undefined) return true
  return status === 'needs-person' ? needOf(row) !== undefined : row.status === status
}

/** How many printers in use have each status, and how many need a person. */
export function countStatuses(rows: readonly LivePrinter[]): Record<StatusChoice, number> {
  const counts = { printing: 0, idle: 0, paused: 0, error: 0, offline: 0, maintenance: 0, 'needs-person': 0 }
  for (const row of rows) {
    if (!row.is_active) continue
    counts[row.status] += 1
    if (needOf(row)) counts['needs-person'] += 1
  }
  return counts
}

/** The different texts that rows have in a field, sorted, without the empty one. */
export function choicesOf(rows: readonly LivePrinter[], field: 'location' | 'model'): string[] {
  return [...new Set(rows.map((row) => row[field]))].filter((value) => value !== '').sort((a, b) => a.localeCompare(b))
}
