import type { Context } from '../../../context/context.ts'
import type { Sql } from '../../../db/database.ts'
import { notFound, validationError } from '../../../kernel/errors.ts'
import { type AccountId, newId, type WebhookId } from '../../../kernel/ids.ts'
import { createTargetPolicy } from '../../../kernel/target-policy.ts'
import { changedFields } from '../../events/changed-fields.ts'
import { findEndOfFeed } from '../../events/event-feed.queries.ts'
import type { Work } from '../../events/work.ts'
import { healthy } from '../../outbound/retry-schedule.ts'
import { findTypeProblem } from '../rules/matches.ts'
import { newSecrets, openSecrets, rotateSecrets, sealSecrets } from '../rules/webhook-secrets.ts'
import {
  deleteWebhook,
  findWebhook,
  insertWebhook,
  lockWebhook,
  releaseDeliveries,
  updateWebhook,
  type WebhookRow,
} from './webhooks.queries.ts'
import type { NewWebhook, WebhookChanges } from './webhooks.schema.ts'

type Known = Pick<Context, 'config' | 'secrets'>

export async function getWebhook(sql: Sql, accountId: AccountId, webhookId: WebhookId): Promise<WebhookRow> {
  const row = await findWebhook(sql, accountId, webhookId)
  if (!row) throw notFound('webhook')
  return row
}

export async function getWebhookLocked(sql: Sql, accountId: AccountId, webhookId: WebhookId): Promise<WebhookRow> {
  const row = await lockWebhook(sql, accountId, webhookId)
  if (!row) throw notFound('webhook')
  return row
}

/** Adds a webhook, which is sent what happens from now on. The secret is not shown again. */
export async function createWebhook(
  { config, secrets }: Known,
  work: Work,
  body: NewWebhook,
): Promise<{ webhook: WebhookRow; secret: string }> {
  requireUsable(config, body)
  const id = newId('webhook', work.now.getTime())
  const made = newSecrets()
  const { url, description = '', event_types = [], subject_ids = [] } = body
  const since = await findEndOfFeed(work.sql, work.accountId)
  const row = { id, url, description, event_types, subject_ids, secrets_sealed: sealSecrets(secrets, id, made) }
  const webhook = await insertWebhook(work, row, since)
  await work.record({ type: 'webhook.created', subjectId: id, data: { event_types } })
  return { webhook, secret: made.current }
}

/** Changes what is given. One that is resumed, or sends elsewhere, starts over: what waits is due now. */
export async function changeWebhook(
  { config }: Known,
  work: Work,
  webhookId: WebhookId,
  changes: WebhookChanges,
): Promise<WebhookRow> {
  const { sql, accountId, now } = work
  requireUsable(config, changes)
  const before = await getWebhookLocked(sql, accountId, webhookId)
  const fields = changedFields({ ...before, is_active: before.paused_at === null }, changes)
  if (fields.length === 0) return before
  const { is_active, ...settings } = changes
  const startsOver = (is_active === true && before.paused_at !== null) || fields.includes('url')
  const changed = await updateWebhook(work, webhookId, {
    ...settings,
    ...(is_active === true && { paused_at: null, pause_reason: null }),
    ...(is_active === false && before.paused_at === null && { paused_at: now, pause_reason: 'person' as const }),
    ...(startsOver && healthy),
  })
  if (startsOver) await releaseDeliveries(sql, accountId, webhookId, now)
  await work.record({ type: 'webhook.updated', subjectId: webhookId, data: { fields } })
  return changed
}

/** Gives a webhook a new secret. Messages are signed by the former one too until the overlap ends. */
export async function rotateSecret(
  { secrets }: Known,
  work: Work,
  webhookId: WebhookId,
  overlapHours: number,
): Promise<{ id: WebhookId; secret: string; former_valid_until: string }> {
  const { sql, accountId, now } = work
  const before = await getWebhookLocked(sql, accountId, webhookId)
  const until = new Date(now.getTime() + overlapHours * 3_600_000)
  const rotated = rotateSecrets(openSecrets(secrets, webhookId, before.secrets_sealed), now, until)
  await updateWebhook(work, webhookId, { secrets_sealed: sealSecrets(secrets, webhookId, rotated) })
  const former_valid_until = until.toISOString()
  await work.record({
    type: 'webhook.secret_rotated',
    subjectId: webhookId,
    data: { valid_until: former_valid_until },
  })
  return { id: webhookId, secret: rotated.current, former_valid_until }
}

export async function removeWebhook(work: Work, webhookId: WebhookId): Promise<void> {
  await getWebhookLocked(work.sql, work.accountId, webhookId)
  await deleteWebhook(work, webhookId)
  await work.record({ type: 'webhook.deleted', subjectId: webhookId, data: {} })
}

/** @throws AppError `VALIDATION_ERROR` */
function requireUsable(
  config: Known['config'],
  { url, event_types = [] }: Pick<WebhookChanges, 'url' | 'event_types'>,
) {
  const urlProblem = url === undefined ? undefined : createTargetPolicy(config.outboundNetworks).findUrlProblem(url)
  if (urlProblem !== undefined) throw validationError({ url: [urlProblem] })
  for (const [index, type] of event_types.entries()) {
    const problem = findTypeProblem(type)
    if (problem !== undefined) throw validationError({ [`event_types.${index}`]: [problem] })
  }
}
