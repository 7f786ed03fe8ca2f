import { randomBytes } from 'node:crypto'
import type { InjectOptions, LightMyRequestResponse } from 'fastify'
import { type AccountId, type MemberId, newId, type UserId } from '../../kernel/ids.ts'
import type { Role } from '../../kernel/policy.ts'
import { createSecretBox, type SecretBox } from '../../kernel/secret-box.ts'
import { workOfUser } from '../../modules/events/work.ts'
import { insertMember, insertUserUnlessKnown } from '../../modules/people/accounts/accounts.queries.ts'
import { hashPassword } from '../../modules/people/accounts/password.ts'
import { cookieName } from '../../modules/people/sign-in/session-cookie.ts'
import { startSession } from '../../modules/people/sign-in/sessions.service.ts'
import { type TestAccount, type TestApp, testSecretKey } from '../app/test-app.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** A person who is signed in, and requests from their browser. */
export interface TestPerson {
  accountId: AccountId
  userId: UserId
  memberId: MemberId
  email: string
  role: Role
  sessionId: string
  /** The header as the browser sends it. */
  cookie: string
  /** Sends a request to /app/v1 as a page of the dashboard does; a body makes it JSON. */
  request(
    method: Method,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<LightMyRequestResponse>
}

/** What injected requests are sent to: `inject` asks as from this machine. */
export const pageHeaders = { host: 'localhost', origin: 'http://localhost' }

const testSecrets = createSecretBox(testSecretKey)

/** The cookie of a session as a browser sends it: over plain HTTP, or to a service that is reached by HTTPS. */
export function cookieOf(
  token: string,
  { isHttps = false, secrets = testSecrets }: { isHttps?: boolean; secrets?: SecretBox } = {},
): string {
  const context = { config: { publicUrl: undefined }, secrets }
  return `${cookieName(context, { protocol: isHttps ? 'https' : 'http' }, 'session')}=${token}`
}

/** A request as a page of the dashboard sends it, by a person with this cookie. */
export function pageRequest(
  method: Method,
  path: string,
  cookie?: string,
  body?: unknown,
  headers: Record<string, string> = {},
): InjectOptions {
  return {
    method,
    url: `/app/v1${path}`,
    headers: {
      ...pageHeaders,
      ...(cookie !== undefined && { cookie }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
  }
}

/**
 * Makes a member of an account who is signed in, and has just shown to be there unless `isProven` says otherwise. Only one who
 * is given a password has one.
 */
export async function createTestPerson(
  t: TestApp,
  account: Pick<TestAccount, 'id'>,
  role: Role,
  options: { password?: string; email?: string; isProven?: boolean } = {},
): Promise<TestPerson> {
  const { email = `${randomBytes(6).toString('hex')}@example.com`, password, isProven = true } = options
  const userId = newId('user')
  const memberId = newId('member')
  const passwordHash = password === undefined ? null : await hashPassword(password)
  await insertUserUnlessKnown(t.db.sql, { id: userId, email, name: `A ${role}`, password_hash: passwordHash })
  await insertMember(t.db.sql, account.id, { id: memberId, user_id: userId, role })
  const session = await t.context.db.begin((sql) =>
    startSession(
      workOfUser(t.context, sql, account.id, userId),
      { ip: '127.0.0.1', headers: {} },
      { userId, provenAt: isProven ? t.context.clock.now() : null },
    ),
  )
  const { config, secrets } = t.context
  const cookie = cookieOf(session.token, { isHttps: config.publicUrl?.startsWith('https:') === true, secrets })
  return {
    accountId: account.id,
    userId,
    memberId,
    email,
    role,
    sessionId: session.id,
    cookie,
    request: (method, path, body, headers) => t.app.inject(pageRequest(method, path, cookie, body, headers)),
  }
}
