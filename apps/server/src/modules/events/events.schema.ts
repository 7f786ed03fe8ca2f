import Type, { type Static } from 'typebox'
import { answer, nullable, pageQuery, request, resource, success, text, timestamp } from '../../http/schema.ts'
import { listEventTypes, wordsOfTypes } from './event-catalogue.ts'
import type { EventRow } from './event-feed.queries.ts'

const exampleId = 'evt_01kaxq3v7m2e8h5t9w4c6y0b1d'

/** In the place of an ID: where the feed ends now. */
export const latest = 'latest'

const after = Type.Optional(
  text(1, 255, `ID of the event after which to begin; \`${latest}\` begins where the feed ends now`),
)

export const FeedQuery = request({
  limit: pageQuery.limit,
  after,
  type: Type.Optional(
    text(
      1,
      100,
      'Only events of this type, such as job.queued; with a star for the last word, of all such types: job.*',
    ),
  ),
  subject: Type.Optional(text(1, 255, 'Only events of the subject with this ID')),
})

export const StreamQuery = request({ after })

export const AuditQuery = request({
  ...pageQuery,
  actor: Type.Optional(text(1, 255, 'Only what this one did, such as user:usr_… or key:key_…')),
  type: Type.Optional(text(1, 100, 'Only events of this type')),
  subject: Type.Optional(text(1, 255, 'Only events of the subject with this ID')),
  from: Type.Optional(Type.String({ format: 'date-time', description: 'Only what happened at this time or later' })),
  to: Type.Optional(Type.String({ format: 'date-time', description: 'Only what happened before this time' })),
})

const eventType = { description: 'Type of the event; more types may be added', examples: ['job.queued'] }

/** Member in which the description of an answer lists the types that keys are told of, with what each says. */
const eventTypesInDocument = 'x-event-types'

const typesForKeys = Object.fromEntries(
  listEventTypes()
    .filter(([, { audience }]) => audience === 'everybody')
    .map(([type, { subject, summary, data }]) => [type, { subject, summary, data }]),
)

const meaningOfWords = Object.entries(wordsOfTypes)
  .map(([word, meaning]) => `\`${word.replace('_', '…_')}\`: ${meaning}`)
  .join(' ')

export const Event = resource('Event', 'Something that happened in the account', {
  id: Type.String({ description: 'ID of the event, as `after` takes it', examples: [exampleId] }),
  type: Type.String({
    ...eventType,
    description: `${eventType.description}. ${meaningOfWords}`,
    [eventTypesInDocument]: typesForKeys,
  }),
  subject_id: Type.String({
    description: 'ID of the thing that it happened to',
    examples: ['job_01kaxq3v7m2e8h5t9w4c6y0b1d'],
  }),
  // What is in it depends on the type.
  data: Type.Unsafe<Record<string, unknown>>({
    description: 'Data of the event, by type; fields may be added',
    examples: [{ print_file_id: 'fil_01kaxq3v7m2e8h5t9w4c6y0b1d' }],
  }),
  actor: Type.String({
    description: 'Actor: key:…, user:…, hub:…, system',
    examples: [`key:key_01kaxq3v7m2e8h5t9w4c6y0b1d`],
  }),
  created_at: timestamp(
    'Time at which it was recorded; `data.happened_at` is there when it had happened before, such as while a hub was away',
  ),
})

export const actorName = nullable(
  Type.String({
    description:
      'Name of the person, key or hub in `actor`; null for the service itself and for people who were erased. Keys get no names of people',
    examples: ['Anna Smith'],
  }),
)

/** An event as those who look back at it read it. */
export const NamedEvent = resource('NamedEvent', 'Something that happened in the account, and the name of who did it', {
  ...Event.properties,
  type: Type.String(eventType),
  actor_name: actorName,
})

export const FeedAnswer = answer(
  {
    success,
    data: Type.Array(Event, { description: 'Events in the order of the feed' }),
    meta: answer(
      {
        limit: Type.Integer({ description: 'The limit applied' }),
        count: Type.Integer({ description: 'Events in this answer' }),
        last_id: nullable(
          Type.String({
            description: 'Send it as `after` next time; null when the account has no events',
            examples: [exampleId],
          }),
        ),
      },
      { description: 'Position in the feed at which this answer ends' },
    ),
  },
  { description: 'The next events' },
)

export function presentEvent({ id, type, subject_id, data, actor, created_at }: EventRow): Static<typeof Event> {
  // Written by `recordEvent` alone, which takes nothing but objects.
  return { id, type, subject_id, data: data as Record<string, unknown>, actor, created_at: created_at.toISOString() }
}

export function presentNamedEvent(row: EventRow, names: ReadonlyMap<string, string>): Static<typeof NamedEvent> {
  return { ...presentEvent(row), actor_name: names.get(row.actor) ?? null }
}
