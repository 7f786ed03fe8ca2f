import Type, { type Static } from 'typebox'
import { nullable, pageQuery, request, resource, text, timestamp } from '../../../http/schema.ts'
import type { DeviceRow } from './push-devices.queries.ts'

const exampleId = 'nch_01kaxq3v7m2e8h5t9w4c6y0b1d'
const key = (length: string, description: string, example: string) =>
  Type.String({ pattern: `^[A-Za-z0-9_-]{${length}}={0,2}$`, description, examples: [example] })

/** As `PushSubscription.toJSON()` gives it. */
export const NewDeviceBody = request({
  name: text(1, 100, 'Name that the person gives the browser'),
  endpoint: Type.String({
    minLength: 1,
    maxLength: 2_000,
    description: 'Address at which the push service of the browser takes messages',
    examples: ['https://updates.push.services.mozilla.com/wpush/v2/gAAAAABj'],
  }),
  keys: request({
    p256dh: key(
      '80,100',
      'The public key of the browser',
      'BIPUL12DLfytvTajnryr2PRdAgXS3HGKiLqndGcJGabyhHheJYlNGCeXl1dn18gSJ1WAkAPIxr4gK0_dQds4yiI',
    ),
    auth: key('16,40', 'The secret of the subscription', 'FPssNDTKnInHVndSTdbKFw'),
  }),
})
export type NewDevice = Static<typeof NewDeviceBody>

export const DevicesQuery = request(pageQuery)

export const Device = resource('PushDevice', 'A browser that gets notifications', {
  id: Type.String({ description: 'ID of the browser', examples: [exampleId] }),
  name: Type.String({ description: 'Name that the person gave it', examples: ['Firefox on Linux'] }),
  push_service: Type.String({
    description: 'Host of its push service',
    examples: ['updates.push.services.mozilla.com'],
  }),
  endpoint_id: Type.String({
    description: 'SHA-256 of its endpoint in hexadecimal, by which a browser knows itself in the list',
    examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
  }),
  failing_since: nullable(timestamp('Since when no message was taken; null when the last one was')),
  created_at: timestamp('Time at which it was added'),
})

export const PushKey = resource('PushKey', 'Key with which a browser subscribes', {
  public_key: Type.String({
    description: 'The `applicationServerKey` of the subscription',
    examples: ['BPnJ9VbUQ0vQ1c5hK3mE8rT2yW6uI4oP7aS9dF1gH3jK5lZ7xC9vB1nM3qW5eR7tY9uI1oP3aS5dF7gH9jK1lZ3'],
  }),
})

export const RemovedDevice = resource('RemovedPushDevice', 'A browser that gets no more notifications', {
  id: Type.String({ description: 'ID of the browser', examples: [exampleId] }),
  deleted: Type.Boolean({ description: 'Always true' }),
})

export function presentDevice(row: DeviceRow): Static<typeof Device> {
  return {
    id: row.id,
    name: row.name,
    push_service: row.target,
    endpoint_id: row.endpoint_hash?.toString('hex') ?? '',
    failing_since: row.failing_since?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
  }
}
