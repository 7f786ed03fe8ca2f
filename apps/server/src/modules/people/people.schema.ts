import Type from 'typebox'
import { answer, nullable, oneOf, pageQuery, request, resource, text, timestamp } from '../../http/schema.ts'
import { roles } from '../../kernel/policy.ts'
import type { GivenInvitation, InvitationRow } from './invitations/invitations.queries.ts'
import type { MadeInvitation } from './invitations/invitations.service.ts'
import type { MadeResetLink } from './password-resets/password-resets.service.ts'
import { emailText, passwordText } from './sign-in/sign-in.schema.ts'

const role = (description: string) => oneOf(roles, { description })

const linkExample = 'https://farm.example.com/invitation#tJ0m3vYxQk1oZc8rW5uHn2sLb7eDf4gKiPqAaXy9MwE'
const link = (description: string) => Type.Optional(Type.String({ description, examples: [linkExample] }))
const token = text(1, 200, 'What stands behind the # of the link')

const invitationFields = {
  id: Type.String({ description: 'ID of the invitation', examples: ['ivn_01kaxq3v7m2e8h5t9w4c6y0b1d'] }),
  email: emailText('Whom it invites'),
  role: role('What the person will be allowed to do'),
  invited_by: Type.String({
    description: 'User ID of whoever made it',
    examples: ['usr_01kaxq3v7m2e8h5t9w4c6y0b1d'],
  }),
  mailed: Type.Boolean({ description: 'The link was mailed to the address' }),
  expires_at: timestamp('Until when it can be accepted'),
  created_at: timestamp('When it was made'),
}

export const Invitation = resource('Invitation', 'A letter that makes somebody a member', invitationFields)

export const NewInvitation = resource('NewInvitation', 'An invitation that was just made', {
  ...invitationFields,
  url: link('The link to pass on, shown only here; missing when it was mailed'),
})

export const InvitationBody = request({
  email: emailText('Whom to invite'),
  role: role('What the person will be allowed to do'),
})

export const TokenBody = request({ token })

export const InvitationLook = resource('InvitationLook', 'What a link invites to', {
  account_name: Type.String({ description: 'Name of the account' }),
  email: emailText('Whom it invites'),
  role: role('What the person will be allowed to do'),
  user_exists: Type.Boolean({ description: 'The person is known here and accepts with their present password' }),
})

export const AcceptBody = request({
  token,
  name: Type.Optional(text(0, 200, 'Name of a person who is new here')),
  password: passwordText('The present one of a person who is known here, else one of at least 10 characters'),
  code: Type.Optional(text(0, 100, 'Of the authenticator app of a person who has one, or a backup code')),
})

export const RoleBody = request({ role: role('What the person may do from now on') })

export const ResetLink = resource('ResetLink', 'A link by which a member sets a new password', {
  expires_at: timestamp('Until when it works'),
  mailed: Type.Boolean({ description: 'It was mailed to the member' }),
  url: link('The link to pass on, shown only here; missing when it was mailed'),
})

export const ForgotBody = request({ email: emailText('By which the person signs in') })
export const ResetBody = request({ token, password: passwordText('At least 10 characters') })

export const Removed = answer(
  {
    id: Type.String({ description: 'ID of what was removed', examples: ['mem_01kaxq3v7m2e8h5t9w4c6y0b1d'] }),
    deleted: Type.Boolean({ description: 'Always true' }),
  },
  { description: 'It is gone' },
)

export const Account = resource('Account', 'The account and what it has set', {
  id: Type.String({ description: 'ID of the account', examples: ['acc_01kaxq3v7m2e8h5t9w4c6y0b1d'] }),
  name: Type.String({ description: 'Name of the farm' }),
  time_zone: Type.String({ description: 'IANA name of the zone that its days and working hours are counted in' }),
  requeue_rejected_units: Type.Boolean({ description: 'Units that are found bad are printed again by a new job' }),
  created_at: timestamp('When the account was made'),
})

export const AccountBody = request(
  {
    name: Type.Optional(text(1, 200, 'Name of the farm')),
    time_zone: Type.Optional(text(1, 100, 'IANA name, such as Europe/Berlin')),
    requeue_rejected_units: Type.Optional(
      Type.Boolean({ description: 'Whether units that are found bad are printed again by a new job' }),
    ),
  },
  { minProperties: 1 },
)

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

export function presentResetLink({ expires_at, mailed, url }: MadeResetLink) {
  return { expires_at: expires_at.toISOString(), mailed, ...(url !== undefined && { url }) }
}

export const ApiKey = resource('ApiKey', 'A key by which a program uses the API', {
  id: Type.String({ description: 'ID of the key', examples: ['key_01kaxq3v7m2e8h5t9w4c6y0b1d'] }),
  name: Type.String({ description: 'What it is for', examples: ['Web shop'] }),
  scopes: Type.Array(oneOf(['read', 'write', 'control'] as const), { description: 'What it may do' }),
  prefix: Type.String({ description: 'How it begins', examples: ['printyard_live_1a2b3c4d'] }),
  last_four: Type.String({ description: 'How it ends', examples: ['9f0e'] }),
  created_by: nullable(Type.String({ description: 'Who made it: user:…, or in a word whoever ran the machine' })),
  created_by_name: nullable(
    Type.String({
      description:
        'Name of the person who made it, also of one who has left, or else their address; null: no person did',
      examples: ['Workshop lead'],
    }),
  ),
  created_at: timestamp('When it was made'),
  last_used_at: nullable(timestamp('When it was used last, to about a minute; null: never')),
  expires_at: nullable(timestamp('Until when it works; null: without end')),
  revoked_at: nullable(timestamp('When it was revoked; null: it was not')),
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
  name: text(1, 200, 'What it is for'),
  scopes: Type.Array(oneOf(['read', 'write', 'control'] as const), {
    minItems: 1,
    maxItems: 3,
    uniqueItems: true,
    description: 'What it may do: see, change data, move machines',
  }),
  expires_in_days: Type.Optional(
    nullable(Type.Integer({ minimum: 1, maximum: 3650, description: 'After how many days it ends; null: never' })),
  ),
})

export const RevokedApiKey = resource('RevokedApiKey', 'A key that works no more', {
  id: Type.String({ description: 'ID of the key', examples: ['key_01kaxq3v7m2e8h5t9w4c6y0b1d'] }),
  name: Type.String({ description: 'What it was for', examples: ['Web shop'] }),
  revoked_at: timestamp('When it was revoked'),
})
