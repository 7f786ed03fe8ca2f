import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../../../test/test-app.ts'
import { createTestPerson, pageRequest } from '../../../test/test-person.ts'
import { type PersonThere, startTestProvider, type TestProvider } from '../../../test/test-provider.ts'
import type { oidcProblems } from './oidc-problem.ts'

let provider: TestProvider
let t: TestApp
let now = Date.now()
beforeAll(async () => {
  provider = await startTestProvider()
  t = await createTestApp({
    config: {
      oidcIssuer: provider.issuer,
      oidcClientId: provider.clientId,
      oidcClientSecret: provider.clientSecret,
      oidcName: 'Farm ID',
    },
    context: { clock: { now: () => new Date(now) } },
  })
})
afterEach(() => {
  provider.behaviour = 'honest'
  provider.keepsAddressOutOfToken = false
  provider.isDown = false
})
afterAll(async () => {
  await t.close()
  await provider.close()
})

let browsers = 0
/** A browser of its own: an address, and the cookies that it was given. */
function openBrowser(app: TestApp = t) {
  browsers += 1
  const remoteAddress = `10.4.${browsers >> 8}.${browsers & 255}`
  const cookies = new Map<string, string>()
  return {
    cookies,
    async get(path: string) {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
      const answer = await app.app.inject({ ...pageRequest('GET', path, cookie), remoteAddress })
      for (const line of [answer.headers['set-cookie'] ?? []].flat()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
        if (value === '') cookies.delete(name)
        else cookies.set(name, value)
      }
      return answer
    },
  }
}
type Browser = ReturnType<typeof openBrowser>

const locationOf = (answer: { headers: Record<string, unknown> }) => String(answer.headers.location)

/** Goes through the provider as this person; answers where the browser ends up. */
async function goThrough(browser: Browser, person: PersonThere, query = ''): Promise<string> {
  const start = await browser.get(`/oidc/start${query}`)
  expect(start.statusCode).toBe(302)
  const back = provider.signIn(locationOf(start), person)
  return locationOf(await browser.get(`/oidc/callback${back.search}`))
}
const problem = (name: (typeof oidcProblems)[number]) => `/sign-in?problem=${name}`
const whoIs = async (browser: Browser) => (await browser.get('/session')).json().data

let made = 0
const newPerson = (email = `person${++made}@example.com`): Required<PersonThere> => ({
  sub: `subject-${++made}`,
  email,
  email_verified: true,
  name: 'Known Elsewhere',
})

async function known(email?: string) {
  return createTestPerson(t, await t.account(), 'operator', email === undefined ? {} : { email })
}

test('the sign-in page is told what the provider is called', async () => {
  expect((await openBrowser().get('/oidc')).json().data).toEqual({ configured: true, name: 'Farm ID' })
})

test('a known person comes in by the address that the provider has checked, and is linked from then on', async () => {
  const person = await known(`Case${++made}@Example.com`)
  const there = newPerson(person.email.toLowerCase())
  const browser = openBrowser()
  expect(await goThrough(browser, there)).toBe('/')
  expect(await whoIs(browser)).toMatchObject({ user: { id: person.userId }, role: 'operator' })

  // Their address there may change, or not be checked any more.
  const later = openBrowser()
  expect(await goThrough(later, { ...there, email: 'changed@example.com', email_verified: false })).toBe('/')
  expect((await whoIs(later)).user.id).toBe(person.userId)
  const events = await t.db.sql`
    select type from events e where e.account_id = ${(await whoIs(later)).account.id} and e.type like 'user.%'`
  expect(events).toEqual([{ type: 'user.provider_linked' }])
})

test('an address that comes from userinfo counts as well', async () => {
  provider.keepsAddressOutOfToken = true
  const person = await known()
  const browser = openBrowser()
  expect(await goThrough(browser, { ...newPerson(person.email), email_verified: 'true' })).toBe('/')
  expect((await whoIs(browser)).user.id).toBe(person.userId)
})

test('an address that the provider has not checked opens nothing', async () => {
  const person = await known()
  for (const email_verified of [false, 'false']) {
    const browser = openBrowser()
    const there = { ...newPerson(person.email), email_verified }
    expect(await goThrough(browser, there)).toBe(problem('oidc_email_unverified'))
    expect((await browser.get('/session')).statusCode).toBe(401)
  }
  const silent = { sub: `subject-${++made}`, email: person.email }
  expect(await goThrough(openBrowser(), silent)).toBe(problem('oidc_email_unverified'))
})

test('an address that was given to somebody else there does not open what is its first holder’s', async () => {
  const person = await known()
  expect(await goThrough(openBrowser(), newPerson(person.email))).toBe('/')
  expect(await goThrough(openBrowser(), newPerson(person.email))).toBe(problem('oidc_other_person'))
})

test('a password that somebody else may have chosen by a link that was shown opens nothing once the person is there', async () => {
  const there = newPerson()
  const stranger = await createTestPerson(t, await t.account(), 'owner')
  const { url } = (await stranger.request('POST', '/invitations', { email: there.email, role: 'viewer' })).json().data
  const chosen = { token: url.split('#')[1], name: 'Not they', password: 'chosen by a stranger' }
  const taken = await t.app.inject(pageRequest('POST', '/invitations/accept', undefined, chosen))
  const cookie = String(taken.headers['set-cookie']).split(';')[0] as string
  expect((await t.app.inject(pageRequest('GET', '/session', cookie))).statusCode).toBe(200)

  const owner = await createTestPerson(t, await t.account(), 'owner')
  await owner.request('POST', '/invitations', { email: there.email, role: 'admin' })
  const browser = openBrowser()
  expect(await goThrough(browser, there)).toBe('/')
  expect((await browser.get('/session')).statusCode).toBe(200)
  expect((await t.app.inject(pageRequest('GET', '/session', cookie))).json().error.code).toBe('SESSION_EXPIRED')
  const credentials = { email: there.email, password: chosen.password }
  const again = await t.app.inject(pageRequest('POST', '/sign-in', undefined, credentials))
  expect(again.json().error.code).toBe('INVALID_CREDENTIALS')
})

test('a password that a link set which was shown in one account does not open the next that the person joins by the provider', async () => {
  const home = await t.account()
  const person = await createTestPerson(t, home, 'operator')
  const there = newPerson(person.email)
  expect(await goThrough(openBrowser(), there)).toBe('/')
  const admin = await createTestPerson(t, home, 'admin')
  const { url } = (await admin.request('POST', `/members/${person.memberId}/reset-link`)).json().data
  const credentials = { email: person.email, password: 'chosen by the admin' }
  const set = { token: url.split('#')[1], password: credentials.password }
  expect((await t.app.inject(pageRequest('POST', '/password/reset', undefined, set))).statusCode).toBe(200)

  const owner = await createTestPerson(t, await t.account(), 'owner')
  const made = await owner.request('POST', '/invitations', { email: person.email, role: 'owner' })
  expect(await goThrough(openBrowser(), there, `?invitation=${made.json().data.url.split('#')[1]}`)).toBe('/')
  const answer = await t.app.inject(pageRequest('POST', '/sign-in', undefined, credentials))
  expect(answer.json().error.code).toBe('INVALID_CREDENTIALS')
})

test('a password of their own stays when a person first comes by the provider', async () => {
  const password = 'a password of my own'
  const person = await createTestPerson(t, await t.account(), 'operator', { password })
  expect(await goThrough(openBrowser(), newPerson(person.email))).toBe('/')
  const answer = await t.app.inject(pageRequest('POST', '/sign-in', undefined, { email: person.email, password }))
  expect(answer.statusCode).toBe(200)
})

test('somebody unknown does not come in, and nobody is made of them', async () => {
  const there = newPerson()
  expect(await goThrough(openBrowser(), there)).toBe(problem('oidc_unknown_person'))
  expect(await t.db.sql`select id from users where email = ${there.email}`).toEqual([])
})

test('an invited person comes in without a password, as a member with the role they were given', async () => {
  const owner = await createTestPerson(t, await t.account({ name: 'Inviting farm' }), 'owner')
  const there = newPerson()
  await owner.request('POST', '/invitations', { email: there.email.toUpperCase(), role: 'viewer' })
  const browser = openBrowser()
  expect(await goThrough(browser, there)).toBe('/')
  expect(await whoIs(browser)).toMatchObject({
    user: { name: 'Known Elsewhere' },
    account: { name: 'Inviting farm' },
    role: 'viewer',
  })
  expect((await owner.request('GET', '/invitations')).json().data).toEqual([])
})

test('the link of an invitation is accepted by its own address alone', async () => {
  const owner = await createTestPerson(t, await t.account({ name: 'Inviting farm' }), 'owner')
  const person = await known()
  const made = await owner.request('POST', '/invitations', { email: person.email, role: 'admin' })
  const query = `?invitation=${made.json().data.url.split('#')[1]}`
  expect(await goThrough(openBrowser(), newPerson(), query)).toBe(problem('oidc_other_address'))
  const unchecked = { ...newPerson(person.email), email_verified: false }
  expect(await goThrough(openBrowser(), unchecked, query)).toBe(problem('oidc_email_unverified'))
  const browser = openBrowser()
  expect(await goThrough(browser, newPerson(person.email), query)).toBe('/')
  expect(await whoIs(browser)).toMatchObject({ user: { id: person.userId }, role: 'admin' })
})

test('somebody who was removed everywhere does not come in by being linked', async () => {
  const person = await known()
  const there = newPerson(person.email)
  expect(await goThrough(openBrowser(), there)).toBe('/')
  await t.db.sql`/* every account: they leave all */ delete from members where user_id = ${person.userId}`
  expect(await goThrough(openBrowser(), there)).toBe(problem('oidc_unknown_person'))
})

test.each(['other_key', 'other_nonce', 'other_audience', 'expired', 'unsigned'] as const)(
  'an ID token with a fault (%s) opens nothing',
  async (behaviour) => {
    const person = await known()
    provider.behaviour = behaviour
    const browser = openBrowser()
    expect(await goThrough(browser, newPerson(person.email))).toBe(problem('oidc_refused'))
    expect((await browser.get('/session')).statusCode).toBe(401)
  },
)

test('what comes back to another browser, with another state or without a code is refused', async () => {
  const person = await known()
  const browser = openBrowser()
  const back = provider.signIn(locationOf(await browser.get('/oidc/start')), newPerson(person.email))
  expect(locationOf(await openBrowser().get(`/oidc/callback${back.search}`))).toBe(problem('oidc_expired'))

  const other = openBrowser()
  await other.get('/oidc/start')
  expect(locationOf(await other.get(`/oidc/callback${back.search}`))).toBe(problem('oidc_refused'))

  const refused = openBrowser()
  const url = new URL(locationOf(await refused.get('/oidc/start')))
  const state = url.searchParams.get('state')
  expect(locationOf(await refused.get(`/oidc/callback?error=access_denied&state=${state}`))).toBe(
    problem('oidc_refused'),
  )
})

test('what was begun is ended once, and within ten minutes', async () => {
  const person = await known()
  const browser = openBrowser()
  const there = newPerson(person.email)
  const back = provider.signIn(locationOf(await browser.get('/oidc/start')), there)
  expect(locationOf(await browser.get(`/oidc/callback${back.search}`))).toBe('/')
  expect(locationOf(await browser.get(`/oidc/callback${back.search}`))).toBe(problem('oidc_expired'))

  const slow = openBrowser()
  const late = provider.signIn(locationOf(await slow.get('/oidc/start')), there)
  now += 10 * 60_000
  expect(locationOf(await slow.get(`/oidc/callback${late.search}`))).toBe(problem('oidc_expired'))
})

test('a cookie that was not made here is none', async () => {
  const browser = openBrowser()
  await browser.get('/oidc/start')
  for (const name of browser.cookies.keys()) browser.cookies.set(name, 'AAAA'.repeat(40))
  expect(locationOf(await browser.get('/oidc/callback?code=x&state=y'))).toBe(problem('oidc_expired'))
})

test('a provider that is away is told so, stops nothing, and is asked again when it is back', async () => {
  const config = { oidcIssuer: provider.issuer, oidcClientId: provider.clientId, oidcClientSecret: 'wrong' }
  provider.isDown = true
  const early = await createTestApp({ config })
  try {
    const browser = openBrowser(early)
    expect(locationOf(await browser.get('/oidc/start'))).toBe(problem('oidc_unavailable'))
    expect((await early.app.inject('/livez')).statusCode).toBe(200)
    provider.isDown = false
    const start = await browser.get('/oidc/start')
    expect(locationOf(start)).toContain(`${provider.issuer}/authorize`)
    const back = provider.signIn(locationOf(start), newPerson())
    // The provider knows another secret.
    expect(locationOf(await browser.get(`/oidc/callback${back.search}`))).toBe(problem('oidc_refused'))
  } finally {
    await early.close()
  }
})

test('without a provider nothing is offered, and nothing begins', async () => {
  const plain = await createTestApp()
  try {
    const browser = openBrowser(plain)
    expect((await browser.get('/oidc')).json().data.configured).toBe(false)
    expect(locationOf(await browser.get('/oidc/start'))).toBe(problem('oidc_not_configured'))
    expect(locationOf(await browser.get('/oidc/callback'))).toBe(problem('oidc_not_configured'))
  } finally {
    await plain.close()
  }
})

test('begun sign-ins are counted by address', async () => {
  const browser = openBrowser()
  const codes: number[] = []
  for (let i = 0; i < 31; i++) codes.push((await browser.get('/oidc/start')).statusCode)
  expect(codes.slice(0, 30)).toEqual(Array(30).fill(302))
  expect(codes.at(-1)).toBe(429)
})
