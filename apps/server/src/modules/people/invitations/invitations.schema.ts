import Type from 'typebox'
import { oneOf, request, resource, text, timestamp } from '../../../http/schema.ts'
import { roles } from '../../../kernel/policy.ts'
import { link, token } from '../mail/link-fields.ts'
import { emailText, passwordText } from '../sign-in/sign-in.schema.ts'
import type { GivenInvitation, InvitationRow } from './invitations.queries.ts'
import type { MadeInvitation } from './invitations.service.ts'

const role = (description: string) => oneOf(roles, { description })

const invitationFields = {
  id: Type.String({ description: 'ID of the invitation', examples: ['ivn_01kaxq3v7m2e8h5t9w4c6y0b1d'] }),
  email: emailText('Address that is invited'),
  role: role('Role that the person will have'),
  invited_by: Type.String({
    description: 'User ID of its creator',
    examples: ['usr_01kaxq3v7m2e8h5t9w4c6y0b1d'],
  }),
  mailed: Type.Boolean({ description: 'The link was mailed to the address' }),
  expires_at: timestamp('Until when it can be accepted'),
  created_at: timestamp('Time of creation'),
}

export const Invitation = resource('Invitation', 'Invitation to join the account', invitationFields)

export const NewInvitation = resource('NewInvitation', 'An invitation that was just made', {
  ...invitationFields,
  url: link('The link to pass on, shown only here; missing when it was mailed'),
})

export const InvitationBody = request({
  email: emailText('Address to invite'),
  role: role('Role that the person will have'),
})

export const TokenBody = request({ token })

export const InvitationLook = resource('InvitationLook', 'Invitation of a link', {
  account_name: Type.String({ description: 'Name of the account' }),
  email: emailText('Address that is invited'),
  role: role('Role that the person will have'),
  user_exists: Type.Boolean({ description: 'The person is known here and accepts with their present password' }),
})

export const AcceptBody = request({
  token,
  name: Type.Optional(text(0, 200, 'Name of a person who is new here')),
  password: passwordText('The present one of a person who is known here, else one of at least 12 characters'),
  code: Type.Optional(text(0, 100, 'Code of the authenticator app of a person who has one, or a backup code')),
})

export function presentInvitation(row: InvitationRow) {
  return {
    id: row.id,
    email: row.email,
    role: row.role,
    invited_by: row.invited_by,
    mailed: row.mailed_at !== null,
    expires_at: row.expires_at.toISOString(),
    created_at: row.created_at.toISOString(),
  }
}

export function presentMadeInvitation({ invitation, url }: MadeInvitation) {
  return { ...presentInvitation(invitation), ...(url !== undefined && { url }) }
}

export function presentLook({ account_name, email, role }: GivenInvitation, userExists: boolean) {
  return { account_name, email, role, user_exists: userExists }
}
