import type {
  Event,
  Job,
  JobDetail,
  JobExplanation,
  Order,
  OrderSummary,
  Printer,
  PrinterDetail,
  PrintFile,
  Production,
} from '@printyard/sdk/generated/api.generated'
import { count, formatTable } from '../answer.ts'

export function formatJobs(jobs: readonly Job[]): string {
  if (jobs.length === 0) return 'There is no such job.'
  const rows = jobs.map((job) => [
    job.id,
    job.status ?? '',
    percent(job.progress_percentage),
    oneLine(job.file_name),
    String(job.number_of_units),
    oneLine([job.filament_type, job.color].filter(Boolean).join(' ')),
    job.printer_id ?? '',
  ])
  return formatTable(['ID', 'STATUS', 'DONE', 'FILE', 'UNITS', 'FILAMENT', 'PRINTER'], rows)
}

export function formatJob(job: JobDetail): string {
  return formatFields([
    ['ID', job.id],
    ['File', job.file_name],
    ['Status', [job.status, percent(job.progress_percentage)].filter(Boolean).join(' ')],
    ['Failure', job.failure_reason],
    ['Printer', job.printer_name],
    ['SKU', job.sku_name],
    ['Units', String(job.number_of_units)],
    ['Filament', [job.filament_type, job.color].filter(Boolean).join(' ')],
    ['Print time', minutes(job.actual_print_time_minutes ?? job.estimated_print_time_minutes)],
    ['Submitted', job.time_submitted],
    ['Started', job.time_started],
    ['Completed', job.time_completed],
  ])
}

/** Answers why a job waits: the sentence of the service, and for each printer the rules that it does not meet. */
export function formatExplanation(explanation: JobExplanation): string {
  const { sentence, remedy, queue_position, jobs_before, printers } = explanation
  const head = formatFields([
    ['Job', explanation.job_id],
    ['Status', explanation.status],
    ['Place in queue', explanation.status === 'queued' ? `${queue_position} (${jobs_before} before it)` : null],
    ['Remedy', remedy === null ? null : `${remedy.kind.replaceAll('_', ' ')}: ${remedy.printer_name}`],
  ])
  const rows = printers.map(({ printer_name, can_start, rules }) => [
    oneLine(printer_name),
    can_start ? 'yes' : 'no',
    oneLine(
      rules
        .filter(({ passes }) => !passes)
        .map((rule) => rule.sentence)
        .join(' '),
    ),
  ])
  const table = rows.length === 0 ? '' : `\n\n${formatTable(['PRINTER', 'CAN START', 'WHY NOT'], rows)}`
  return `${oneLine(sentence)}\n\n${head}${table}`
}

export function formatPrinters(printers: readonly Printer[]): string {
  if (printers.length === 0) return 'There is no such printer.'
  const rows = printers.map((printer) => [
    printer.id,
    oneLine(printer.name),
    printer.is_active ? printer.status : 'out of use',
    oneLine(printer.model),
    oneLine([printer.current_filament_type, printer.current_color].filter(Boolean).join(' ')),
    oneLine(printer.location),
  ])
  return formatTable(['ID', 'NAME', 'STATUS', 'MODEL', 'FILAMENT', 'LOCATION'], rows)
}

export function formatPrinter(printer: PrinterDetail): string {
  const fields = formatFields([
    ['ID', printer.id],
    ['Name', printer.name],
    ['Status', printer.is_active ? printer.status : 'out of use'],
    ['Plate', [printer.plate_state, printer.plate_unknown_reason].filter(Boolean).join(': ')],
    ['Model', [printer.manufacturer, printer.model].filter(Boolean).join(' ')],
    ['Nozzle', printer.nozzle_size === null ? null : `${printer.nozzle_size} mm`],
    ['Filament', [printer.current_filament_type, printer.current_color].filter(Boolean).join(' ')],
    ['Location', printer.location],
    ['Starts by itself', printer.auto_start ? 'yes' : 'no'],
    ['Prints', printer.foreign_print],
  ])
  const problems = printer.health.map(({ message, remedy }) => `\n! ${oneLine(message)} ${oneLine(remedy)}`)
  return `${fields}${problems.join('')}`
}

export function formatOrders(orders: readonly OrderSummary[]): string {
  if (orders.length === 0) return 'There is no such order.'
  const rows = orders.map((order) => [
    order.id,
    oneLine(order.order_number),
    order.status,
    oneLine(order.shop || order.platform),
    order.priority,
    order.ship_by?.slice(0, 10) ?? '',
    order.promise?.is_at_risk === true ? 'at risk' : '',
  ])
  return formatTable(['ID', 'NUMBER', 'STATUS', 'SHOP', 'PRIORITY', 'SHIP BY', ''], rows)
}

export function formatOrder(order: Order): string {
  const fields = formatFields([
    ['ID', order.id],
    ['Number', order.order_number],
    ['Status', order.status],
    ['Platform', order.platform],
    ['Ordered', order.order_date],
    ['Customer', order.customer_name],
    ['Shipped', order.shipped_at],
    ['Tracking', order.tracking_number],
  ])
  const rows = order.items.map((item) => [
    item.id,
    oneLine(item.sku),
    oneLine(item.product_name),
    `${item.quantity_fulfilled}/${item.quantity}`,
    item.fulfillment_status,
  ])
  return `${fields}\n\n${formatTable(['LINE', 'SKU', 'PRODUCT', 'DONE', 'STATUS'], rows)}`
}

export function formatProduction({ jobs, assembly_tasks, shortages, refused, unmatched_items }: Production): string {
  const lines = [`Queued ${count(jobs.length, 'job')}; made ${count(assembly_tasks.length, 'assembly task')}.`]
  for (const { job_id, plates, outputs } of jobs) {
    const units = outputs.map(({ sku, units }) => `${units} × ${oneLine(sku)}`).join(', ')
    lines.push(`  ${job_id ?? ''}  ${count(plates, 'plate')}: ${units}`)
  }
  const missing = [...shortages, ...refused, ...unmatched_items.flatMap(({ blockers }) => blockers)]
  for (const message of new Set(missing.map(({ message }) => message))) lines.push(`! ${oneLine(message)}`)
  return lines.join('\n')
}

export function formatFiles(files: readonly PrintFile[]): string {
  if (files.length === 0) return 'There is no such file.'
  const rows = files.map((file) => [
    file.id,
    oneLine(file.name),
    minutes(file.print_time_seconds === null ? null : Math.round(file.print_time_seconds / 60)) ?? '',
    file.filament_weight_grams === null ? '' : `${file.filament_weight_grams.toFixed(1)} g`,
    file.filament_type ?? '',
    String(file.number_of_units),
  ])
  return formatTable(['ID', 'NAME', 'TIME', 'WEIGHT', 'FILAMENT', 'UNITS'], rows)
}

/** One event in one line, its ID last: what `--after` takes. */
export function formatEvent({ created_at, type, subject_id, actor, id }: Event): string {
  return [created_at, type.padEnd(28), subject_id, actor, id].map(oneLine).join('  ')
}

function formatFields(fields: readonly (readonly [string, string | null | undefined])[]): string {
  const shown = fields.filter(([, value]) => value !== null && value !== undefined && value !== '')
  const width = Math.max(...shown.map(([name]) => name.length))
  return shown.map(([name, value]) => `${name.padEnd(width)}  ${oneLine(value ?? '')}`).join('\n')
}

/** Text of customers and printers, without what would move the cursor or change the terminal. */
function oneLine(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]+/g, ' ')
}

function percent(value: number | null): string {
  return value === null ? '' : `${Math.round(value)}%`
}

function minutes(value: number | null): string | null {
  if (value === null) return null
  const hours = Math.floor(value / 60)
  return hours === 0 ? `${value} min` : `${hours} h ${value % 60} min`
}
