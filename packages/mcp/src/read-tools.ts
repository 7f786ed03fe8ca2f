import type { api } from '@printyard/sdk'
import Type from 'typebox'
import { defaultLimit, idOf, paging, readTool, search, type Tool } from './tool.ts'

const day = (text: string) => Type.Optional(Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', description: text }))

export const readTools: readonly Tool[] = [
  readTool(
    {
      name: 'farm_overview',
      title: 'Farm overview',
      description: 'Counts of this moment: printers, hubs, jobs, orders, stock.',
      fields: {},
    },
    ({ printyard, options }) => printyard.analytics.getOverview(options),
  ),
  readTool(
    {
      name: 'what_needs_a_person',
      title: 'Open work for people',
      description: 'Open tasks, printers with a problem, and orders that will be late.',
      fields: {},
    },
    async ({ printyard, options }) => {
      const first = { limit: defaultLimit }
      const [waiting, underWay, printers, orders] = await Promise.all([
        printyard.worklist.list({ ...first, status: 'pending' }, options),
        printyard.worklist.list({ ...first, status: 'in_progress' }, options),
        printyard.printers.list({ ...first, has_problems: true }, options),
        printyard.orders.list({ ...first, at_risk: true }, options),
      ])
      return {
        tasks_pending: waiting.data,
        tasks_in_progress: underWay.data,
        printers_with_problems: printers.data,
        orders_at_risk: orders.data.map(withoutCustomer),
      }
    },
  ),
  readTool(
    {
      name: 'list_printers',
      title: 'List printers',
      description: 'Printers by name, with their status and loaded filament.',
      fields: {
        search,
        status: Type.Optional(Type.Enum(['idle', 'printing', 'paused', 'maintenance', 'error', 'offline'])),
        ...paging,
      },
    },
    async ({ printyard, options }, input) => printyard.printers.list({ limit: defaultLimit, ...input }, options),
  ),
  readTool(
    {
      name: 'printer_details',
      title: 'Printer details',
      description:
        'One printer: plate, health, loaded filament, current status, and the next jobs that it would print.',
      fields: { printer_id: idOf('printer') },
    },
    async ({ printyard, options }, { printer_id: id }) => {
      const [printer, status, queue] = await Promise.all([
        printyard.printers.get(id, options),
        printyard.printers.getStatus(id, options),
        printyard.printers.listQueue(id, { limit: 5 }, options),
      ])
      return { printer, status, next_jobs: queue.data }
    },
  ),
  readTool(
    {
      name: 'list_queue',
      title: 'List the queue',
      description: 'Jobs that wait, in their order with why they wait, or those that run.',
      fields: { part: Type.Optional(Type.Enum(['waiting', 'running'])), search, ...paging },
    },
    async ({ printyard, options }, input) => printyard.jobs.listQueue({ limit: defaultLimit, ...input }, options),
  ),
  readTool(
    {
      name: 'job_details',
      title: 'Job details',
      description: 'One job with its plates, its attempts and its events.',
      fields: { job_id: idOf('job') },
    },
    async ({ printyard, options }, { job_id: id }) => {
      const [job, plan] = await Promise.all([printyard.jobs.get(id, options), printyard.jobs.getPlan(id, options)])
      return { job, plan }
    },
  ),
  readTool(
    {
      name: 'why_job_waits',
      title: 'Explain why a job waits',
      description: 'The rules that fail on each printer, their remedies, and the earliest start.',
      fields: { job_id: idOf('job') },
    },
    ({ printyard, options }, { job_id: id }) => printyard.jobs.explain(id, { limit: defaultLimit }, options),
  ),
  readTool(
    {
      name: 'find_what_to_print',
      title: 'Find SKUs and print files',
      description: 'SKUs and print files by name or code; queue_print takes their IDs.',
      fields: { search: Type.String({ minLength: 1, maxLength: 120 }) },
    },
    async ({ printyard, options }, { search: words }) => {
      const [skus, files] = await Promise.all([
        printyard.skus.list({ search: words, limit: defaultLimit }, options),
        printyard.files.list({ search: words, limit: defaultLimit }, options),
      ])
      return { skus: skus.data, print_files: files.data }
    },
  ),
  readTool(
    {
      name: 'list_orders',
      title: 'List orders',
      description: 'Orders, the latest first, without names and addresses of customers.',
      fields: {
        search,
        status: Type.Optional(
          Type.Enum(['pending', 'processing', 'printed', 'assembled', 'shipped', 'fulfilled', 'cancelled', 'refunded']),
        ),
        at_risk: Type.Optional(Type.Boolean({ description: 'Only those that will be late' })),
        ...paging,
      },
    },
    async ({ printyard, options }, input) => {
      const { data, meta } = await printyard.orders.list({ limit: defaultLimit, ...input }, options)
      return { data: data.map(withoutCustomer), meta }
    },
  ),
  readTool(
    {
      name: 'order_status',
      title: 'Status of an order',
      description: 'One order with where its units are: on the shelf, on a job, to be printed, or blocked and why.',
      fields: { order_id: idOf('order') },
    },
    async ({ printyard, options }, { order_id: id }) => {
      const [order, plan] = await Promise.all([
        printyard.orders.get(id, options),
        printyard.orders.getPlan(id, options),
      ])
      return { order: withoutCustomer(order), plan }
    },
  ),
  readTool(
    {
      name: 'what_must_be_printed',
      title: 'List units to print',
      description: 'SKUs that orders or the shelf need and neither stock nor jobs cover, the earliest due first.',
      fields: paging,
    },
    async ({ printyard, options }, input) => printyard.production.listNeeds({ limit: defaultLimit, ...input }, options),
  ),
  readTool(
    {
      name: 'stock_levels',
      title: 'Stock levels',
      description: 'Finished goods by SKU.',
      fields: {
        search,
        low_stock: Type.Optional(Type.Boolean({ description: 'Only materials that are low or out' })),
        ...paging,
      },
    },
    async ({ printyard, options }, input) => printyard.inventory.list({ limit: defaultLimit, ...input }, options),
  ),
  readTool(
    {
      name: 'recent_failures',
      title: 'Recent failures',
      description: 'Prints that failed or were stopped; without days the last 30.',
      fields: {
        from: day('First day'),
        to: day('Last day'),
        by: Type.Optional(Type.Enum(['day', 'type', 'printer'])),
      },
    },
    ({ printyard, options }, input) => printyard.analytics.getFailures(input, options),
  ),
]

/** An order as an agent needs it: who ordered, and where it goes, stays with the service. */
function withoutCustomer(order: Partial<api.Order>) {
  const {
    customer_name: _name,
    customer_email: _email,
    customer_phone: _phone,
    shipping_street: _street,
    shipping_city: _city,
    shipping_state: _state,
    shipping_zip: _zip,
    notes: _notes,
    tracking_number: _tracking,
    tracking_url: _trackingUrl,
    ...rest
  } = order
  return rest
}
