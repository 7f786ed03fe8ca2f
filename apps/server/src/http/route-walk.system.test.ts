import { channel } from 'node:diagnostics_channel'
import { buildGcode3mf } from '@printyard/print-files/test/build-gcode-3mf'
import { drawPng } from '@printyard/print-files/test/draw-picture'
import { SNAPSHOT_CAPABILITY } from '@printyard/protocol/version'
import { Ajv, type AnySchema } from 'ajv'
import addFormats from 'ajv-formats'
import type { FastifyInstance, HTTPMethods, LightMyRequestResponse, RouteOptions } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Scope, scopes } from '../kernel/actor.ts'
import { newId } from '../kernel/ids.ts'
import { leastRoleFor, type Role, roles } from '../kernel/policy.ts'
import { createApiKey } from '../modules/people/api-keys/api-keys.service.ts'
import { planAccount } from '../modules/planning/planner.ts'
import { forecastAccount } from '../modules/promises/forecaster.ts'
import { systemWork } from '../test/app/system-work.ts'
import { createTestApp, type TestAccount, type TestApp } from '../test/app/test-app.ts'
import {
  common,
  endless,
  forAdmins,
  growing,
  joining,
  type Method,
  neverEmpty,
  type Own,
  ofCaller,
  pushDevice,
  type Row,
  routes,
  routesForPeople,
} from '../test/app/walked-routes.ts'
import { addTestFile, upload } from '../test/farm/sliced-file.ts'
import { addProduct, addSku, itemOf } from '../test/farm/test-catalogue.ts'
import { createTestFarm, type TestFarm } from '../test/farm/test-farm.ts'
import { drawImage, postImage } from '../test/farm/test-images.ts'
import { cookieOf, createTestPerson, pageHeaders, type TestPerson } from '../test/farm/test-person.ts'
import { createTestAuthenticator } from '../test/services/test-authenticator.ts'
import { isTimestamp } from './request/timestamps.ts'

const prefix = '/public/v1'
const guarded = routes.filter((row) => row[2] !== null)
const withId = routes.filter(([, path]) => path.includes(':id'))
const reads = guarded.filter(([method, path]) => method === 'GET' && !endless.includes(path))
const lists = reads.filter(([, path]) => !path.includes(':id') && !common.includes(path))
const named = (rows: readonly Row[]) => rows.map((row) => ({ route: `${row[0]} ${row[1]}`, row }))

let t: TestApp
let farm: TestFarm
let owner: TestAccount
let stranger: TestAccount
let strangersUpload: string
/** One of each role who is signed in, in the account of the owner and in that of the stranger. */
let people: Record<Role, TestPerson>
let strangers: Record<Role, TestPerson>
/** The ID of one thing of the owner, by the first word of the paths that name it. */
let ids: Record<string, string>
let imageId: string
let deliveryId: string
const registered: RouteOptions[] = []

beforeAll(async () => {
  // The application is whole when it is handed out; the routes are told while it is built.
  const listen = (message: unknown) => {
    const { fastify } = message as { fastify: FastifyInstance }
    fastify.addHook('onRoute', (route) => void registered.push(route))
  }
  channel('fastify.initialization').subscribe(listen)
  t = await createTestApp()
  channel('fastify.initialization').unsubscribe(listen)

  farm = await createTestFarm(t)
  await farm.reconnect(0, [SNAPSHOT_CAPABILITY])
  farm.hub.showStill(Buffer.from([0xff, 0xd8, 0xff, 0xd9]))
  owner = farm.account
  stranger = await t.account({ name: 'Stranger' })
  const sliced = buildGcode3mf({ plates: [{ thumbnail: drawPng(64, 64, [200, 100, 0]) }] })
  strangersUpload = await upload(t, stranger, sliced)
  const userId = newId('user')
  await t.db.sql`insert into users (id, email, name) values (${userId}, 'member@example.com', 'Member')`
  await t.db.sql`
    insert into members (account_id, id, user_id, role) values (${owner.id}, ${newId('member')}, ${userId}, 'operator')`
  await owner.request('PUT', '/worklist/assignment-defaults', { task_type: 'maintenance', assigned_to: userId })
  const product = await addProduct(owner, { category: 'Lamps' })
  const sku = await addSku(owner, { product_id: product.id, low_stock_threshold: 5 })
  const item = await itemOf(owner, sku)
  await owner.request('POST', `/inventory/${item.id}/adjust`, { adjustment: 3, reason: 'manual' })
  const image = await postImage(t, owner, sku.product_id, await drawImage())
  const printFileId = (await addTestFile(t, owner, sliced)).id
  const recipe = await owner.request('POST', '/recipes', { product_sku_id: sku.id, print_file_id: printFileId })
  const color = await owner.request('POST', '/colors', { color_name: 'Red', hex_code: '#FF0000' })
  const task = await owner.request('POST', '/worklist', { title: 'Collect', task_type: 'collection' })
  const article = await owner.request('POST', '/wiki', { title: 'Clearing a plate', category: 'Floor' })
  const order = await owner.request('POST', '/orders', {
    items: [{ product_sku_id: sku.id, quantity: 2, unit_price: 100 }],
  })
  const { id: orderId, items } = order.json().data
  await owner.request('POST', `/orders/${orderId}/fulfill`, { items: [{ item_id: items[0].id, quantity: 1 }] })
  await owner.request('POST', `/orders/${orderId}/returns`, {
    items: [{ item_id: items[0].id, quantity: 1, disposition: 'restock' }],
  })
  // Something must be printed, for an order and for the shelf.
  await owner.request('POST', '/orders', { items: [{ product_sku_id: sku.id, quantity: 50, unit_price: 100 }] })
  await owner.request('PATCH', `/skus/${sku.id}`, { restock_point: 5, restock_to: 20 })
  const listing = await owner.request('POST', '/listing-maps', {
    platform: 'etsy',
    seller_sku: 'CLIP',
    product_sku_id: sku.id,
  })
  const webhook = await owner.request('POST', '/webhooks', {
    url: 'https://erp.invalid/printyard',
    event_types: ['wiki_article.deleted'],
  })
  await owner.request('PATCH', `/webhooks/${webhook.json().data.id}`, { is_active: false })
  deliveryId = newId('webhookDelivery')
  await t.db.sql`
    insert into webhook_deliveries (account_id, id, webhook_id, event_id, event_type, subject_id, event_txid, status, due_at, created_at)
    select account_id, ${deliveryId}, ${webhook.json().data.id}, id, type, subject_id, txid, 'failed', created_at, created_at
    from events where account_id = ${owner.id} and type = 'webhook.created'`
  const materials = Object.entries({
    filament: { type: 'PLA', remaining_grams: 500 },
    components: { name: 'Screw', remaining_units: 5 },
    packaging: { name: 'Box', remaining_units: 5 },
    parts: { name: 'Belt', remaining_units: 5 },
  }).map(async ([kind, body]) => [kind, (await owner.request('POST', `/materials/${kind}`, body)).json().data.id])
  const assembly = await owner.request('POST', '/assembly', { product_sku_id: sku.id, quantity: 1 })
  imageId = image.json().data.id
  ids = {
    ...Object.fromEntries(await Promise.all(materials)),
    printers: farm.printerId,
    jobs: await farm.queueJob(),
    files: (await addTestFile(t, owner, sliced)).id,
    hubs: farm.hubId,
    products: sku.product_id,
    skus: sku.id,
    recipes: recipe.json().data.id,
    colors: color.json().data.id,
    inventory: item.id,
    worklist: task.json().data.id,
    orders: order.json().data.id,
    'listing-maps': listing.json().data.id,
    wiki: article.json().data.id,
    webhooks: webhook.json().data.id,
    analytics: await failPrint(),
    assembly: assembly.json().data.id,
    'order-imports': 'walked-import',
  }
  await t.db.sql`
    insert into order_import_progress (account_id, id, done_rows, total_rows, updated_at)
    values (${owner.id}, 'walked-import', 100, null, now())`
  // The camera shows no image that can be read: the failure has none by itself.
  await t.db.sql`
    insert into failure_pictures (account_id, failure_id, sha256, thumb_sha256, size_bytes, taken_at)
    select account_id, ${String(ids.analytics)}, sha256, thumb_sha256, size_bytes, now() from product_images
    where account_id = ${owner.id} and id = ${imageId}`
  await owner.request('POST', `/jobs/${await farm.queueJob()}/cancel`)
  people = await personOfEachRole(owner)
  strangers = await personOfEachRole(stranger)
  // The same tasks, as people on the floor read them.
  ids['work-cards'] = String(ids.worklist)
  ids.sessions = people.owner.sessionId
  const { options } = (await people.owner.request('POST', '/passkeys/options')).json().data
  const passkey = { name: 'Laptop', response: createTestAuthenticator().create(options) }
  ids.passkeys = (await people.owner.request('POST', '/passkeys', passkey)).json().data.id
  ids.members = people.operator.memberId
  const chat = { kind: 'slack', name: 'Chat', url: 'https://hooks.example.invalid/x' }
  ids['notification-channels'] = (await people.owner.request('POST', '/notification-channels', chat)).json().data.id
  const told = { name: 'People', kinds: ['needs_person'] }
  ids['notification-rules'] = (await people.owner.request('POST', '/notification-rules', told)).json().data.id
  const look = { name: 'Look', kinds: ['printer_error'], actions: [{ do: 'create_task' }] }
  ids['automation-rules'] = (await people.owner.request('POST', '/automation-rules', look)).json().data.id
  const shop = { platform: 'woocommerce', name: 'Shop', url: 'https://shop.example.invalid', shop: 'walked' }
  const keys = { consumer_key: 'ck_walked', consumer_secret: 'cs_walked' }
  ids.shops = (await people.owner.request('POST', '/shops', { ...shop, ...keys })).json().data.id
  await people.owner.request('POST', '/spoolman', { url: 'https://spoolman.example.invalid' })
  ids.spoolman = newId('spoolmanUsage')
  await t.db.sql`
    insert into spoolman_spools (account_id, spool_id, url, state, created_at)
    values (${owner.id}, 7, 'https://spoolman.example.invalid', 'gone', now())`
  await t.db.sql`
    insert into spoolman_usages (account_id, id, spool_id, milligrams, state, created_at)
    values (${owner.id}, ${ids.spoolman}, 7, 1000, 'refused', now())`
  await people.owner.request('PATCH', '/mqtt/broker', { url: 'mqtts://broker.example.invalid' })
  const plug = { printer_id: farm.printerId, command_topic: 'plug/set', state_topic: 'plug' }
  ids['smart-plugs'] = (await people.owner.request('POST', '/smart-plugs', plug)).json().data.id
  ids['push-devices'] = (await people.owner.request('POST', '/push-devices', pushDevice)).json().data.id
  const [key] = await t.db.sql<{ id: string }[]>`select id from api_keys where account_id = ${owner.id}`
  ids['api-keys'] = String(key?.id)
  const invited = { email: 'invited@example.com', role: 'viewer' }
  ids.invitations = (await people.owner.request('POST', '/invitations', invited)).json().data.id
  farm.hub.send('discovered', {
    candidates: [
      { connection_type: 'virtual', name: 'V1', model: null, address: null, serial: null, evidence: 'configured' },
    ],
  })
  await t.settled(() => t.context.hubs.find(farm.hubId)?.candidates.length === 1)
  await planAccount(t.context, owner.id)
  // One that is made later finds the same, and is no act's doing.
  await forecastAccount(t.context, owner.id)
})
afterAll(async () => {
  await farm.hub.close()
  await t.close()
})

async function personOfEachRole(account: TestAccount): Promise<Record<Role, TestPerson>> {
  const made = await Promise.all(roles.map((role) => createTestPerson(t, account, role)))
  // One for each role, by construction.
  return Object.fromEntries(made.map((person) => [person.role, person])) as Record<Role, TestPerson>
}

/** A print of the owner that failed; answers the ID of its failure. */
async function failPrint(): Promise<string> {
  const attempt = await farm.print(await farm.queueJob())
  await farm.hub.report({ ...attempt, phase: 'finished', outcome: 'failed' })
  return (await owner.request('GET', '/analytics/failures')).json().data.recent[0].id
}

/** The word of a path that says what its ID names; materials have one per kind, and what things cost stands beside them. */
function thingOf(path: string): string {
  const [, first = '', second = ''] = path.split('/')
  if (first === 'costs') return second === 'materials' ? 'filament' : second
  return first === 'materials' ? second : first
}

/** The path of the owner's thing, or of another ID. */
function pathOf(path: string, id = ids[thingOf(path)]): string {
  if (path.includes(':id') && id === undefined) throw new Error(`nothing was made that ${path} could name`)
  return path
    .replace(/:id(OrSlug)?\b/, id ?? '')
    .replace(':number', '1')
    .replace(':itemId', 'itm_x')
    .replace(':version', '1')
    .replace(':imageId', imageId)
    .replace(':deliveryId', deliveryId)
    .replace(':token', 'x'.repeat(43))
}

let requests = 0
function send(
  [method, , , body]: Row,
  path: string,
  authorization?: string,
  own: Own = { uploadToken: 'x' },
): Promise<LightMyRequestResponse> {
  const payload = typeof body === 'function' ? body(own) : body
  requests += 1
  return t.app.inject({
    method,
    url: `${prefix}${path}`,
    headers: authorization === undefined ? {} : { authorization },
    // Refusals are counted by address; this is no test of that.
    remoteAddress: `10.0.${requests >> 8}.${requests & 255}`,
    ...(payload && { payload }),
  })
}

async function keyOfOwner(granted: readonly Scope[]): Promise<string> {
  const named = { name: 'limited', scopes: granted, expiresAt: null }
  return (await createApiKey(systemWork(t.db.sql, owner.id), named)).key
}

/** All that the owner can read, to see whether anything changed. When the hub was last seen, and whether that is long ago, is no act's doing. */
async function everythingOfOwner(): Promise<string[]> {
  const steady = reads.filter(([, path]) => !growing.includes(path))
  const answers = await Promise.all(steady.map((row) => send(row, pathOf(row[1]), `Bearer ${owner.key}`)))
  return answers.map(({ body }) => body.replaceAll(/"(last_seen_at|is_stale)":("[^"]+"|true|false)/g, '"$1":"…"'))
}

/** Reading everything costs a hundred times what an act does: it is done once for so many of them. */
const actsPerRead = 60
let watched: { series: string; answers: string[]; acts: string[] } | undefined

/** Everything of the owner stays as it is through all acts of a series; `expectUnchanged` ends the series. */
async function expectUnchangedBy(series: string, { name, act }: { name: string; act: () => Promise<void> }) {
  if (watched?.series !== series) {
    await expectUnchanged()
    watched = { series, answers: await everythingOfOwner(), acts: [] }
  }
  watched.acts.push(name)
  await act()
  if (watched.acts.length >= actsPerRead) await expectUnchanged()
}

async function expectUnchanged(): Promise<void> {
  if (watched === undefined || watched.acts.length === 0) return
  const { answers: before, acts } = watched
  watched.answers = await everythingOfOwner()
  watched.acts = []
  expect(watched.answers, `changed by one of ${acts.join(', ')}`).toEqual(before)
}

const outcome = (answer: LightMyRequestResponse) => [answer.statusCode, answer.json().error?.code]

test('every route is walked, with the scope that it is to need', () => {
  const described = registered
    .filter((route) => route.url.startsWith(`${prefix}/`))
    .map((route) => `${route.method} ${route.url.slice(prefix.length)} ${route.config?.scope ?? 'none'}`)
  expect(described.sort()).toEqual(routes.map(([method, path, scope]) => `${method} ${path} ${scope ?? 'none'}`).sort())
})

test('the document describes every route but itself', () => {
  const described = Object.entries(t.app.swagger().paths ?? {}).flatMap(([path, operations]) =>
    Object.keys(operations ?? {}).map((method) => `${method.toUpperCase()} ${path}`),
  )
  const expected = routes
    .filter(([, path]) => path !== '/openapi.json')
    .map(([method, path]) => `${method} ${prefix}${path.replaceAll(/:(\w+)/g, '{$1}')}`)
  expect(described.filter((each) => each.includes(` ${prefix}/`)).sort()).toEqual(expected.sort())
})

describe.each(named(guarded))('$route', ({ row }) => {
  const [, path, scope] = row

  test('without a key is UNAUTHORIZED', async () => {
    expect(outcome(await send(row, pathOf(path)))).toEqual([401, 'UNAUTHORIZED'])
  })

  test('with what is no key is TOKEN_INVALID', async () => {
    const secret = 'a'.repeat(64)
    for (const authorization of [
      `Basic ${Buffer.from(`key:${owner.key}`).toString('base64')}`,
      owner.key,
      'Bearer',
      `Bearer other_live_${secret}`,
      `Bearer ${owner.key.slice(0, -1)}`,
      `Bearer printyard_live_${secret}`,
    ]) {
      expect(outcome(await send(row, pathOf(path), authorization)), authorization).toEqual([401, 'TOKEN_INVALID'])
    }
  })

  test('with every scope but its own is refused, whether or not the thing exists', async () => {
    const key = await keyOfOwner(scopes.filter((each) => each !== scope))
    const existing = await send(row, pathOf(path), `Bearer ${key}`)
    expect(outcome(existing)).toEqual([403, 'INSUFFICIENT_SCOPE'])
    expect(existing.json().error.message).toContain(`"${scope}"`)
    expect(existing.json().error).not.toHaveProperty('details')
    expect((await send(row, pathOf(path, 'unknown'), `Bearer ${key}`)).body).toBe(existing.body)
  })
})

test.each(named(withId))(
  "$route answers the same for another account's thing as for none, and does nothing",
  async ({ route, row }) => {
    const [, path] = row
    const own = { uploadToken: strangersUpload }
    const act = async () => {
      // Reading everything asks the camera.
      const framesBefore = farm.hub.received.length
      const wellFormed = `${ids[thingOf(path)]?.slice(0, -4)}zzzz`
      const unknown = await send(row, pathOf(path, wellFormed), `Bearer ${stranger.key}`, own)
      expect(outcome(unknown)).toEqual([404, 'NOT_FOUND'])
      const foreign = await send(row, pathOf(path), `Bearer ${stranger.key}`, own)
      expect(foreign.statusCode).toBe(404)
      expect(foreign.body).toBe(unknown.body)
      expect(farm.hub.received.slice(framesBefore)).toEqual([])
    }
    await expectUnchangedBy('keys of others', { name: route, act })
  },
)

test('no key of another account has changed anything', expectUnchanged)

type Declared = { content?: object } | undefined

function responsesOf(route: string): Record<number, Declared> {
  const found = registered.find((each) => `${each.method} ${each.url}` === route.replace(' ', ` ${prefix}`))
  // Fastify leaves the form of a response to its compilers; here it is a schema by status.
  return found?.schema?.response as Record<number, Declared>
}

const ajv = new Ajv({ strict: false, allErrors: true })
addFormats.default(ajv, ['uri'])
ajv.addFormat('date-time', isTimestamp)

test.each(named(reads))('$route answers what its schema declares, and no more', async ({ route, row }) => {
  const answer = await send(row, pathOf(row[1]), `Bearer ${owner.key}`)
  expect(answer.statusCode, answer.body.slice(0, 500)).toBe(200)
  const declared = responsesOf(route)[200]
  const type = String(answer.headers['content-type']).split(';')[0]
  if (declared?.content) {
    expect(Object.keys(declared.content)).toContain(type)
    expect(answer.rawPayload.length).toBeGreaterThan(0)
    return
  }
  expect(type).toBe('application/json')
  const isDeclared = ajv.compile(declared as AnySchema)
  const body = answer.json()
  isDeclared(body)
  expect(isDeclared.errors ?? []).toEqual([])
  // An empty list would show nothing of what its rows are.
  if (Array.isArray(body.data)) expect(body.data).not.toEqual([])
})

describe.each(named(reads.filter(([, path]) => /\/:\w+$/.test(path))))('$route', ({ row }) => {
  const ask = async (headers: Record<string, string> = {}) =>
    t.app.inject({
      method: 'GET',
      url: `${prefix}${pathOf(row[1])}`,
      headers: { authorization: `Bearer ${owner.key}`, ...headers },
    })

  test('has a strong tag, and says nothing to those who know it', async () => {
    const first = await ask()
    const tag = String(first.headers.etag)
    expect(tag).toMatch(/^"[\w-]+"$/)
    // What a hub reports may move between two requests; its tag then moves with the bytes.
    const again = await ask({ 'if-none-match': `"other", W/${tag}` })
    if (again.statusCode === 200) expect([again.headers.etag, again.body]).not.toContain(tag)
    else expect([again.statusCode, again.body, again.headers.etag]).toEqual([304, '', tag])
    expect((await ask({ 'if-none-match': '*' })).statusCode).toBe(304)
    expect((await ask({ 'if-none-match': '"other"' })).statusCode).toBe(200)
  })
})

const changes = guarded.filter(([method]) => method === 'PATCH' || method === 'PUT')

test.each(named(changes))('$route does nothing when If-Match names something else', async ({ route, row }) => {
  const change = (ifMatch: string, path = pathOf(row[1])) =>
    t.app.inject({
      method: row[0],
      url: `${prefix}${path}`,
      headers: { authorization: `Bearer ${owner.key}`, 'if-match': ifMatch },
      ...(row[3] && { payload: typeof row[3] === 'function' ? row[3]({ uploadToken: 'x' }) : row[3] }),
    })
  const act = async () => {
    for (const header of ['"stale"', '"stale", "older"', 'W/"stale"']) {
      expect(outcome(await change(header))).toEqual([412, 'PRECONDITION_FAILED'])
    }
    expect(outcome(await change('not quoted'))).toEqual([400, 'VALIDATION_ERROR'])
    if (row[1].includes(':')) {
      expect(outcome(await change('*', pathOf(row[1], 'unknown')))).toEqual([404, 'NOT_FOUND'])
    }
  }
  await expectUnchangedBy('tags that do not match', { name: route, act })
})

test('no change whose If-Match did not match has changed anything', expectUnchanged)

test.each(named(lists))('$route shows nothing of another account', async ({ row }) => {
  const { data } = (await send(row, row[1], `Bearer ${stranger.key}`)).json()
  if (neverEmpty.includes(row[1])) {
    const { data: owners } = (await send(row, row[1], `Bearer ${owner.key}`)).json()
    const texts = (answered: object) => [answered].flat().map((each) => JSON.stringify(each))
    expect(texts(owners)).not.toEqual([])
    expect(texts(data).filter((each) => texts(owners).includes(each))).toEqual([])
  } else if (Array.isArray(data)) expect(data).toEqual([])
  // What is no list counts, and there is nothing to count but the days.
  else {
    const values = JSON.stringify({ ...data, date: '', from: '', to: '', working_days: [] })
      .replaceAll('"last_30_days"', '')
      .replaceAll(/"\d{4}-\d\d-\d\d"/g, '')
    expect(values).not.toMatch(/[1-9]/)
  }
})

const methods: readonly HTTPMethods[] = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE']

test.each([...new Set(routes.map(([, path]) => path))])(
  '%s takes no other method, and says which it takes',
  async (path) => {
    const address = pathOf(path)
    const own = routes
      // A fixed path is never one with an ID.
      .filter(([, pattern]) => pattern === path)
      .map(([method]) => method)
    const allowed = own.includes('GET') && path !== '/events/stream' ? [...own, 'HEAD'] : own
    for (const method of methods.filter((each) => !allowed.some((known) => known === each))) {
      const answer = await t.app.inject({ method, url: `${prefix}${address}` })
      expect(answer.statusCode, method).toBe(405)
      expect(answer.headers.allow).toBe([...new Set(allowed)].sort().join(', '))
    }
    const below = await t.app.inject({ method: 'GET', url: `${prefix}${address}/nowhere/at/all` })
    expect(outcome(below)).toEqual([404, 'NOT_FOUND'])
  },
)

test('a key that may write and moves no machine joins none either', async () => {
  const key = await keyOfOwner(['read', 'write'])
  const rows = routes.filter(([method, path]) => joining.has(`${method} ${path}`))
  expect(rows).toHaveLength(joining.size)
  for (const row of rows) {
    const answer = await send(row, pathOf(row[1]), `Bearer ${key}`)
    expect(outcome(answer)).toEqual([403, 'INSUFFICIENT_SCOPE'])
    expect(answer.json().error.message).toContain('"control"')
  }
})

test('what needs no key asks for none', async () => {
  const open = routes.filter((row) => row[2] === null)
  const answers = await Promise.all(open.map((row) => send(row, pathOf(row[1]))))
  expect(answers.map((answer) => answer.statusCode)).toEqual([200, 404])
})

describe('below /app/v1', () => {
  const sessionPrefix = '/app/v1'
  type SessionRow = readonly [method: Method, path: string, role: Role, body?: Row[3]]

  const forPeople: SessionRow[] = [
    ...guarded.map(([method, path, scope, body]): SessionRow => {
      const role = forAdmins(method, path) ? 'admin' : leastRoleFor(scope as Scope)
      return [method, path, role, body]
    }),
    ...routesForPeople.flatMap(([method, path, role, body]): SessionRow[] =>
      role ? [[method, path, role, body]] : [],
    ),
  ]
  const sameForAll = lists.map((list) => list[1]).filter((path) => ![...growing, ...ofCaller].includes(path))
  const rows = forPeople.map((row) => ({ route: `${row[0]} ${row[1]}`, row }))

  function ask(
    [method, , , body]: SessionRow,
    path: string,
    headers: Record<string, string | undefined>,
    own: Own = { uploadToken: 'x' },
  ): Promise<LightMyRequestResponse> {
    const payload = typeof body === 'function' ? body(own) : body
    const given = Object.entries({ ...pageHeaders, ...headers }).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    )
    return t.app.inject({
      method,
      url: `${sessionPrefix}${path}`,
      headers: Object.fromEntries(given),
      ...(payload && { payload }),
    })
  }

  /** What a person may call without harm to those who ask after them: their session may end by it. */
  const personFor = (path: string, account: TestAccount, known: Record<Role, TestPerson>, role: Role) =>
    routesForPeople.some((row) => row[1] === path) ? createTestPerson(t, account, role) : known[role]

  test('every route is walked, with the role that it is to need', () => {
    const found = registered
      .filter((route) => route.url.startsWith(`${sessionPrefix}/`))
      .map((route) => `${route.method} ${route.url.slice(sessionPrefix.length)} ${route.config?.role ?? 'none'}`)
    const open = [
      ...routes.filter((row) => row[2] === null && row[1] !== '/openapi.json'),
      ...routesForPeople.filter((row) => !row[2]),
    ]
    const expected = [
      ...forPeople.map(([method, path, role]) => `${method} ${path} ${role}`),
      ...open.map(([method, path]) => `${method} ${path} none`),
    ]
    expect(found.sort()).toEqual(expected.sort())
  })

  test('nothing of it stands in the description of the public API', () => {
    expect(Object.keys(t.app.swagger().paths ?? {}).filter((path) => path.startsWith('/app/'))).toEqual([])
  })

  test.each(rows)('$route opens to no one without a session, nor with a key', async ({ row }) => {
    const path = pathOf(row[1])
    expect(outcome(await ask(row, path, {}))).toEqual([401, 'UNAUTHORIZED'])
    expect(outcome(await ask(row, path, { authorization: `Bearer ${owner.key}` }))).toEqual([401, 'UNAUTHORIZED'])
    expect(outcome(await ask(row, path, { cookie: cookieOf('A'.repeat(43)) }))).toEqual([401, 'SESSION_EXPIRED'])
    const ofHttps = `__Host-${people.owner.cookie}`
    expect(outcome(await ask(row, path, { cookie: ofHttps }))).toEqual([401, 'UNAUTHORIZED'])
  })

  test.each(rows.filter(({ row }) => row[0] !== 'GET'))('$route is called from no other page', async ({ row }) => {
    for (const origin of [undefined, 'http://elsewhere.example']) {
      const answer = await ask(row, pathOf(row[1]), { cookie: people.owner.cookie, origin })
      expect(outcome(answer)).toEqual([403, 'ORIGIN_REFUSED'])
    }
  })

  test.each(rows)('$route is refused to lesser roles, whether or not the thing exists', async ({ row }) => {
    const [, path, least] = row
    for (const role of roles.slice(roles.indexOf(least) + 1)) {
      const { cookie } = people[role]
      const existing = await ask(row, pathOf(path), { cookie })
      expect(outcome(existing), role).toEqual([403, 'FORBIDDEN'])
      expect((await ask(row, pathOf(path, 'unknown'), { cookie })).body).toBe(existing.body)
    }
  })

  test.each(rows.filter(({ row }) => !endless.includes(row[1])))(
    '$route lets in every role that may call it',
    async ({ row }) => {
      const [, path, least] = row
      for (const role of roles.slice(0, roles.indexOf(least) + 1)) {
        // In the account of the stranger, where there is nothing to lose.
        const { cookie } = await personFor(path, stranger, strangers, role)
        const answer = await ask(row, pathOf(path, 'unknown'), { cookie })
        const { error } = answer.json()
        expect(
          ['UNAUTHORIZED', 'SESSION_EXPIRED', 'ORIGIN_REFUSED', 'FORBIDDEN', 'INTERNAL_ERROR'],
          role,
        ).not.toContain(error?.code)
      }
    },
    // One of the routes starts a process, at the lowest priority.
    120_000,
  )

  test.each(rows.filter(({ row }) => row[1].includes(':id')))(
    "$route answers the same for another account's thing as for none, and does nothing",
    async ({ route, row }) => {
      const [, path] = row
      const own = { uploadToken: strangersUpload }
      const act = async () => {
        const { cookie } = await personFor(path, stranger, strangers, 'owner')
        const wellFormed = `${ids[thingOf(path)]?.slice(0, -4)}zzzz`
        const unknown = await ask(row, pathOf(path, wellFormed), { cookie }, own)
        expect(outcome(unknown)).toEqual([404, 'NOT_FOUND'])
        expect((await ask(row, pathOf(path), { cookie }, own)).body).toBe(unknown.body)
      }
      await expectUnchangedBy('people of others', { name: route, act })
      expect((await people.owner.request('GET', '/session')).statusCode).toBe(200)
    },
  )

  test('no person of another account has changed anything', expectUnchanged)

  test.each(rows.filter(({ row: [method, path] }) => method === 'GET' && sameForAll.includes(path)))(
    '$route shows a person what a key of the same account is shown',
    async ({ row }) => {
      const [method, path] = row
      const byKey = await send([method, path, 'read'], path, `Bearer ${owner.key}`)
      const reader = people[forAdmins('GET', path) ? 'admin' : 'viewer']
      const { data } = (await ask(row, path, { cookie: reader.cookie })).json()
      // Addresses begin with the host that was asked for.
      expect(data).toEqual(JSON.parse(byKey.body.replaceAll('//localhost:80/', '//localhost/')).data)
    },
  )
})
