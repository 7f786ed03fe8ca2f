import { orderPriorities } from '../../orders/order-priority.ts'

/** What a rule can do, each with what it needs to know. */
export const actionNames = [
  'send_message',
  'call_webhook',
  'create_task',
  'start_maintenance',
  'set_order_priority',
  'produce',
] as const
export type ActionName = (typeof actionNames)[number]

export const actionPriorities = orderPriorities
type ActionPriority = (typeof actionPriorities)[number]

/** One step of a rule. Which of the fields are there goes by `do`; see `problemOf`. */
export interface Action {
  do: ActionName
  /** Channels of `send_message`. */
  channel_ids?: string[]
  /** Webhook of `call_webhook`. */
  webhook_id?: string
  /** What the message or the task says; without it, what happened. */
  text?: string
  /** Priority of `set_order_priority`. */
  priority?: ActionPriority
}

type Field = Exclude<keyof Action, 'do'>

const fieldsOf: Record<ActionName, { needs: readonly Field[]; takes: readonly Field[] }> = {
  send_message: { needs: ['channel_ids'], takes: ['channel_ids', 'text'] },
  call_webhook: { needs: ['webhook_id'], takes: ['webhook_id'] },
  create_task: { needs: [], takes: ['text'] },
  start_maintenance: { needs: [], takes: [] },
  set_order_priority: { needs: ['priority'], takes: ['priority'] },
  produce: { needs: [], takes: [] },
}

/** Answers why an action cannot be taken as it was written; undefined when it can. */
export function problemOf(action: Action): string | undefined {
  const { needs, takes } = fieldsOf[action.do]
  const missing = needs.find((field) => action[field] === undefined || action[field].length === 0)
  if (missing !== undefined) return `${action.do} needs ${missing}`
  const given = (Object.keys(action) as (keyof Action)[]).filter((field) => field !== 'do')
  const surplus = given.find((field) => !takes.includes(field as Field))
  return surplus === undefined ? undefined : `${action.do} takes no ${surplus}`
}
