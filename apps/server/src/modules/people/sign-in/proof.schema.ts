import Type from 'typebox'
import { nullable, oneOf, request, resource, text, timestamp } from '../../../http/schema.ts'
import { proofMethods } from '../proof/proof.ts'
import { passwordText } from './sign-in.schema.ts'

export const Proof = resource('Proof', 'Recent proof of the identity of a person', {
  proven_until: nullable(timestamp('Until when it counts; null: it must be shown before what asks for it')),
  methods: Type.Array(oneOf(proofMethods), {
    description:
      'Ways in which the person can prove it: the password, a code, a passkey, or a new sign-in at the provider',
  }),
})

export const ProofBody = request(
  {
    password: Type.Optional(passwordText('The present password')),
    code: Type.Optional(text(0, 100, 'Code of the authenticator app, or a backup code')),
  },
  { minProperties: 1 },
)
