import { channel } from 'node:diagnostics_channel'
import { makeHubKey } from '@printyard/protocol/sealed-connection'
import { sampleOf } from '@printyard/protocol/test/sample'
import type { FastifyInstance, RouteOptions } from 'fastify'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Scope } from '../kernel/actor.ts'
import { roles } from '../kernel/policy.ts'
import { createHubWithToken } from '../modules/hubs/hubs.service.ts'
import { createApiKey } from '../modules/people/api-keys/api-keys.service.ts'
import { openStream } from '../test/app/open-stream.ts'
import { systemWork } from '../test/app/system-work.ts'
import { createTestApp, type TestAccount, type TestApp } from '../test/app/test-app.ts'
import { endless, type Method, routes, routesForPeople } from '../test/app/walked-routes.ts'
import { readSlicedFile } from '../test/farm/sliced-file.ts'
import { connectTestHub, type TestHub } from '../test/farm/test-hub.ts'
import { createTestPerson, type TestPerson } from '../test/farm/test-person.ts'

/** One of each credential that a connection can have. */
const secrets = {
  api_key: 'SECRET-of-an-api-key',
  password: 'SECRET-of-a-password',
  access_code: 'SECRET-of-an-access-code',
  token: 'SECRET-of-a-token',
}
const families = ['octoprint', 'moonraker', 'prusalink', 'bambu', 'elegoo', 'creality'] as const

/** As it stands, and as it might be wrapped. */
const forms = Object.values(secrets).flatMap((secret) => [
  secret,
  Buffer.from(secret).toString('hex'),
  Buffer.from(secret).toString('base64').slice(0, 20),
])

let t: TestApp
let account: TestAccount
let people: TestPerson[]
let hub: TestHub
let otherHub: TestHub
let hubId: string
let otherHubId: string
let hubToken: string
let otherHubToken: string
const printerIds: string[] = []
const logged: string[] = []
/** What anybody was told, with who it was, and was not looked through yet. */
const told: { by: string; text: string }[] = []

/** All routes, as the application registers them. */
const registered: RouteOptions[] = []

beforeAll(async () => {
  // The application is whole when it is handed out; the routes are told while it is built.
  const listen = (message: unknown) => {
    const { fastify } = message as { fastify: FastifyInstance }
    fastify.addHook('onRoute', (route) => void registered.push(route))
  }
  channel('fastify.initialization').subscribe(listen)
  t = await createTestApp({
    context: { log: pino({ level: 'debug' }, { write: (line: string) => void logged.push(line) }) },
  })
  channel('fastify.initialization').unsubscribe(listen)
  const url = await t.app.listen({ host: '127.0.0.1', port: 0 })
  account = await t.account()
  people = await Promise.all(roles.map((role) => createTestPerson(t, account, role)))
  const connect = async (name: string) => {
    const { id, token } = await createHubWithToken(systemWork(t.db.sql, account.id), name)
    const key = { public_key: makeHubKey().publicKey }
    return { id, token, hub: await connectTestHub(url, token, 0, `journal ${name}`, ['connection-test'], [], key) }
  }
  ;({ hub, id: hubId, token: hubToken } = await connect('Own'))
  ;({ hub: otherHub, id: otherHubId, token: otherHubToken } = await connect('Other'))
  for (const connection_type of families) {
    const connection = { address: '192.0.2.4', serial: `S-${connection_type}`, username: 'maker', ...secrets }
    const body = { name: `A ${connection_type}`, model: 'MK4S', hub_id: hubId, connection_type, connection }
    const answer = await account.request('POST', '/printers', body)
    note('POST /printers', answer.body)
    printerIds.push(answer.json().data.id)
  }
}, 60_000)
afterAll(async () => {
  await hub?.close()
  await otherHub?.close()
  await t?.close()
})

const note = (by: string, text: string) => void told.push({ by, text })

/** Of what was told since it was called before. */
function expectNoSecret(): void {
  const fresh = told.splice(0)
  const leaks = fresh.filter(({ text }) => forms.some((form) => text.includes(form)))
  expect(leaks.map(({ by, text }) => `${by}: ${text.slice(0, 200)}`)).toEqual([])
  expect(fresh.length).toBeGreaterThan(0)
}

/** Paths that name a printer or a hub, with each of ours; others name something that is not there. */
function pathsOf(path: string): string[] {
  const ids = path.startsWith('/printers/') ? printerIds : path.startsWith('/hubs/') ? [hubId, otherHubId] : ['none']
  return ids.map((id) => path.replace(/:id(OrSlug)?\b/, id).replace(/:\w+/g, '1'))
}

/** What reads goes first, and what deletes last. */
const order: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']
const byOrder = <R extends readonly [Method, ...unknown[]]>(rows: readonly R[]) =>
  [...rows].sort(([one], [other]) => order.indexOf(one) - order.indexOf(other))

let addresses = 0
const walked = byOrder(routes.filter(([, path]) => !endless.includes(path) && !path.includes('test-connection')))
/** One caller in three asks a route each day: two of the seven at least, and in three days all. */
const walkedBy = <R>(rows: readonly R[], caller: number) => sampleOf(rows, 3, caller)

test.each([['read'], ['read', 'write'], ['read', 'write', 'control']] as Scope[][])(
  'no route tells a secret to a key that may %s',
  async (...scopes) => {
    const made = { name: 'walk', scopes, expiresAt: null }
    const { key } = await createApiKey(systemWork(t.db.sql, account.id), made)
    for (const [method, path, , body] of walkedBy(walked, scopes.length)) {
      // Printers and hubs stay, for those who come after.
      if (method === 'DELETE' && /^\/(printers|hubs)\//.test(path)) continue
      const payload = typeof body === 'function' ? body({ uploadToken: 'x' }) : body
      for (const each of pathsOf(path)) {
        addresses += 1
        const answer = await t.app.inject({
          method,
          url: `/public/v1${each}`,
          headers: { authorization: `Bearer ${key}` },
          remoteAddress: `10.1.${addresses >> 8}.${addresses & 255}`,
          ...(payload && !(payload instanceof FormData) && { payload }),
        })
        note(`${method} ${each} by a key with ${scopes}`, `${answer.body}${JSON.stringify(answer.headers)}`)
      }
    }
    expectNoSecret()
  },
  // One of the routes starts a process, at the lowest priority.
  120_000,
)

test.each(roles)(
  'no route tells a secret to the role %s',
  async (role) => {
    const person = people.find((each) => each.role === role)
    const rows = [...walked.map(([method, path, , body]) => [method, path, body] as const)]
    const own = byOrder(routesForPeople.map(([method, path, , body]) => [method, path, body] as const))
    // Signing out would end the walk.
    const leaving = /sign-out|sessions|session\/account|password|totp|setup|members\/:id$/
    const all = [...rows, ...own.filter(([, path]) => !leaving.test(path))]
    for (const [method, path, body] of walkedBy(all, roles.indexOf(role))) {
      if (method === 'DELETE' && /^\/(printers|hubs)\//.test(path)) continue
      const payload = typeof body === 'function' ? body({ uploadToken: 'x' }) : body
      for (const each of pathsOf(path)) {
        const answer = await person?.request(method, each, payload instanceof FormData ? undefined : payload)
        note(`${method} ${each} by a ${role}`, `${answer?.body}${JSON.stringify(answer?.headers)}`)
      }
    }
    expectNoSecret()
  },
  // One of the routes starts a process, at the lowest priority.
  120_000,
)

/** What slicers send to the doors for them, by the path behind the prefix; the others are asked without a body. */
function slicerRequest(
  method: string,
  path: string,
  sliced: Buffer,
): { payload?: Buffer | object; headers: Record<string, string> } {
  const file = 'Content-Disposition: form-data; name="file"; filename="part.gcode"\r\n\r\n'
  const form = Buffer.concat([Buffer.from(`--b\r\n${file}`), sliced, Buffer.from('\r\n--b--\r\n')])
  const headers = { 'content-type': 'multipart/form-data; boundary=b' }
  if (/^\/(octoprint\/api\/files\/local|moonraker\/server\/files\/upload)$/.test(path))
    return { payload: form, headers }
  if (path.startsWith('/octoprint/api/files/local/')) {
    return { payload: { command: 'select', print: true }, headers: { 'content-type': 'application/json' } }
  }
  if (method === 'PUT' && path.startsWith('/prusalink/')) {
    return { payload: sliced, headers: { 'content-type': 'application/octet-stream', overwrite: '?1' } }
  }
  return { headers: {} }
}

test('no door for slicers and no other address beside the API tells a secret, to a key, a role or the token of a hub', async () => {
  const beside = registered.filter(({ url }) => !/^\/(public|app)\/v1\//.test(url))
  const prefixes = new Set(beside.map(({ url }) => url.split('/')[1]))
  expect([...prefixes]).toEqual(expect.arrayContaining(['octoprint', 'prusalink', 'moonraker', 'hub', 'metrics']))
  const sliced = await readSlicedFile()
  const scoped: Scope[][] = [['read'], ['read', 'write'], ['read', 'write', 'control']]
  const keys = scoped.map(async (scopes) => {
    const made = { name: `doors ${scopes}`, scopes, expiresAt: null }
    const { key } = await createApiKey(systemWork(t.db.sql, account.id), made)
    return { by: `a key with ${scopes}`, headers: { 'x-api-key': key, authorization: `Bearer ${key}` } }
  })
  const callers: { by: string; headers: Record<string, string> }[] = [
    ...(await Promise.all(keys)),
    ...people.map(({ role, cookie }) => ({ by: `the role ${role}`, headers: { cookie } })),
    {
      by: 'the token of another hub',
      headers: { 'x-api-key': otherHubToken, authorization: `Bearer ${otherHubToken}` },
    },
  ]
  const statuses = new Map<string, number[]>()
  // What reads comes last: the file is there then.
  const methods = beside.flatMap(({ url, method }) => [method].flat().map((each) => ({ url, method: each })))
  for (const { url, method } of methods.sort((one, other) => (one.method < other.method ? 1 : -1))) {
    const path = url.replace(/:storage/, 'local').replace(/:\w+|\*/g, 'part.gcode')
    const query = path === '/moonraker/printer/print/start' ? '?filename=part.gcode' : ''
    for (const { by, headers } of callers) {
      addresses += 1
      const remoteAddress = `10.1.${addresses >> 8}.${addresses & 255}`
      const sent = method === 'GET' ? { headers: {} } : slicerRequest(method, path, sliced)
      const answer = await t.app.inject({
        method: method as Method,
        url: `${path}${query}`,
        remoteAddress,
        ...(sent.payload && { payload: sent.payload }),
        headers: { host: 'localhost', ...headers, ...sent.headers },
      })
      note(`${method} ${path} by ${by}`, `${answer.body}${JSON.stringify(answer.headers)}`)
      statuses.set(`${method} ${url}`, [...(statuses.get(`${method} ${url}`) ?? []), answer.statusCode])
    }
  }
  // Each call of a door is answered to the keys that may write, and to no one else.
  for (const [route, answered] of statuses) {
    if (!/ \/(octoprint|prusalink|moonraker)\//.test(route)) continue
    expect([route, answered.map((status) => status < 300)]).toEqual([
      route,
      [false, true, true, ...people.map(() => false), false],
    ])
  }
  expectNoSecret()
}, 60_000)

test('neither a stream of events nor the feed tells one, whatever becomes of a printer', async () => {
  const stream = await openStream(t.app.listeningOrigin, '/public/v1/events/stream', {
    authorization: `Bearer ${account.key}`,
  })
  const [id] = printerIds
  const change = { connection: { address: '192.0.2.9', serial: 'S-2', ...secrets } }
  expect((await account.request('PATCH', `/printers/${id}`, change)).statusCode).toBe(200)
  expect((await account.request('PATCH', `/printers/${id}`, { hub_id: otherHubId })).statusCode).toBe(200)
  expect((await account.request('PATCH', `/printers/${id}`, { hub_id: hubId })).statusCode).toBe(200)
  const wrong = { connection: { address: 7, ...secrets } }
  note('a connection that is refused', (await account.request('PATCH', `/printers/${id}`, wrong)).body)
  await t.settled(() => stream.text().includes('printer.updated'))
  note('the stream', stream.text())
  stream.close()
  note('the feed', (await account.request('GET', '/events?limit=100')).body)
  const owner = people.find(({ role }) => role === 'owner')
  note('the audit', (await owner?.request('GET', '/audit?limit=100'))?.body ?? '')
  expectNoSecret()
})

test('a hub is sent its own printers alone, sealed for its key; the token opens none of it', async () => {
  for (const { received } of [hub, otherHub]) note('a hub', JSON.stringify(received))
  expectNoSecret()
  const [latest] = otherHub.received.filter(({ type }) => type === 'configure').slice(-1)
  // The one printer that was here for a moment is gone again.
  expect(latest).toMatchObject({ printers: [] })
  const own = await hub.waitFor('configure')
  expect(
    own.printers.every(({ connection, sealed_connection }) => {
      return Object.keys(connection).length === 0 && sealed_connection !== undefined
    }),
  ).toBe(true)
  await expect(
    connectTestHub(t.app.listeningOrigin, hubToken, 0, 'stolen', [], [], { public_key: makeHubKey().publicKey }),
  ).rejects.toThrow(/received: close/)
}, 40_000)

test('what is stored is sealed, and the log is silent about it', async () => {
  const rows = await t.db.sql<{ row: string }[]>`
    select to_jsonb(p)::text || coalesce(encode(p.connection_sealed, 'escape'), '') as row
    from printers p where account_id = ${account.id}`
  for (const { row } of rows) note('the table of printers', row)
  const events = await t.db.sql<
    { row: string }[]
  >`select to_jsonb(e)::text as row from events e where account_id = ${account.id}`
  for (const { row } of events) note('the events', row)
  const kept = await t.db.sql<{ row: string }[]>`
    select to_jsonb(k)::text as row from idempotency_keys k where account_id = ${account.id}`
  for (const { row } of kept) note('the kept answers', row)
  note('the log', logged.join(''))
  expectNoSecret()
})
