import { isDeepStrictEqual } from 'node:util'
import type { Sql } from '../../../db/database.ts'
import { notFound, validationError } from '../../../kernel/errors.ts'
import { type AccountId, type AutomationRuleId, newId, readId } from '../../../kernel/ids.ts'
import { changedFields } from '../../events/changed-fields.ts'
import type { Work } from '../../events/work.ts'
import { listKnownChannels } from '../../notifications/channels/channels.queries.ts'
import { findWebhook } from '../../webhooks/settings/webhooks.queries.ts'
import { insertFeed } from '../feed/feed.queries.ts'
import { problemOf } from './actions.ts'
import { deleteRule, findRule, insertRule, type RuleRow, type RuleSettings, updateRule } from './rules.queries.ts'
import type { NewRule, RuleChanges } from './rules.schema.ts'

const unsaid = {
  mode: 'on',
  least_severity: 'low',
  locations: [],
  printer_ids: [],
  product_ids: [],
  times: 1,
  within_minutes: 60,
  most_per_hour: 20,
} as const

export async function getRule(
  sql: Sql,
  accountId: AccountId,
  ruleId: AutomationRuleId,
  options?: { isLocked?: boolean },
): Promise<RuleRow> {
  const row = await findRule(sql, accountId, ruleId, options)
  if (!row) throw notFound('rule')
  return row
}

export async function createRule(work: Work, body: NewRule): Promise<RuleRow> {
  const settings: RuleSettings = {
    ...unsaid,
    ...body,
    locations: body.locations ?? [],
    printer_ids: body.printer_ids ?? [],
    product_ids: body.product_ids ?? [],
  }
  await requireUsable(work, settings)
  await insertFeed(work)
  const id = newId('automationRule', work.now.getTime())
  const rule = await insertRule(work, { id, ...settings })
  await work.record({ type: 'automation_rule.created', subjectId: id, data: { name: rule.name, kinds: rule.kinds } })
  return rule
}

export async function changeRule(work: Work, ruleId: AutomationRuleId, changes: RuleChanges): Promise<RuleRow> {
  const before = await getRule(work.sql, work.accountId, ruleId, { isLocked: true })
  const { actions, ...others } = changes
  const isActing = actions !== undefined && !isDeepStrictEqual(actions, before.actions)
  const fields = [...changedFields(before, others), ...(isActing ? ['actions'] : [])]
  if (fields.length === 0) return before
  await requireUsable(work, { ...before, ...changes })
  const changed = await updateRule(work, ruleId, changes)
  // One that came with an import had no events of this service to follow.
  if (changed.mode !== 'off') await insertFeed(work)
  await work.record({ type: 'automation_rule.updated', subjectId: ruleId, data: { fields } })
  return changed
}

export async function removeRule(work: Work, ruleId: AutomationRuleId): Promise<void> {
  const { name } = await getRule(work.sql, work.accountId, ruleId, { isLocked: true })
  await deleteRule(work, ruleId)
  await work.record({ type: 'automation_rule.deleted', subjectId: ruleId, data: { name } })
}

/** @throws AppError `VALIDATION_ERROR` */
async function requireUsable({ sql, accountId }: Work, { actions }: RuleSettings): Promise<void> {
  for (const [index, action] of actions.entries()) {
    const refuse = (problem: string) => validationError({ [`actions.${index}`]: [problem] })
    const problem = problemOf(action)
    if (problem !== undefined) throw refuse(problem)
    const channelIds = action.channel_ids ?? []
    const channels = await listKnownChannels(sql, accountId, channelIds)
    if (channelIds.some((id) => !channels.has(id))) throw refuse('channel_ids names no channel of this account')
    if (action.webhook_id === undefined) continue
    const webhookId = readId('webhook', action.webhook_id)
    const webhook = webhookId && (await findWebhook(sql, accountId, webhookId))
    if (!webhook) throw refuse('webhook_id names no webhook of this account')
  }
}
