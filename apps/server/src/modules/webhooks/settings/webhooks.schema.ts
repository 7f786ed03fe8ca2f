import Type, { type Static } from 'typebox'
import {
  answer,
  clearableText,
  nullable,
  oneOf,
  optionalRequest,
  pageQuery,
  request,
  resource,
  text,
  timestamp,
} from '../../../http/schema.ts'
import { isFailing } from '../../outbound/retry-schedule.ts'
import type { WebhookRow } from './webhooks.queries.ts'

const exampleId = 'whk_01kaxq3v7m2e8h5t9w4c6y0b1d'
const exampleUrl = 'https://erp.example.com/printyard'

/** Types, and subjects, that one webhook may name. */
const mostFilters = 100

/** Hours for which the former secret stays valid beside a new one, if nothing else is said, and at most. */
const overlapHours = { fallback: 24, most: 168 }

const url = text(
  1,
  2_000,
  'Address to which events are sent by POST: `https://…`; private networks and `http://` only where the operator of the service allows it',
)
const description = clearableText(200, 'Purpose, for people')
const eventTypes = (description: string) =>
  Type.Array(text(1, 100, 'A type of event, such as `job.completed`, or `job.*` for all that begin so'), {
    maxItems: mostFilters,
    uniqueItems: true,
    description,
    examples: [['job.completed', 'order.*']],
  })
const subjectIds = (description: string) =>
  Type.Array(text(1, 255, 'ID of a thing'), {
    maxItems: mostFilters,
    uniqueItems: true,
    description,
    examples: [['prn_01kaxq3v7m2e8h5t9w4c6y0b1d']],
  })

export const NewWebhookBody = request({
  url,
  description: Type.Optional(description),
  event_types: Type.Optional(eventTypes('Send only events of these types; all when it is empty or left out')),
  subject_ids: Type.Optional(
    subjectIds('IDs of subjects: only their events are sent, all when it is empty or left out'),
  ),
})
export type NewWebhook = Static<typeof NewWebhookBody>

export const WebhookChangesBody = request(
  {
    url: Type.Optional(url),
    description: Type.Optional(description),
    event_types: Type.Optional(eventTypes('Send only events of these types; all when it is empty')),
    subject_ids: Type.Optional(subjectIds('IDs of subjects: only their events are sent, all when it is empty')),
    is_active: Type.Optional(
      Type.Boolean({
        description:
          'False pauses it: events of that time are not sent, unless they are redelivered. True resumes it, whatever had paused it',
      }),
    ),
  },
  { minProperties: 1 },
)
export type WebhookChanges = Static<typeof WebhookChangesBody>

export const RotateSecretBody = optionalRequest({
  overlap_hours: Type.Integer({
    minimum: 0,
    maximum: overlapHours.most,
    default: overlapHours.fallback,
    description: 'Hours for which messages are signed by the former secret too',
  }),
})

export const WebhooksQuery = request(pageQuery)

const webhookStatus = ['active', 'failing', 'paused'] as const

export const Webhook = resource('Webhook', 'Address to which events are sent', {
  id: Type.String({ description: 'ID of the webhook', examples: [exampleId] }),
  url: Type.String({
    description:
      'Address to which events are sent. Keys without the scope `write` see only the host, because paths of such URLs are often secret',
    examples: [exampleUrl],
  }),
  description: Type.String({ description: 'Purpose; empty when not given', examples: ['Stock of the shop'] }),
  event_types: eventTypes('Only events of these types are sent; all when it is empty'),
  subject_ids: subjectIds('IDs of subjects; only their events are sent, all when it is empty'),
  status: oneOf(webhookStatus, {
    description:
      '`failing`: the last attempts failed, and it is tried with one event at a time. `paused`: nothing is sent',
  }),
  pause_reason: nullable(
    oneOf(['person', 'failing', 'gone'] as const, {
      description:
        '`failing`: nothing was accepted for three days. `gone`: the receiver answered 410. Null unless paused',
    }),
  ),
  paused_at: nullable(timestamp('Time at which it was paused; null unless it is paused')),
  failing_since: nullable(timestamp('Since when no attempt has succeeded; null when the last one did')),
  retry_at: nullable(timestamp('Time of the next attempt, while it is failing or the receiver asked for time')),
  created_by: Type.String({ description: 'Actor that made it: user:… or key:…' }),
  created_at: timestamp('Time of creation'),
  updated_at: timestamp('Time at which its settings last changed'),
})

export const NewWebhookAnswer = resource('NewWebhook', 'A webhook with its secret, which is shown only here', {
  ...Webhook.properties,
  secret: Type.String({
    description: 'Signs every message, by the scheme of Standard Webhooks; shown only in this answer',
    examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo='],
  }),
})

export const RotatedSecret = resource('RotatedSecret', 'The new secret of a webhook, which is shown only here', {
  id: Type.String({ description: 'ID of the webhook', examples: [exampleId] }),
  secret: NewWebhookAnswer.properties.secret,
  former_valid_until: timestamp('End of the overlap, until which messages also carry a signature by the former secret'),
})

export const RemovedWebhook = answer(
  {
    id: Type.String({ description: 'ID of the webhook', examples: [exampleId] }),
    deleted: Type.Boolean({ description: 'Always true' }),
  },
  { description: 'Deleted' },
)

/** @param seesUrl whether the caller could have entered the URL */
export function presentWebhook(row: WebhookRow, seesUrl: boolean): Static<typeof Webhook> {
  return {
    id: row.id,
    url: seesUrl ? row.url : `${new URL(row.url).origin}/…`,
    description: row.description,
    event_types: row.event_types,
    subject_ids: row.subject_ids,
    status: row.paused_at !== null ? 'paused' : isFailing(row) ? 'failing' : 'active',
    pause_reason: row.pause_reason,
    paused_at: row.paused_at?.toISOString() ?? null,
    failing_since: row.failing_since?.toISOString() ?? null,
    retry_at: row.retry_at?.toISOString() ?? null,
    created_by: row.created_by,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}
