import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../../../test/app/test-app.ts'
import { createTestPerson, pageRequest } from '../../../test/farm/test-person.ts'
import { type PersonThere, startTestProvider, type TestProvider } from '../../../test/services/test-provider.ts'
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
  provider.authenticatedAt = undefined
  provider.keepsAddressOutOfToken = false
  provider.calledIssuer = undefined
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
    get: (path: string) => send('GET', path),
    post: (path: string, body: object = {}) => send('POST', path, body),
  }

  async function send(method: 'GET' | 'POST', path: string, body?: object) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await app.app.inject({ ...pageRequest(method, path, cookie, body), remoteAddress })
    for (const line of [answer.headers['set-cookie'] ?? []].flat()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (value === '') cookies.delete(name)
      else cookies.set(name, value)
    }
    return answer
  }
}
type Browser = ReturnType<typeof openBrowser>

const locationOf = (answer: { headers: Record<string, unknown> }) => String(answer.headers.location)

const urlOf = (answer: { json(): { data: { url: string } } }) => answer.json().data.url

/** Goes through the provider as this person; answers where the browser ends up. */
async function goThrough(browser: Browser, person: PersonThere, invitation?: string): Promise<string> {
  const start = await browser.post('/oidc/start', { invitation })
  expect(start.statusCode).toBe(200)
  const back = provider.signIn(urlOf(start), person)
  return locationOf(await browser.get(`/oidc/callback${back.search}`))
}

/** Says yes to the only invitation that the person is asked about. */
async function join(browser: Browser) {
  const { invitations } = (await browser.get('/oidc/invitations')).json().data
  expect(invitations).toHaveLength(1)
  return browser.post('/oidc/invitations/accept', { invitation_id: invitations[0].id })
}
const problem = (name: (typeof oidcProblems)[number]) => `/sign-in?problem=${name}`
const whoIs = async (browser: Browser) => (await browser.get('/session')).json().data

const tokenOf = (made: { json(): { data: { url: string } } }) => made.json().data.url.split('#')[1] as string

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

test('an address that was given to another person there does not open what is its first holder’s', async () => {
  const person = await known()
  expect(await goThrough(openBrowser(), newPerson(person.email))).toBe('/')
  expect(await goThrough(openBrowser(), newPerson(person.email))).toBe(problem('oidc_other_person'))
})

test('a password that another person may have chosen by a link that was shown opens nothing once the person is there', async () => {
  const there = newPerson()
  const stranger = await createTestPerson(t, await t.account(), 'owner')
  const { url } = (await stranger.request('POST', '/invitations', { email: there.email, role: 'viewer' })).json().data
  const chosen = { token: url.split('#')[1], name: 'Not they', password: 'chosen by a stranger' }
  const taken = await t.app.inject(pageRequest('POST', '/invitations/accept', undefined, chosen))
  const cookie = String(taken.headers['set-cookie']).split(';')[0] as string
  expect((await t.app.inject(pageRequest('GET', '/session', cookie))).statusCode).toBe(200)

  const owner = await createTestPerson(t, await t.account(), 'owner')
  const made = await owner.request('POST', '/invitations', { email: there.email, role: 'admin' })
  const browser = openBrowser()
  expect(await goThrough(browser, there, tokenOf(made))).toBe('/')
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
  expect(await goThrough(openBrowser(), there, tokenOf(made))).toBe('/')
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

test('a person unknown does not come in, and no one is made of them', async () => {
  const there = newPerson()
  expect(await goThrough(openBrowser(), there)).toBe(problem('oidc_unknown_person'))
  expect(await t.db.sql`select id from users where email = ${there.email}`).toEqual([])
})

test('an invited person comes in without a password, as a member with the role they were given', async () => {
  const owner = await createTestPerson(t, await t.account({ name: 'Inviting farm' }), 'owner')
  const there = newPerson()
  const invited = await owner.request('POST', '/invitations', { email: there.email.toUpperCase(), role: 'viewer' })
  const browser = openBrowser()
  expect(await goThrough(browser, there, tokenOf(invited))).toBe('/')
  expect(await whoIs(browser)).toMatchObject({
    user: { name: 'Known Elsewhere' },
    account: { name: 'Inviting farm' },
    role: 'viewer',
  })
  expect((await owner.request('GET', '/invitations')).json().data).toEqual([])
})

test('a person who signs in and is invited is asked first, and told which farms and roles; only a yes makes a member', async () => {
  const there = newPerson()
  const [wanted, foreign] = [await t.account({ name: 'Own farm' }), await t.account({ name: 'Foreign farm' })]
  for (const [farm, role] of [
    [wanted, 'operator'],
    [foreign, 'owner'],
  ] as const) {
    const owner = await createTestPerson(t, farm, 'owner')
    await owner.request('POST', '/invitations', { email: there.email, role })
    now += 1
  }
  const browser = openBrowser()
  expect(await goThrough(browser, there)).toBe('/join')
  expect((await browser.get('/session')).statusCode).toBe(401)
  expect(await t.db.sql`select id from users where email = ${there.email}`).toEqual([])
  const asked = (await browser.get('/oidc/invitations')).json().data
  expect(asked).toEqual({
    email: there.email,
    invitations: [
      { id: expect.stringMatching(/^ivn_/), account_name: 'Foreign farm', role: 'owner' },
      { id: expect.stringMatching(/^ivn_/), account_name: 'Own farm', role: 'operator' },
    ],
  })
  const chosen = { invitation_id: asked.invitations[1].id }
  // Another browser has no one whom the provider has proven.
  expect((await openBrowser().post('/oidc/invitations/accept', chosen)).json().error.code).toBe('INVITATION_INVALID')
  const unknown = await browser.post('/oidc/invitations/accept', { invitation_id: 'ivn_of_others' })
  expect(unknown.json().error.code).toBe('INVITATION_INVALID')
  const joined = await browser.post('/oidc/invitations/accept', chosen)
  expect(joined.json().data).toMatchObject({ account: { name: 'Own farm' }, role: 'operator' })
  expect((await whoIs(browser)).accounts).toHaveLength(1)
  expect((await browser.post('/oidc/invitations/accept', chosen)).json().error.code).toBe('INVITATION_INVALID')
})

test('what a person was asked waits ten minutes for a yes', async () => {
  const owner = await createTestPerson(t, await t.account(), 'owner')
  const there = newPerson()
  await owner.request('POST', '/invitations', { email: there.email, role: 'viewer' })
  const browser = openBrowser()
  expect(await goThrough(browser, there)).toBe('/join')
  now += 10 * 60_000
  expect((await browser.get('/oidc/invitations')).json().data).toEqual({ email: null, invitations: [] })
  expect(await goThrough(browser, there)).toBe('/join')
  expect((await join(browser)).statusCode).toBe(200)
})

test('no page of another site begins a sign-in by the provider or says yes to an invitation, and no link does', async () => {
  const elsewhere = [
    { origin: 'https://evil.example' },
    { origin: 'http://localhost', 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
  ]
  for (const path of ['/oidc/start', '/oidc/invitations/accept']) {
    for (const headers of elsewhere) {
      const asked = pageRequest('POST', path, undefined, { invitation_id: 'x' })
      const sent = { host: 'localhost', 'content-type': 'application/json', ...headers }
      const answer = await t.app.inject({ ...asked, headers: sent })
      expect(answer.json().error.code, path).toBe('ORIGIN_REFUSED')
      expect(answer.headers['set-cookie']).toBeUndefined()
    }
  }
  const followed = await openBrowser().get('/oidc/start?invitation=x')
  expect(followed.json().error.code).toBe('METHOD_NOT_ALLOWED')
  expect(followed.headers['set-cookie']).toBeUndefined()
})

test('a new sign-in at the provider is a proof, for its own person and session and when it is fresh', async () => {
  const person = await known()
  const there = newPerson(person.email)
  const browser = openBrowser()
  expect(await goThrough(browser, there)).toBe('/')
  const change = () => browser.post('/totp')
  const refused = await change()
  expect(refused.json().error).toMatchObject({ code: 'PROOF_REQUIRED', details: { methods: ['provider'] } })

  const prove = async (as: PersonThere, back: Browser = browser) => {
    const started = await browser.post('/proof/provider')
    const asked = new URL(urlOf(started)).searchParams
    expect([asked.get('prompt'), asked.get('max_age')]).toEqual(['login', '0'])
    if (back !== browser)
      for (const [name, value] of browser.cookies) if (/oidc/.test(name)) back.cookies.set(name, value)
    return locationOf(await back.get(`/oidc/callback${provider.signIn(urlOf(started), as).search}`))
  }
  provider.authenticatedAt = now - 11 * 60_000
  expect(await prove(there)).toBe(problem('oidc_not_fresh'))
  provider.authenticatedAt = now
  expect(await prove(newPerson())).toBe(problem('oidc_other_person'))
  expect(await prove(there, openBrowser())).toBe(problem('oidc_expired'))
  expect((await change()).json().error.code).toBe('PROOF_REQUIRED')

  expect(await prove(there)).toBe('/proven')
  expect((await change()).statusCode).toBe(200)
  now += 10 * 60_000
  expect((await change()).json().error.code).toBe('PROOF_REQUIRED')
})

test('a password is set by a person who has none only with a proof', async () => {
  const person = await known()
  const there = newPerson(person.email)
  const browser = openBrowser()
  expect(await goThrough(browser, there)).toBe('/')
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const set = () => t.app.inject(pageRequest('PUT', '/password', cookie, { new_password: 'the one of today' }))
  expect((await set()).json().error.code).toBe('PROOF_REQUIRED')
  provider.authenticatedAt = now
  const started = await browser.post('/proof/provider')
  await browser.get(`/oidc/callback${provider.signIn(urlOf(started), there).search}`)
  expect((await set()).statusCode).toBe(200)
})

test('the link of an invitation is accepted by its own address alone', async () => {
  const owner = await createTestPerson(t, await t.account({ name: 'Inviting farm' }), 'owner')
  const person = await known()
  const made = await owner.request('POST', '/invitations', { email: person.email, role: 'admin' })
  const token = tokenOf(made)
  expect(await goThrough(openBrowser(), newPerson(), token)).toBe(problem('oidc_other_address'))
  const unchecked = { ...newPerson(person.email), email_verified: false }
  expect(await goThrough(openBrowser(), unchecked, token)).toBe(problem('oidc_email_unverified'))
  const browser = openBrowser()
  expect(await goThrough(browser, newPerson(person.email), token)).toBe('/')
  expect(await whoIs(browser)).toMatchObject({ user: { id: person.userId }, role: 'admin' })
})

test('a person who was removed everywhere does not come in by being linked', async () => {
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
  const back = provider.signIn(urlOf(await browser.post('/oidc/start')), newPerson(person.email))
  expect(locationOf(await openBrowser().get(`/oidc/callback${back.search}`))).toBe(problem('oidc_expired'))

  const other = openBrowser()
  await other.post('/oidc/start')
  expect(locationOf(await other.get(`/oidc/callback${back.search}`))).toBe(problem('oidc_refused'))

  const refused = openBrowser()
  const url = new URL(urlOf(await refused.post('/oidc/start')))
  const state = url.searchParams.get('state')
  expect(locationOf(await refused.get(`/oidc/callback?error=access_denied&state=${state}`))).toBe(
    problem('oidc_refused'),
  )
})

test('what was started is ended once, and within ten minutes', async () => {
  const person = await known()
  const browser = openBrowser()
  const there = newPerson(person.email)
  const back = provider.signIn(urlOf(await browser.post('/oidc/start')), there)
  expect(locationOf(await browser.get(`/oidc/callback${back.search}`))).toBe('/')
  expect(locationOf(await browser.get(`/oidc/callback${back.search}`))).toBe(problem('oidc_expired'))

  const slow = openBrowser()
  const late = provider.signIn(urlOf(await slow.post('/oidc/start')), there)
  now += 10 * 60_000
  expect(locationOf(await slow.get(`/oidc/callback${late.search}`))).toBe(problem('oidc_expired'))
})

test('a cookie that was not made here is none', async () => {
  const browser = openBrowser()
  await browser.post('/oidc/start')
  for (const name of browser.cookies.keys()) browser.cookies.set(name, 'AAAA'.repeat(40))
  expect(locationOf(await browser.get('/oidc/callback?code=x&state=y'))).toBe(problem('oidc_expired'))
})

test('a provider that is away is told so, stops nothing, and is asked again when it is back', async () => {
  const config = { oidcIssuer: provider.issuer, oidcClientId: provider.clientId, oidcClientSecret: 'wrong' }
  provider.isDown = true
  const early = await createTestApp({ config })
  try {
    const browser = openBrowser(early)
    expect((await browser.post('/oidc/start')).json().error.code).toBe('SERVICE_UNAVAILABLE')
    expect((await early.app.inject('/livez')).statusCode).toBe(200)
    provider.isDown = false
    const start = await browser.post('/oidc/start')
    expect(urlOf(start)).toContain(`${provider.issuer}/authorize`)
    const back = provider.signIn(urlOf(start), newPerson())
    // The provider knows another secret.
    expect(locationOf(await browser.get(`/oidc/callback${back.search}`))).toBe(problem('oidc_refused'))
  } finally {
    await early.close()
  }
})

test('a provider that calls itself by the name of another is not gone to', async () => {
  const config = {
    oidcIssuer: provider.issuer,
    oidcClientId: provider.clientId,
    oidcClientSecret: provider.clientSecret,
  }
  provider.calledIssuer = 'https://id.example.com'
  const deceived = await createTestApp({ config })
  try {
    const start = await openBrowser(deceived).post('/oidc/start')
    expect(start.json().error.code).toBe('SERVICE_UNAVAILABLE')
    expect(start.body).not.toContain('/authorize')
  } finally {
    await deceived.close()
  }
})

test('without a provider nothing is offered, and nothing begins', async () => {
  const plain = await createTestApp()
  try {
    const browser = openBrowser(plain)
    expect((await browser.get('/oidc')).json().data.configured).toBe(false)
    expect((await browser.post('/oidc/start')).json().error.code).toBe('NOT_FOUND')
    expect(locationOf(await browser.get('/oidc/callback'))).toBe(problem('oidc_not_configured'))
  } finally {
    await plain.close()
  }
})

test('started sign-ins are counted by address', async () => {
  const browser = openBrowser()
  const codes: number[] = []
  for (let i = 0; i < 31; i++) codes.push((await browser.post('/oidc/start')).statusCode)
  expect(codes.slice(0, 30)).toEqual(Array(30).fill(200))
  expect(codes.at(-1)).toBe(429)
})
