import type { Sql } from '../../../db/database.ts'
import { notFound, validationError } from '../../../kernel/errors.ts'
import { type AccountId, type NotificationRuleId, newId, readId } from '../../../kernel/ids.ts'
import { changedFields } from '../../events/changed-fields.ts'
import type { Work } from '../../events/work.ts'
import { isTimeZone } from '../../people/accounts/accounts.service.ts'
import { holdMembersAmong } from '../../people/accounts/members.queries.ts'
import { findTimeZone, followAccount } from '../account/follow-account.ts'
import { listKnownChannels } from '../channels/channels.queries.ts'
import {
  deleteRule,
  findRule,
  insertRule,
  type RuleRow,
  type RuleSettings,
  updateRule,
} from '../rules/rules.queries.ts'
import type { NewRule, RuleChanges } from './rules.schema.ts'

const unsaid: Omit<RuleSettings, 'name' | 'kinds' | 'time_zone'> = {
  is_active: true,
  least_severity: 'low',
  locations: [],
  printer_ids: [],
  product_ids: [],
  channel_ids: [],
  user_ids: [],
  to_acting_members: false,
  to_on_shift: false,
  quiet_from: null,
  quiet_to: null,
  urgent_passes: true,
  digest_minutes: 0,
}

export async function getRule(
  sql: Sql,
  accountId: AccountId,
  ruleId: NotificationRuleId,
  options?: { isLocked?: boolean },
): Promise<RuleRow> {
  const row = await findRule(sql, accountId, ruleId, options)
  if (!row) throw notFound('rule')
  return row
}

export async function createRule(work: Work, body: NewRule): Promise<RuleRow> {
  const time_zone = body.time_zone ?? (await findTimeZone(work))
  const settings = { ...unsaid, ...body, time_zone }
  await requireUsable(work, settings)
  await followAccount(work)
  const id = newId('notificationRule', work.now.getTime())
  const rule = await insertRule(work, { id, ...settings })
  await work.record({ type: 'notification_rule.created', subjectId: id, data: { name: rule.name, kinds: rule.kinds } })
  return rule
}

export async function changeRule(work: Work, ruleId: NotificationRuleId, changes: RuleChanges): Promise<RuleRow> {
  const before = await getRule(work.sql, work.accountId, ruleId, { isLocked: true })
  const fields = changedFields(before, changes)
  if (fields.length === 0) return before
  await requireUsable(work, { ...before, ...changes })
  const changed = await updateRule(work, ruleId, changes)
  await work.record({ type: 'notification_rule.updated', subjectId: ruleId, data: { fields } })
  return changed
}

export async function removeRule(work: Work, ruleId: NotificationRuleId): Promise<void> {
  const { name } = await getRule(work.sql, work.accountId, ruleId, { isLocked: true })
  await deleteRule(work, ruleId)
  await work.record({ type: 'notification_rule.deleted', subjectId: ruleId, data: { name } })
}

/** @throws AppError `VALIDATION_ERROR` */
async function requireUsable({ sql, accountId }: Work, rule: RuleSettings): Promise<void> {
  if (!isTimeZone(rule.time_zone))
    throw validationError({ time_zone: ['is not a time zone; write it like Europe/Berlin'] })
  if ((rule.quiet_from === null) !== (rule.quiet_to === null)) {
    throw validationError({ quiet_to: ['quiet hours have a beginning and an end'] })
  }
  if (rule.quiet_from !== null && rule.quiet_from === rule.quiet_to) {
    throw validationError({ quiet_to: ['must be another time than the beginning'] })
  }
  const channels = await listKnownChannels(sql, accountId, rule.channel_ids)
  if (rule.channel_ids.some((id) => !channels.has(id)))
    throw validationError({ channel_ids: ['names no channel of this account'] })
  const userIds = rule.user_ids.flatMap((id) => readId('user', id) ?? [])
  const members: ReadonlySet<string> = await holdMembersAmong(sql, accountId, userIds)
  if (rule.user_ids.some((id) => !members.has(id)))
    throw validationError({ user_ids: ['names no member of this account'] })
}
