import Type from 'typebox'
import { nullable, oneOf, pageQuery, request, resource, text, timestamp } from '../../../http/schema.ts'

export const ApiKey = resource('ApiKey', 'A key by which a program uses the API', {
  id: Type.String({ description: 'ID of the key', examples: ['key_01kaxq3v7m2e8h5t9w4c6y0b1d'] }),
  name: Type.String({ description: 'Purpose of the key', examples: ['Web shop'] }),
  scopes: Type.Array(oneOf(['read', 'write', 'control'] as const), { description: 'Scopes of the key' }),
  prefix: Type.String({ description: 'First characters of the key', examples: ['printyard_live_1a2b3c4d'] }),
  last_four: Type.String({ description: 'Last four characters of the key', examples: ['9f0e'] }),
  created_by: nullable(Type.String({ description: 'Creator: user:…, or a word for a command on the machine itself' })),
  created_by_name: nullable(
    Type.String({
      description:
        'Name of the person who made it, also of one who has left, or else their address; null: no person did',
      examples: ['Workshop lead'],
    }),
  ),
  created_at: timestamp('Time of creation'),
  last_used_at: nullable(timestamp('Time of the last use, to about a minute; null: never')),
  expires_at: nullable(timestamp('Until when it works; null: without end')),
  revoked_at: nullable(timestamp('Time at which it was revoked; null: it was not')),
})

export const OwnKey = resource('OwnKey', 'Permissions of the caller', {
  id: nullable(
    Type.String({
      description: 'ID of the key; null when the caller is a person who is signed in',
      examples: ['key_01kaxq3v7m2e8h5t9w4c6y0b1d'],
    }),
  ),
  name: nullable(Type.String({ description: 'Purpose of the key; null without a key', examples: ['Web shop'] })),
  scopes: Type.Array(oneOf(['read', 'write', 'control'] as const), { description: 'Scopes of the key' }),
  account_id: Type.String({ description: 'ID of the account', examples: ['acc_01kaxq3v7m2e8h5t9w4c6y0b1d'] }),
  account_name: Type.String({ description: 'Name of the account', examples: ['North farm'] }),
  expires_at: nullable(timestamp('Expiry of the key; null: none')),
})

export const NewApiKey = resource('NewApiKey', 'A key that was just made', {
  ...ApiKey.properties,
  key: Type.String({
    description: 'The key itself, shown only here',
    examples: [`printyard_live_${'1a2b3c4d'.repeat(8)}`],
  }),
})

export const ApiKeysQuery = request({
  ...pageQuery,
  created_by: Type.Optional(text(1, 255, 'Only those that this one made, such as user:usr_…')),
})

export const ApiKeyBody = request({
  name: text(1, 200, 'Purpose of the key'),
  scopes: Type.Array(oneOf(['read', 'write', 'control'] as const), {
    minItems: 1,
    maxItems: 3,
    uniqueItems: true,
    description: 'Scopes of the key: see, change data, move machines',
  }),
  expires_in_days: Type.Optional(
    nullable(Type.Integer({ minimum: 1, maximum: 3650, description: 'After how many days it ends; null: never' })),
  ),
})

export const RevokedApiKey = resource('RevokedApiKey', 'A key that works no more', {
  id: Type.String({ description: 'ID of the key', examples: ['key_01kaxq3v7m2e8h5t9w4c6y0b1d'] }),
  name: Type.String({ description: 'Purpose of the key', examples: ['Web shop'] }),
  revoked_at: timestamp('Time at which it was revoked'),
})
