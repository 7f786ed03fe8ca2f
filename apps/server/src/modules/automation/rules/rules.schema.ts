import Type, { type Static } from 'typebox'
import { oneOf, pageQuery, request, resource, text, timestamp } from '../../../http/schema.ts'
import { severities } from '../../notifications/message/message.ts'
import { kinds } from '../../notifications/rules/kinds.ts'
import { actionNames, actionPriorities } from './actions.ts'
import type { RuleRow } from './rules.queries.ts'

const exampleId = 'arl_01kaxq3v7m2e8h5t9w4c6y0b1d'

/** Things that one rule may name, and steps that it may take. */
const mostNamed = 100
const mostActions = 5

const ruleModes = ['on', 'trial', 'off'] as const

const list = <T extends ReturnType<typeof text>>(item: T, description: string, examples: string[]) =>
  Type.Array(item, { maxItems: mostNamed, uniqueItems: true, description, examples: [examples] })
const ids = (description: string, example: string) => list(text(1, 255, 'ID'), description, [example])

const actionFields = {
  do: oneOf(actionNames, {
    description:
      '`send_message` to channels of notifications. `call_webhook`: sends it the event `automation_rule.ran`. `create_task` on the worklist, for the printer if it is about one. `start_maintenance` of the printer: what it prints goes on, nothing new begins. `set_order_priority` of the order. `produce`: queues what the order or the SKU lacks',
  }),
  channel_ids: Type.Optional(ids('Channels of `send_message`', 'nch_01kaxq3v7m2e8h5t9w4c6y0b1d')),
  webhook_id: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      description: 'Webhook of `call_webhook`',
      examples: ['whk_01kaxq3v7m2e8h5t9w4c6y0b1d'],
    }),
  ),
  text: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'Text of the message or the task; default: the title of the event',
      examples: ['Look at it'],
    }),
  ),
  priority: Type.Optional(oneOf(actionPriorities, { description: 'Priority of `set_order_priority`' })),
}

const fields = {
  name: text(1, 100, 'Name of the rule'),
  mode: oneOf(ruleModes, { description: '`on`, `off`, or `trial`: it notes what it would do, and does nothing' }),
  kinds: Type.Array(oneOf(kinds, { description: 'Kind of event' }), {
    minItems: 1,
    maxItems: kinds.length,
    uniqueItems: true,
    description: 'Kinds of events that it waits for',
    examples: [['print_failed']],
  }),
  least_severity: oneOf(severities, { description: 'Only what matters at least so much' }),
  locations: list(text(1, 200, 'A place'), 'Only of printers at these places; of all when it is empty', ['Rack 2']),
  printer_ids: ids('Only of these printers; of all when it is empty', 'prn_01kaxq3v7m2e8h5t9w4c6y0b1d'),
  product_ids: ids('Only of these products; of all when it is empty', 'prd_01kaxq3v7m2e8h5t9w4c6y0b1d'),
  times: Type.Integer({
    minimum: 1,
    maximum: 100,
    description: 'Number of events of one printer, product or order after which the rule acts',
    examples: [3],
  }),
  within_minutes: Type.Integer({
    minimum: 1,
    maximum: 10_080,
    description: 'Within so many minutes, where `times` is more than 1',
    examples: [1_440],
  }),
  most_per_hour: Type.Integer({
    minimum: 1,
    maximum: 1_000,
    description: 'Number of actions that it may take in an hour; further runs are recorded as `held`',
    examples: [20],
  }),
}
const newActions = Type.Array(request(actionFields), {
  minItems: 1,
  maxItems: mostActions,
  description: 'Actions, carried out in this order. One that is refused does not stop the others',
})

const optionalFields = { ...Type.Partial(Type.Object(fields)).properties, actions: Type.Optional(newActions) }

export const NewRuleBody = request({
  ...optionalFields,
  name: fields.name,
  kinds: fields.kinds,
  actions: newActions,
})
export type NewRule = Static<typeof NewRuleBody>

export const RuleChangesBody = request(optionalFields, { minProperties: 1 })
export type RuleChanges = Static<typeof RuleChangesBody>

export const RulesQuery = request(pageQuery)

export const Rule = resource('AutomationRule', 'Rule by which the farm acts by itself when something happens', {
  id: Type.String({ description: 'ID of the rule', examples: [exampleId] }),
  ...fields,
  actions: Type.Array(Type.Object(actionFields), { description: 'Actions, carried out in this order' }),
  created_at: timestamp('Time at which it was added'),
  updated_at: timestamp('Time of the last change'),
})

export const RemovedRule = resource('RemovedAutomationRule', 'A rule that is gone', {
  id: Type.String({ description: 'ID of the rule', examples: [exampleId] }),
  deleted: Type.Boolean({ description: 'Always true' }),
})

export function presentRule({ created_at, updated_at, ...row }: RuleRow): Static<typeof Rule> {
  return {
    ...row,
    kinds: kinds.filter((kind) => row.kinds.includes(kind)),
    created_at: created_at.toISOString(),
    updated_at: updated_at.toISOString(),
  }
}
