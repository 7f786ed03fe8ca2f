import type { Sql } from '../../../db/database.ts'
import type { WorklistTaskRow } from '../../../db/rows.generated.ts'
import type { AccountId } from '../../../kernel/ids.ts'
import type { EventType } from '../../events/event-catalogue.ts'
import type { Kind } from '../rules/kinds.ts'
import type { Ended, Occurrence } from '../rules/occurrence.ts'
import {
  findHubName,
  findJobFacts,
  findMaterialFacts,
  findOrderFacts,
  findPrinterFacts,
  findReceiverName,
  findStockFacts,
  findTaskFacts,
  type WholeEvent,
} from './facts.queries.ts'

/** What an event is to people: something to be told, the end of something, or nothing. */
type Reader = (sql: Sql, accountId: AccountId, event: WholeEvent) => Promise<Occurrence | Ended | undefined>

/** What most occurrences have none of. */
const nowhere = {
  printerId: null,
  location: null,
  productId: null,
  skuId: null,
  orderId: null,
  taskId: null,
} as const

/** Kinds besides `needs_person` of the tasks that these rules make. */
const kindsOfSources: Partial<Record<WorklistTaskRow['source'], Kind>> = {
  hub_silent: 'hub_gone',
  backup: 'backup_failed',
}

const lasting = { lasts: true } as const
const once = { lasts: false } as const

/** The types of events that people may be told of, each with what it means. */
const readers: Partial<Record<EventType, Reader>> = {
  'worklist_task.created': readTask,
  'worklist_task.updated': async (sql, accountId, event) =>
    textsIn(event, 'fields').includes('priority') ? readTask(sql, accountId, event) : undefined,
  'worklist_task.status_changed': async (sql, accountId, event) => {
    const status = textIn(event, 'status')
    if (status === 'completed' || status === 'cancelled') return { ends: [event.subject_id] }
    // One that was set aside is asked for again.
    return textIn(event, 'previous_status') === 'cancelled' ? readTask(sql, accountId, event) : undefined
  },
  'worklist_task.deleted': async (_sql, _accountId, event) => ({ ends: [event.subject_id] }),
  'job.completed': (sql, accountId, event) => readPrint(sql, accountId, event, 'print_done'),
  'job.failed': (sql, accountId, event) => readPrint(sql, accountId, event, 'print_failed'),
  'printer.offline': (sql, accountId, event) => readPrinter(sql, accountId, event, 'printer_silent'),
  'printer.online': async (_sql, _accountId, event) => ({ ends: [`silent ${event.subject_id}`] }),
  'printer.error': (sql, accountId, event) => readPrinter(sql, accountId, event, 'printer_error'),
  'printer.error_ended': async (_sql, _accountId, event) => ({ ends: [`error ${event.subject_id}`] }),
  'order.created': readNewOrder,
  'order.at_risk': readOrder,
  'order.risk_ended': async (_sql, _accountId, event) => ({ ends: [event.subject_id] }),
  'order.late': readLateOrder,
  'order.late_ended': async (_sql, _accountId, event) => ({ ends: [lateSubject(event.subject_id)] }),
  'order.fulfilled': async (_sql, _accountId, event) => ({ ends: [event.subject_id, lateSubject(event.subject_id)] }),
  'order.cancelled': async (_sql, _accountId, event) => ({ ends: [event.subject_id, lateSubject(event.subject_id)] }),
  'inventory.low': readStock,
  'material.low': readMaterial,
  'webhook.paused': readReceiver,
  'notification_channel.paused': readReceiver,
}

/** True when an event may mean something, by its type alone. */
export function isOfInterest(type: string): boolean {
  return type in readers
}

/** The beginnings of the types that are of interest. */
export const interestingTypes: readonly string[] = Object.keys(readers)

export async function readEvent(
  sql: Sql,
  accountId: AccountId,
  event: WholeEvent,
): Promise<Occurrence | Ended | undefined> {
  return readers[event.type as EventType]?.(sql, accountId, event)
}

/** Tasks that a person wrote have texts of that person: only those of the farm are told. */
async function readTask(sql: Sql, accountId: AccountId, event: WholeEvent): Promise<Occurrence | undefined> {
  const task = await findTaskFacts(sql, accountId, event.subject_id)
  if (!task || task.source === 'person' || !['pending', 'in_progress'].includes(task.status)) return undefined
  const kind = kindsOfSources[task.source]
  const hub = task.source === 'hub_silent' ? await findHubName(sql, accountId, task.subject_id ?? '') : undefined
  return {
    ...nowhere,
    ...lasting,
    kinds: kind === undefined ? ['needs_person'] : [kind, 'needs_person'],
    severity: task.priority,
    subject: task.id,
    title: hub === undefined ? task.title : `The hub ${hub} does not answer`,
    body: task.location ?? '',
    path: '/worklist',
    printerId: task.printer_id,
    location: task.location,
    taskId: task.id,
  }
}

async function readPrint(
  sql: Sql,
  accountId: AccountId,
  event: WholeEvent,
  kind: 'print_done' | 'print_failed',
): Promise<Occurrence | undefined> {
  const job = await findJobFacts(sql, accountId, event.subject_id)
  if (!job) return undefined
  const printer = await findPrinterFacts(sql, accountId, textIn(event, 'printer_id'))
  const what = job.product_name ?? job.file_name
  const where = printer === undefined ? '' : ` on ${printer.name}`
  return {
    ...nowhere,
    ...once,
    kinds: [kind],
    severity: kind === 'print_failed' ? 'high' : 'low',
    subject: `${job.id} ${event.id}`,
    title: kind === 'print_failed' ? `Print failed: ${what}${where}` : `Printed: ${what}${where}`,
    body: printer?.location ?? '',
    path: `/jobs/${job.id}`,
    printerId: printer?.id ?? null,
    location: printer?.location ?? null,
    productId: job.product_id,
  }
}

async function readPrinter(
  sql: Sql,
  accountId: AccountId,
  event: WholeEvent,
  kind: 'printer_silent' | 'printer_error',
): Promise<Occurrence | undefined> {
  const printer = await findPrinterFacts(sql, accountId, event.subject_id)
  if (!printer) return undefined
  const isSilent = kind === 'printer_silent'
  return {
    ...nowhere,
    ...lasting,
    kinds: [kind],
    severity: isSilent ? 'medium' : 'high',
    subject: `${isSilent ? 'silent' : 'error'} ${printer.id}`,
    title: isSilent ? `${printer.name} does not answer` : `${printer.name} reports an error`,
    body: printer.location,
    path: `/printers/${printer.id}`,
    printerId: printer.id,
    location: printer.location,
  }
}

async function readOrder(sql: Sql, accountId: AccountId, event: WholeEvent): Promise<Occurrence | undefined> {
  const order = await findOrderFacts(sql, accountId, event.subject_id)
  if (!order) return undefined
  return {
    ...nowhere,
    ...lasting,
    kinds: ['order_at_risk'],
    severity: 'high',
    subject: order.id,
    title: `Order ${order.order_number} is at risk`,
    body: 'It is forecast to leave later than it must.',
    path: `/orders/${order.id}`,
    orderId: order.id,
  }
}

/** A late order is told beside its risk: one of the two may have been asked for. */
const lateSubject = (subject: string) => `late ${subject}`

async function readLateOrder(sql: Sql, accountId: AccountId, event: WholeEvent): Promise<Occurrence | undefined> {
  const order = await findOrderFacts(sql, accountId, event.subject_id)
  if (!order) return undefined
  return {
    ...nowhere,
    ...lasting,
    kinds: ['order_late'],
    severity: 'high',
    subject: lateSubject(order.id),
    title: `Order ${order.order_number} is late`,
    body: 'It has not left by the time it must.',
    path: `/orders/${order.id}`,
    orderId: order.id,
  }
}

async function readNewOrder(sql: Sql, accountId: AccountId, event: WholeEvent): Promise<Occurrence | undefined> {
  const order = await findOrderFacts(sql, accountId, event.subject_id)
  if (!order) return undefined
  return {
    ...nowhere,
    ...once,
    kinds: ['order_received'],
    severity: 'low',
    subject: `${order.id} ${event.id}`,
    title: `New order ${order.order_number}`,
    body: '',
    path: `/orders/${order.id}`,
    orderId: order.id,
  }
}

async function readStock(sql: Sql, accountId: AccountId, event: WholeEvent): Promise<Occurrence | undefined> {
  const item = await findStockFacts(sql, accountId, event.subject_id)
  if (!item) return undefined
  return {
    ...nowhere,
    ...once,
    kinds: ['stock_low'],
    severity: item.ready_stock <= 0 ? 'high' : 'medium',
    subject: `${item.id} ${event.id}`,
    title: `Stock is low: ${item.product_name}`,
    body: `${item.sku}: ${item.ready_stock} ready, threshold ${item.low_stock_threshold}`,
    path: `/stock/${item.id}`,
    productId: item.product_id,
    skuId: item.sku_id,
  }
}

async function readMaterial(sql: Sql, accountId: AccountId, event: WholeEvent): Promise<Occurrence | undefined> {
  const material = await findMaterialFacts(sql, accountId, event.subject_id)
  if (!material) return undefined
  const printer = material.printer_id === null ? undefined : await findPrinterFacts(sql, accountId, material.printer_id)
  const name = [material.type, material.name, material.color].filter((part) => part !== '').join(', ')
  const isFilament = material.kind === 'filament'
  return {
    ...nowhere,
    ...once,
    kinds: [isFilament ? 'filament_low' : 'stock_low'],
    severity: material.status === 'out_of_stock' ? 'high' : 'medium',
    subject: `${material.id} ${event.id}`,
    title: `${isFilament ? 'Filament' : 'Material'} is ${material.status === 'out_of_stock' ? 'used up' : 'low'}: ${name}`,
    body: printer === undefined ? '' : `In ${printer.name}`,
    path: `/materials/${material.kind}/${material.id}`,
    printerId: printer?.id ?? null,
    location: printer?.location ?? null,
  }
}

async function readReceiver(sql: Sql, accountId: AccountId, event: WholeEvent): Promise<Occurrence | undefined> {
  const name = await findReceiverName(sql, accountId, event.subject_id)
  if (name === undefined) return undefined
  const isWebhook = event.type === 'webhook.paused'
  return {
    ...nowhere,
    ...once,
    kinds: ['receiver_paused'],
    severity: 'high',
    subject: `${event.subject_id} ${event.id}`,
    title: `Nothing is sent to ${name} any more`,
    body: `The ${isWebhook ? 'webhook' : 'channel'} was paused because nothing was accepted.`,
    path: isWebhook ? `/settings/webhooks/${event.subject_id}` : '/settings/notifications',
  }
}

function fieldIn({ data }: WholeEvent, name: string): unknown {
  // Written by `recordEvent` alone, which takes nothing but objects.
  return (data as Record<string, unknown>)[name]
}

function textIn(event: WholeEvent, name: string): string {
  const value = fieldIn(event, name)
  return typeof value === 'string' ? value : ''
}

function textsIn(event: WholeEvent, name: string): readonly unknown[] {
  const value = fieldIn(event, name)
  return Array.isArray(value) ? value : []
}
