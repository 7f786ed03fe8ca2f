import Type, { type Static } from 'typebox'
import { nullable, oneOf, pageQuery, request, resource, text, timestamp } from '../../../http/schema.ts'
import { severities } from '../message/message.ts'
import { kinds } from '../rules/kinds.ts'
import type { RuleRow } from '../rules/rules.queries.ts'

const exampleId = 'nrl_01kaxq3v7m2e8h5t9w4c6y0b1d'

/** Things that one rule may name. */
const mostNamed = 100

const list = <T extends ReturnType<typeof text>>(item: T, description: string, examples: string[]) =>
  Type.Array(item, { maxItems: mostNamed, uniqueItems: true, description, examples: [examples] })
const ids = (description: string, example: string) => list(text(1, 255, 'ID'), description, [example])
const clock = (description: string) =>
  nullable(Type.String({ pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$', description, examples: ['22:00'] }))

const fields = {
  name: text(1, 100, 'Name of the rule'),
  is_active: Type.Boolean({ description: 'Whether the rule is active' }),
  kinds: Type.Array(oneOf(kinds, { description: 'Kind of notification' }), {
    minItems: 1,
    maxItems: kinds.length,
    uniqueItems: true,
    description: 'Kinds of notifications that it sends',
    examples: [['needs_person', 'print_failed']],
  }),
  least_severity: oneOf(severities, { description: 'Only what matters at least so much' }),
  locations: list(text(1, 200, 'A place'), 'Only of printers at these places; of all when it is empty', ['Rack 2']),
  printer_ids: ids('Only of these printers; of all when it is empty', 'prn_01kaxq3v7m2e8h5t9w4c6y0b1d'),
  product_ids: ids('Only of these products; of all when it is empty', 'prd_01kaxq3v7m2e8h5t9w4c6y0b1d'),
  channel_ids: ids('Channels that get notifications', 'nch_01kaxq3v7m2e8h5t9w4c6y0b1d'),
  user_ids: ids('Members whose browsers get notifications', 'usr_01kaxq3v7m2e8h5t9w4c6y0b1d'),
  to_acting_members: Type.Boolean({ description: 'Whether it sends to the browsers of all members who may act' }),
  to_on_shift: Type.Boolean({
    description:
      'Whether it sends to the browsers of the members who are on shift when the message is sent, and, among the named channels that belong to a member, only to theirs. While no one is on shift, these are owners and admins; in an account without shifts all who may act',
  }),
  quiet_from: clock('Start of quiet hours, by the clock of `time_zone`; null for none'),
  quiet_to: clock('End of quiet hours; earlier than `quiet_from` means the next day'),
  time_zone: text(1, 100, 'IANA name of the time zone of the quiet hours, such as `Europe/Berlin`'),
  urgent_passes: Type.Boolean({ description: 'Whether notifications of severity `high` are sent in quiet hours too' }),
  digest_minutes: Type.Integer({
    minimum: 0,
    maximum: 1_440,
    description: 'Minutes to collect notifications into one message; 0 sends at once. Severity `high` never waits',
    examples: [30],
  }),
}

const optionalFields = Type.Partial(Type.Object(fields)).properties

export const NewRuleBody = request({ ...optionalFields, name: fields.name, kinds: fields.kinds })
export type NewRule = Static<typeof NewRuleBody>

export const RuleChangesBody = request(optionalFields, { minProperties: 1 })
export type RuleChanges = Static<typeof RuleChangesBody>

export const RulesQuery = request(pageQuery)

export const Rule = resource('NotificationRule', 'Notification rule: the kinds that are sent, and their receivers', {
  id: Type.String({ description: 'ID of the rule', examples: [exampleId] }),
  ...fields,
  created_at: timestamp('Time at which it was added'),
  updated_at: timestamp('Time of the last change'),
})

export const RemovedRule = resource('RemovedNotificationRule', 'A rule that is gone', {
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
