import Type, { type Static } from 'typebox'
import { idOf, nullable, oneOf, pageQuery, request, resource, text, timestamp } from '../../../http/schema.ts'
import { isFailing } from '../../outbound/retry-schedule.ts'
import { enteredKinds } from '../adapters/adapters.ts'
import type { ChannelRow } from './channels.queries.ts'

const exampleId = 'nch_01kaxq3v7m2e8h5t9w4c6y0b1d'

const name = text(1, 100, 'Name of the channel')
const user = 'User ID of the member whom it belongs to: they alone read it, and take tasks by its links. Mail needs one'

const entered = (maxLength: number, description: string, example: string) =>
  Type.String({ minLength: 1, maxLength, description, examples: [example] })

/** What is entered depends on the kind; see docs/notifications.md. None of it is ever answered. */
const settings = {
  server: entered(500, 'ntfy, Telegram, Matrix: address of the server, `https://…`', 'https://ntfy.sh'),
  topic: entered(100, 'ntfy: the topic', 'my-farm-4f8a2c'),
  token: Type.String({
    // What a header field can carry.
    pattern: '^[\\x21-\\x7e]+$',
    minLength: 1,
    maxLength: 500,
    description: 'ntfy: access token, if the topic asks for one. Telegram: token of the bot. Matrix: access token',
    examples: ['tk_AgQdq7mVBoFD37zQVN29RhuMzNIz2'],
  }),
  chat_id: entered(100, 'Telegram: the chat', '-1001234567890'),
  room_id: entered(300, 'Matrix: ID of the room, `!…`', '!workshop:example.com'),
  url: entered(
    2_000,
    'Discord, Slack, webhook: the address that messages are sent to by POST',
    'https://erp.example.com/notifications',
  ),
}
const enteredSettings = Type.Partial(Type.Object(settings)).properties

export const NewChannelBody = request({
  kind: oneOf(enteredKinds, { description: 'The service that it is at' }),
  name,
  user_id: Type.Optional(idOf('user', user)),
  ...enteredSettings,
})
export type NewChannel = Static<typeof NewChannelBody>

export const ChannelChangesBody = request(
  {
    name: Type.Optional(name),
    user_id: Type.Optional(nullable(idOf('user', `${user}. Null: it is read by several`))),
    ...enteredSettings,
    is_active: Type.Optional(
      Type.Boolean({ description: 'False pauses it; true resumes it, whatever had paused it, and sends what waits' }),
    ),
  },
  { minProperties: 1 },
)
export type ChannelChanges = Static<typeof ChannelChangesBody>

export const ChannelsQuery = request(pageQuery)

export const Channel = resource('NotificationChannel', 'Channel to which notifications are sent', {
  id: Type.String({ description: 'ID of the channel', examples: [exampleId] }),
  kind: oneOf(enteredKinds, { description: 'The service that it is at' }),
  name: Type.String({ description: 'Name of the channel', examples: ['Workshop'] }),
  user_id: nullable(
    Type.String({
      description: 'The member whom it belongs to; null when several read it',
      examples: ['usr_01kaxq3v7m2e8h5t9w4c6y0b1d'],
    }),
  ),
  target: Type.String({
    description: 'The server that it is at. What was entered besides is never shown again',
    examples: ['ntfy.sh'],
  }),
  status: oneOf(['active', 'failing', 'paused'] as const, {
    description: '`failing`: the last messages were not taken. `paused`: nothing is sent',
  }),
  pause_reason: nullable(
    oneOf(['person', 'failing', 'gone'] as const, {
      description: '`failing`: nothing was accepted for three days. `gone`: the service said so. Null unless paused',
    }),
  ),
  paused_at: nullable(timestamp('Time at which it was paused; null unless it is paused')),
  failing_since: nullable(timestamp('Since when no message was taken; null when the last one was')),
  created_by: Type.String({ description: 'Actor that added it', examples: ['user:usr_01kaxq3v7m2e8h5t9w4c6y0b1d'] }),
  created_at: timestamp('Time at which it was added'),
  updated_at: timestamp('Time at which its settings last changed'),
})

export const NewChannelAnswer = resource('NewNotificationChannel', 'A channel that was just added', {
  ...Channel.properties,
  secret: nullable(
    Type.String({
      description:
        'Signs the messages of a webhook, by the scheme of Standard Webhooks; shown only in this answer. Null for other kinds',
      examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo='],
    }),
  ),
})

export const RemovedChannel = resource('RemovedNotificationChannel', 'A channel that is gone', {
  id: Type.String({ description: 'ID of the channel', examples: [exampleId] }),
  deleted: Type.Boolean({ description: 'Always true' }),
})

/** @throws Error for a browser, which is no channel to those who look */
export function presentChannel(row: ChannelRow): Static<typeof Channel> {
  const kind = enteredKinds.find((each) => each === row.kind)
  if (!kind) throw new Error(`${row.id} is no channel that was entered`)
  return {
    id: row.id,
    kind,
    name: row.name,
    user_id: row.user_id,
    target: row.target,
    status: row.paused_at !== null ? 'paused' : isFailing(row) ? 'failing' : 'active',
    pause_reason: row.pause_reason,
    paused_at: row.paused_at?.toISOString() ?? null,
    failing_since: row.failing_since?.toISOString() ?? null,
    created_by: row.created_by,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}
