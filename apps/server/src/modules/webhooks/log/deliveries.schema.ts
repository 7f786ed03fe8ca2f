import Type, { type Static } from 'typebox'
import { anyIdOf, nullable, oneOf, pageQuery, request, resource, text, timestamp } from '../../../http/schema.ts'
import { failures } from '../../outbound/outcome.ts'
import type { DeliveryRow } from './deliveries.queries.ts'

const exampleId = 'whd_01kaxq3v7m2e8h5t9w4c6y0b1d'
const statuses = ['pending', 'delivered', 'failed'] as const

export const DeliveryParams = Type.Object(
  {
    id: anyIdOf('webhook', 'ID of the webhook'),
    deliveryId: anyIdOf('webhookDelivery', 'ID of the delivery'),
  },
  { additionalProperties: false },
)

export const DeliveriesQuery = request({
  status: Type.Optional(oneOf(statuses, { description: 'Only deliveries of this status' })),
  event_type: Type.Optional(text(1, 100, 'Only events of this type')),
  subject: Type.Optional(text(1, 255, 'Only events of the subject with this ID')),
  ...pageQuery,
})

export const RedeliverBody = request({
  from: Type.String({ format: 'date-time', description: 'Events that were recorded at this time or later' }),
  to: Type.Optional(
    Type.String({
      format: 'date-time',
      description: 'Events that were recorded before this time; all since `from` without',
    }),
  ),
  also_delivered: Type.Boolean({
    default: false,
    description: 'Includes events that the receiver has accepted already; their IDs stay the same',
  }),
})
export type RedeliverRange = Static<typeof RedeliverBody>

const status_code = nullable(
  Type.Integer({ description: 'Answer of the receiver; null when there was none', examples: [200] }),
)
const duration_ms = nullable(Type.Integer({ description: 'Duration of the attempt, in ms', examples: [84] }))
const failure = nullable(
  oneOf(failures, {
    description:
      'Reason why it was not accepted: `status` (an answer other than 2xx), `redirect` (never followed), `timeout`, `connection`, `dns`, `tls`, `address_refused` (a network that is not allowed), `event_removed` (older than events are kept), `secret_unreadable`. Null when it was',
    examples: ['status'],
  }),
)

export const Delivery = resource('WebhookDelivery', 'An event for a webhook, and the outcome of sending it', {
  id: Type.String({ description: 'ID of the delivery', examples: [exampleId] }),
  webhook_id: Type.String({
    description: 'The webhook that it is for',
    examples: ['whk_01kaxq3v7m2e8h5t9w4c6y0b1d'],
  }),
  event_id: Type.String({
    description: 'ID of the event, which is the `webhook-id` of the message at every attempt',
    examples: ['evt_01kaxq3v7m2e8h5t9w4c6y0b1d'],
  }),
  event_type: Type.String({ description: 'Type of the event', examples: ['job.completed'] }),
  subject_id: Type.String({
    description: 'ID of the thing that it happened to',
    examples: ['job_01kaxq3v7m2e8h5t9w4c6y0b1d'],
  }),
  is_test: Type.Boolean({ description: 'Whether it was a test call, which is sent once', examples: [false] }),
  status: oneOf(statuses, {
    description: '`pending`: is sent, again if need be. `delivered`: was accepted. `failed`: is not sent any more',
    examples: ['pending'],
  }),
  attempts: Type.Integer({
    description: 'Number of attempts; it starts over when the event is redelivered',
    examples: [1],
  }),
  due_at: nullable(
    timestamp('Time of the next attempt, unless something of the same subject comes first; null when there is none'),
  ),
  attempted_at: nullable(timestamp('Time of the last attempt; null before the first')),
  duration_ms,
  status_code,
  failure,
  answer: nullable(
    Type.String({
      description: 'The first part of the answer of the receiver, or the error',
      examples: ['internal error'],
    }),
  ),
  history: Type.Array(
    resource('WebhookAttempt', 'An earlier attempt', {
      attempted_at: timestamp('Time at which it was sent'),
      duration_ms,
      status_code,
      failure,
    }),
    { description: 'The attempts before the last one, the newest last' },
  ),
  created_at: timestamp('Time at which the event was first to be sent'),
})

export const Redelivered = resource('RedeliveredEvents', 'Events that are sent again', {
  deliveries: Type.Integer({ description: 'Number of events that are sent from now on', examples: [12] }),
  continue_from: nullable(timestamp('Time to send as `from` for the events that remain. Null when these were all')),
})

/** What `settleAttempts` writes there. */
type History = {
  attempted_at: string
  duration_ms: number | null
  status_code: number | null
  failure: string | null
}[]

export function presentDelivery(row: DeliveryRow): Static<typeof Delivery> {
  return {
    id: row.id,
    webhook_id: row.webhook_id,
    event_id: row.event_id,
    event_type: row.event_type,
    subject_id: row.subject_id,
    is_test: row.is_test,
    status: row.status,
    attempts: row.attempts,
    due_at: row.status === 'pending' ? row.due_at.toISOString() : null,
    attempted_at: row.attempted_at?.toISOString() ?? null,
    duration_ms: row.duration_ms,
    status_code: row.status_code,
    failure: readFailure(row.failure),
    answer: row.answer,
    // Written by `settleAttempts` alone.
    history: (row.history as History).map((attempt) => ({
      attempted_at: new Date(attempt.attempted_at).toISOString(),
      duration_ms: attempt.duration_ms,
      status_code: attempt.status_code,
      failure: readFailure(attempt.failure),
    })),
    created_at: row.created_at.toISOString(),
  }
}

function readFailure(text: string | null) {
  return failures.find((each) => each === text) ?? null
}
