import type { LivePrinter } from '../../lib/api/api-schema.generated.ts'
import type { LiveFields } from '../../lib/live/live-message.ts'

/** What a live message may change of a row; names, plates and hubs change by events. */
const liveNames = [
  'status',
  'status_reason',
  'progress',
  'remaining_time_minutes',
  'layer_num',
  'total_layers',
  'nozzle_temp',
  'bed_temp',
  'chamber_temp',
  'target_nozzle_temp',
  'target_bed_temp',
  'light_on',
] as const satisfies (keyof LivePrinter)[]

/**
 * The rows with what printers say at this moment. Rows of which nothing changed stay the same objects, so that nothing of
 * them is drawn again; so does the whole list.
 */
export function mergeLiveRows<List extends readonly LivePrinter[]>(
  rows: List,
  changed: ReadonlyMap<string, LiveFields>,
): List | LivePrinter[] {
  let isTouched = false
  const merged = rows.map((row) => {
    const fields = changed.get(row.id)
    const next = fields ? mergeRow(row, fields) : row
    isTouched ||= next !== row
    return next
  })
  return isTouched ? merged : rows
}

function mergeRow(row: LivePrinter, fields: LiveFields): LivePrinter {
  const news = liveNames.filter((name) => name in fields && fields[name] !== row[name] && !isOutOfService(row, name))
  if (news.length === 0) return row
  return { ...row, ...Object.fromEntries(news.map((name) => [name, fields[name]])) }
}

/** A printer that a person took out of service, or out of use, stays so whatever it reports. */
function isOutOfService(row: LivePrinter, name: string): boolean {
  return name === 'status' && (row.in_maintenance || !row.is_active)
}
