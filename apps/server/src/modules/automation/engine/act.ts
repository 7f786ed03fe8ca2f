import type { Context } from '../../../context/context.ts'
import { AppError } from '../../../kernel/errors.ts'
import { type NotificationChannelId, readId } from '../../../kernel/ids.ts'
import { type Work, workIn } from '../../events/work.ts'
import { listKnownChannels } from '../../notifications/channels/channels.queries.ts'
import { insertNotifications } from '../../notifications/delivery/fan-out.queries.ts'
import type { Occurrence } from '../../notifications/rules/occurrence.ts'
import { changeOrder, getOrder } from '../../orders/orders.service.ts'
import { produceMany, produceOrder } from '../../planning/produce.service.ts'
import { findPrinter } from '../../printers/printers.queries.ts'
import { setMaintenance } from '../../printers/settings/printers.service.ts'
import { requireRoom } from '../../quotas/quotas.service.ts'
import { insertDeliveries } from '../../webhooks/delivery/fan-out.queries.ts'
import { findWebhook } from '../../webhooks/settings/webhooks.queries.ts'
import { createTask } from '../../worklist/worklist.service.ts'
import type { Action, ActionName } from '../rules/actions.ts'
import type { RuleRow } from '../rules/rules.queries.ts'
import type { Step } from '../runs/runs.queries.ts'
import { findRunEvent } from './feed.queries.ts'

/** What an action is taken for. */
export interface Cause {
  action: Action
  rule: RuleRow
  occurrence: Occurrence
}

type Result = Omit<Step, 'do'>
const done = (detail = ''): Result => ({ result: 'done', detail })
const refused = (detail: string): Result => ({ result: 'refused', detail })
const notNeeded = (detail: string): Result => ({ result: 'not_needed', detail })

/** Takes one action, whole or not at all. What is refused keeps no other action of the rule from being taken. */
export async function act(context: Context, work: Work, cause: Cause): Promise<Step> {
  const { do: name } = cause.action
  try {
    const result = await work.sql.savepoint((part) => actions[name](workIn(part, work), cause, context))
    return { do: name, ...result }
  } catch (error) {
    if (error instanceof AppError) return { do: name, ...refused(error.message) }
    throw error
  }
}

const actions: Record<ActionName, (work: Work, cause: Cause, context: Context) => Promise<Result>> = {
  send_message: sendMessage,
  call_webhook: callWebhook,
  create_task: makeTask,
  start_maintenance: startMaintenance,
  set_order_priority: setOrderPriority,
  produce: produceWhatLacks,
}

async function sendMessage(work: Work, { action, rule, occurrence }: Cause): Promise<Result> {
  const { sql, accountId, now } = work
  const channels = [...(await listKnownChannels(sql, accountId, action.channel_ids ?? []))]
  const messages = channels.map((id) => ({
    channel_id: readId('notificationChannel', id) as NotificationChannelId,
    rule_id: null,
    event_id: null,
    kind: 'automation',
    subject: `${rule.id} ${occurrence.subject}`,
    severity: occurrence.severity,
    title: action.text ?? occurrence.title,
    body: action.text === undefined ? occurrence.body : occurrence.title,
    path: occurrence.path,
    printer_id: occurrence.printerId,
    task_id: occurrence.taskId,
    is_digest: false,
    due_at: now,
  }))
  await insertNotifications(sql, accountId, messages, now)
  if (channels.length === 0) return refused('None of its channels is there any more.')
  return done(count(channels.length, 'message'))
}

async function callWebhook(work: Work, { action, rule }: Cause): Promise<Result> {
  const { sql, accountId, now } = work
  const webhookId = readId('webhook', action.webhook_id ?? '')
  const webhook = webhookId && (await findWebhook(sql, accountId, webhookId))
  if (!webhook) return refused('The webhook is not there any more.')
  if (webhook.paused_at !== null) return refused('The webhook is paused.')
  const event = await findRunEvent(sql, accountId, rule.id)
  await insertDeliveries(sql, [{ webhook_id: webhook.id, event }], now)
  return done()
}

async function makeTask(work: Work, { action, occurrence }: Cause, context: Context): Promise<Result> {
  await requireRoom(context, work.sql, work.accountId, 'tasks')
  const task = await createTask(work, {
    title: cut(action.text ?? occurrence.title, 200),
    subtitle: cut(action.text === undefined ? occurrence.body : occurrence.title, 200),
    task_type: occurrence.printerId === null ? 'quality_check' : 'maintenance',
    priority: occurrence.severity,
    ...(occurrence.printerId !== null && { printer_id: occurrence.printerId }),
  })
  return done(task.title)
}

async function startMaintenance(work: Work, { rule, occurrence: { printerId } }: Cause): Promise<Result> {
  const printer = printerId === null ? undefined : await findPrinter(work.sql, work.accountId, printerId)
  if (printer === undefined) return refused('This is about no printer.')
  if (printer.in_maintenance) return notNeeded(`${printer.name} is in maintenance already.`)
  await setMaintenance(work, printer.id, { in_maintenance: true, maintenance_type: `Rule: ${rule.name}` })
  return done(printer.name)
}

async function setOrderPriority(work: Work, { action, occurrence: { orderId } }: Cause): Promise<Result> {
  if (orderId === null || action.priority === undefined) return refused('This is about no order.')
  const order = await getOrder(work.sql, work.accountId, orderId)
  if (order.priority === action.priority) return notNeeded(`The priority is ${action.priority} already.`)
  await changeOrder(work, orderId, { priority: action.priority })
  return done(`${order.priority} → ${action.priority}`)
}

async function produceWhatLacks(
  work: Work,
  { occurrence: { orderId, skuId } }: Cause,
  context: Context,
): Promise<Result> {
  if (orderId === null && skuId === null) return refused('This is about no order and no SKU.')
  const {
    jobs,
    assemblyTasks,
    blocked,
    refused: failures,
  } = orderId === null
    ? await produceMany(context, work, { skuIds: skuId === null ? [] : [skuId], dryRun: false })
    : await produceOrder(context, work, orderId)
  const [failure] = failures
  if (failure) return refused(failure.error.message)
  const made = [
    ...(jobs.length > 0 ? [count(jobs.length, 'job')] : []),
    ...(assemblyTasks.length > 0 ? [count(assemblyTasks.length, 'assembly task')] : []),
  ]
  if (made.length > 0) return done(`${made.join(', ')} queued`)
  if (blocked.length > 0) return refused('Nothing can be made of what lacks: see Production.')
  return notNeeded('Nothing lacks.')
}

/** What a task has room for. */
const cut = (text: string, length: number) => Array.from(text).slice(0, length).join('')
const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? '' : 's'}`
