import Type, { type Static } from 'typebox'
import { idOf, nullable, oneOf, pageQuery, request, resource, timestamp } from '../../../http/schema.ts'
import { enteredKinds } from '../adapters/adapters.ts'
import { severities } from '../message/message.ts'
import type { ListedNotification } from './notifications.queries.ts'

const statuses = ['pending', 'sent', 'failed', 'dropped'] as const
const verdicts = ['retry', 'gone', 'refused'] as const
const channelKinds = [...enteredKinds, 'web_push'] as const

export const NotificationsQuery = request({
  status: Type.Optional(oneOf(statuses, { description: 'Only notifications of this status' })),
  channel_id: Type.Optional(idOf('notificationChannel', 'Only what this channel was told')),
  ...pageQuery,
})

export const Notification = resource('Notification', 'Message to a channel, and its outcome', {
  id: Type.String({ description: 'ID of the notification', examples: ['ntf_01kaxq3v7m2e8h5t9w4c6y0b1d'] }),
  channel_id: Type.String({ description: 'The channel', examples: ['nch_01kaxq3v7m2e8h5t9w4c6y0b1d'] }),
  channel_kind: nullable(oneOf(channelKinds, { description: 'The service that it is at; null when it was deleted' })),
  channel_name: nullable(Type.String({ description: 'Its name; null when it was deleted', examples: ['Workshop'] })),
  kind: Type.String({ description: 'Reason of the notification; `test` for a test', examples: ['needs_person'] }),
  severity: oneOf(severities, { description: 'Severity' }),
  title: Type.String({ description: 'Title of the message', examples: ['Look at Prusa 1: it reports an error'] }),
  body: Type.String({ description: 'Text of the message; often empty', examples: ['Rack 2'] }),
  path: Type.String({ description: 'The page of the dashboard that it leads to', examples: ['/worklist'] }),
  is_test: Type.Boolean({ description: 'Whether it was a test, which is sent once', examples: [false] }),
  status: oneOf(statuses, {
    description:
      '`pending`: is sent, again if need be. `sent`: was accepted. `failed`: is not sent any more. `dropped`: was over before it was sent',
  }),
  attempts: Type.Integer({ description: 'Number of attempts', examples: [1] }),
  due_at: nullable(timestamp('Time of the next attempt; null when there is none')),
  attempted_at: nullable(timestamp('Time of the last attempt; null before the first')),
  duration_ms: nullable(Type.Integer({ description: 'Duration of the attempt, in ms', examples: [84] })),
  status_code: nullable(
    Type.Integer({
      description: 'HTTP status that the receiver answered; null when it did not answer',
      examples: [200],
    }),
  ),
  failure: nullable(
    oneOf(verdicts, {
      description:
        'Reason why it was not accepted: `retry` (for now), `refused` (this message never will be), `gone` (the channel is no more). Null when it was',
    }),
  ),
  answer: nullable(
    Type.String({ description: 'The beginning of what the other side answered, or what went wrong', examples: ['ok'] }),
  ),
  taken_at: nullable(timestamp('Time at which a person took the task by its link; null unless one did')),
  created_at: timestamp('Time at which it was due'),
})

export function presentNotification(row: ListedNotification): Static<typeof Notification> {
  return {
    id: row.id,
    channel_id: row.channel_id,
    channel_kind: row.channel_kind,
    channel_name: row.channel_name,
    kind: row.kind,
    severity: row.severity,
    title: row.title,
    body: row.body,
    path: row.path,
    is_test: row.is_test,
    status: row.status,
    attempts: row.attempts,
    due_at: row.status === 'pending' ? row.due_at.toISOString() : null,
    attempted_at: row.attempted_at?.toISOString() ?? null,
    duration_ms: row.duration_ms,
    status_code: row.status_code,
    failure: verdicts.find((each) => each === row.failure) ?? null,
    answer: row.answer,
    taken_at: row.taken_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
  }
}
