import Type from 'typebox'
import type { PasskeyRow } from '../../../db/rows.generated.ts'
import { answer, nullable, oneOf, request, resource, text, timestamp } from '../../../http/schema.ts'

export const Passkey = resource('Passkey', 'A passkey by which a person signs in', {
  id: Type.String({ description: 'ID of the passkey', examples: ['psk_01kaxq3v7m2e8h5t9w4c6y0b1d'] }),
  name: Type.String({ description: 'Name that the person gave it', examples: ['Laptop'] }),
  created_at: timestamp('Time at which it was added'),
  last_used_at: nullable(timestamp('Time of the last use; null: never')),
})

export const Passkeys = resource('Passkeys', 'The passkeys of a person', {
  available: Type.Boolean({
    description: 'Browsers use passkeys here: the service is reached by the name of its public URL, over HTTPS',
  }),
  passkeys: Type.Array(Passkey, { description: 'The oldest first' }),
})

/** What a browser is asked, in the words of the WebAuthn standard, which grow with it. */
const optionsExample = { challenge: 'tJ0m3vYxQk1oZc8rW5uHn2sLb7eDf4gKiPqAaXy9MwE', rpId: 'farm.example.com' }
export const PasskeyOptions = answer(
  {
    options: Type.Unsafe<object>({
      type: 'object',
      additionalProperties: true,
      description: 'Options of WebAuthn for the browser, in their JSON form',
      examples: [optionsExample],
    }),
  },
  { description: 'Request to the browser' },
)

const bytes = (maxLength: number, description: string) => Type.String({ maxLength, description, examples: ['AAECAw'] })
const extensions = Type.Unsafe<Record<string, never>>({ type: 'object', description: 'Ignored', examples: [{}] })
const attachment = Type.Optional(oneOf(['platform', 'cross-platform'] as const, { description: 'Ignored' }))
const common = {
  id: bytes(1_500, 'ID of the credential'),
  rawId: bytes(1_500, 'The same'),
  type: oneOf(['public-key'] as const, { description: 'Kind of the credential' }),
  clientExtensionResults: extensions,
  authenticatorAttachment: attachment,
}

export const PasskeyBody = request({
  name: text(0, 100, 'Name of the passkey'),
  response: request(
    {
      ...common,
      response: request(
        {
          clientDataJSON: bytes(4_000, 'Client data of the browser, base64url'),
          attestationObject: bytes(10_000, 'Data of the authenticator, base64url'),
          transports: Type.Optional(
            Type.Array(
              Type.Unsafe<'internal'>({
                type: 'string',
                maxLength: 30,
                description: 'A way to the authenticator',
                examples: ['internal'],
              }),
              {
                maxItems: 10,
                description: 'Transports of the authenticator',
              },
            ),
          ),
        },
        { description: 'New credential' },
      ),
    },
    { description: 'The answer of the browser, in its JSON form' },
  ),
})

export const AssertionBody = request({
  response: request(
    {
      ...common,
      response: request(
        {
          clientDataJSON: bytes(4_000, 'Client data of the browser, base64url'),
          authenticatorData: bytes(4_000, 'Data of the authenticator, base64url'),
          signature: bytes(4_000, 'Its signature'),
          userHandle: Type.Optional(bytes(200, 'User handle of the credential')),
        },
        { description: 'Signed assertion' },
      ),
    },
    { description: 'The answer of the browser, in its JSON form' },
  ),
})

export const PasskeyName = request({ name: text(1, 100, 'Name of the passkey') })

export function presentPasskey({ id, name, created_at, last_used_at }: PasskeyRow) {
  return { id, name, created_at: created_at.toISOString(), last_used_at: last_used_at?.toISOString() ?? null }
}
