import Type from 'typebox'
import { answer, idOf, nullable, oneOf, request, resource, text, timestamp } from '../../../http/schema.ts'
import { scopes } from '../../../kernel/actor.ts'
import { roles } from '../../../kernel/policy.ts'
import type { ListedSession } from './sessions.queries.ts'

const id = (description: string) => Type.String({ description })
const role = oneOf(roles, { description: 'Role of the person in the account' })

/** Longer than any password may be, so that one that is too long is told in our words. */
export const passwordText = (description: string) =>
  Type.String({ maxLength: 1_000, description, examples: ['correct horse battery'] })
export const emailText = (description: string) =>
  Type.String({ minLength: 1, maxLength: 254, description, examples: ['owner@example.com'] })

export const SetUpState = resource('SetUpState', 'Whether the service waits for its first person', {
  needed: Type.Boolean({ description: 'The service is not set up yet' }),
  code_needed: Type.Boolean({
    description: 'Set-up takes the code that the service printed when it started: true for as long as it is needed',
  }),
})

export const SetUpBody = request({
  account_name: text(1, 200, 'Name of the farm'),
  name: text(0, 200, 'Name of the person'),
  email: emailText('Address by which the person signs in'),
  password: passwordText('At least 12 characters'),
  time_zone: Type.Optional(text(1, 100, 'IANA name, such as Europe/Berlin; UTC when left out')),
  code: Type.Optional(
    text(0, 100, 'Set-up code that the service printed when it started; needed from another computer'),
  ),
})

export const SignInBody = request({
  email: emailText('E-mail address of the person'),
  password: passwordText('Password of the person'),
  code: Type.Optional(text(0, 100, 'Code of the authenticator app, or a backup code')),
})

export const SessionAccountBody = request({ account_id: idOf('account', 'One of `accounts` of the session') })

/** Languages of the dashboard by their codes (ISO 639). */
const languages = ['en', 'de'] as const

export type Language = (typeof languages)[number]

export const ProfileBody = request({
  name: text(0, 200, 'Name as others see it'),
  language: Type.Optional(
    nullable(
      oneOf(languages, {
        description: 'Language of the dashboard for this person; null for that of each browser. Left out: as it is',
      }),
    ),
  ),
})

export const PasswordBody = request({
  current_password: Type.Optional(passwordText('The one that counts until now; nothing when there is none yet')),
  new_password: passwordText('At least 12 characters'),
})

const userFields = {
  id: id('ID of the person'),
  name: Type.String({ description: 'Name of the person; empty when none was given' }),
  email: emailText('Address by which the person signs in'),
  language: nullable(
    Type.String({
      description: 'Code of the language in which the person reads the dashboard; null: that of each browser',
      examples: ['de'],
    }),
  ),
}

export const SignedInUser = resource('SignedInUser', 'The person who is signed in', userFields)

export const Session = resource('Session', 'Signed-in person, their account, and their permissions there', {
  session_id: id('ID of the session'),
  user: answer(
    { ...userFields, totp_enabled: Type.Boolean({ description: 'Signing in takes a code, too' }) },
    { description: 'The person' },
  ),
  account: answer(
    {
      id: id('ID of the account'),
      name: Type.String({ description: 'Name of the account' }),
      time_zone: Type.String({ description: 'IANA name of the zone that its days are counted in', examples: ['UTC'] }),
    },
    { description: 'The account that the session looks at' },
  ),
  member_id: id('ID of the membership'),
  role,
  scopes: Type.Array(oneOf(scopes), { description: 'Scopes of the role' }),
  may_make_keys: Type.Boolean({ description: 'The role may make API keys' }),
  must_add_factor: Type.Boolean({
    description: 'The account asks for a second factor, which must be added before anything else',
  }),
  accounts: Type.Array(
    answer({
      id: id('ID of the account'),
      name: Type.String({ description: 'Name of the account' }),
      role,
    }),
    { description: 'All accounts that the person works in' },
  ),
  version: Type.String({ description: 'Version of the service', examples: ['1.0.0'] }),
})

export const OwnSession = resource('OwnSession', 'Somewhere that the person is signed in', {
  id: id('ID of the session'),
  created_at: timestamp('Time at which the person signed in'),
  last_seen_at: timestamp('Time of the last use, to about a minute'),
  ip: Type.String({ description: 'Address that the person signed in from', examples: ['192.0.2.20'] }),
  user_agent: Type.String({ description: 'User agent of the browser', examples: ['Mozilla/5.0'] }),
  is_current: Type.Boolean({ description: 'It is the one that asks' }),
})

export const SignedOut = resource('SignedOut', 'A person who is signed out everywhere', {
  ended_sessions: Type.Integer({ description: 'Number of sessions that were ended' }),
})

export const Nothing = answer({}, { description: 'There is nothing to tell' })

export function presentOwnSession({ id, created_at, last_seen_at, ip, user_agent }: ListedSession, current: string) {
  return {
    id,
    created_at: created_at.toISOString(),
    last_seen_at: last_seen_at.toISOString(),
    ip,
    user_agent,
    is_current: id === current,
  }
}
