import Type from 'typebox'
import { idOf, nullable, oneOf, request, resource } from '../../../http/schema.ts'
import { roles } from '../../../kernel/policy.ts'
import type { GivenInvitation } from '../invitations/invitations.queries.ts'

export const InvitationsToAccept = resource(
  'InvitationsToAccept',
  'Invitations of a person whom the provider has proven',
  {
    email: nullable(
      Type.String({
        description: 'Address that the provider has checked; null: no one is there whom it has proven',
        examples: ['owner@example.com'],
      }),
    ),
    invitations: Type.Array(
      Type.Object(
        {
          id: Type.String({ description: 'ID of the invitation', examples: ['ivn_01kaxq3v7m2e8h5t9w4c6y0b1d'] }),
          account_name: Type.String({ description: 'Name of the account' }),
          role: oneOf(roles, { description: 'Role that the person will have' }),
        },
        { additionalProperties: false, description: 'An invitation' },
      ),
      { description: 'The newest first' },
    ),
  },
)

export const InvitationChoice = request({ invitation_id: idOf('invitation', 'The invitation that the person accepts') })

export function presentToAccept({ email, invitations }: { email: string | null; invitations: GivenInvitation[] }) {
  return { email, invitations: invitations.map(({ id, account_name, role }) => ({ id, account_name, role })) }
}
