import { expect, test } from 'vitest'
import { farmForEachTest } from '../../test/app/app-hooks.ts'
import { standOfAccount } from '../../test/app/stand-of-account.ts'
import { routes, routesForPeople } from '../../test/app/walked-routes.ts'
import { addSku, setStock } from '../../test/farm/test-catalogue.ts'
import { createTestPerson, type TestPerson } from '../../test/farm/test-person.ts'
import { followPicksOf } from '../orders/pick/follow-picks.ts'

const { t, farm } = farmForEachTest()

type Method = 'POST' | 'DELETE'

/** A request that has brought something into a state already, and how it is answered when it is sent once more. */
interface Repeated {
  path: string
  body?: object
  answer: readonly [status: number, code?: string]
}

let owner: TestPerson
const ask = (method: 'GET' | 'PATCH' | Method, path: string, body?: object) => owner.request(method, path, body)

async function done(method: 'GET' | 'PATCH' | Method, path: string, body?: object) {
  const answer = await ask(method, path, body)
  expect(answer.statusCode, answer.body).toBeLessThan(300)
  return answer.json().data
}

/** The request is sent for the first time here, and works. */
async function sent(
  path: string,
  answer: Repeated['answer'],
  body?: object,
  method: Method = 'POST',
): Promise<Repeated> {
  await done(method, path, body)
  return { path, answer, ...(body && { body }) }
}

async function printing(): Promise<string> {
  const id = await farm.queueJob()
  await farm.print(id)
  return id
}

async function stockedOrder(quantity = 1): Promise<{ id: string; itemId: string; sku: string }> {
  const sku = await addSku(farm.account)
  await setStock(farm.account, sku, 5)
  const items = [{ product_sku_id: sku.id, quantity, unit_price: 100 }]
  const { id } = await done('POST', '/orders', { customer_name: 'Anna', items })
  // What follows from a new order follows from it, and not from what is sent next.
  await followPicksOf(t.context, farm.account.id)
  const order = await done('GET', `/orders/${id}`)
  return { id, itemId: order.items[0].id, sku: sku.id }
}

const over = [409, 'JOB_STATE_CHANGED'] as const

/** Every POST, and a few DELETEs, by which something is brought into a state. */
const repeated: Record<string, () => Promise<Repeated>> = {
  'POST /jobs/:id/start': async () => ({ path: `/jobs/${await printing()}/start`, answer: over }),
  'POST /jobs/:id/pause': async () => sent(`/jobs/${await printing()}/pause`, over),
  'POST /jobs/:id/stop': async () => sent(`/jobs/${await printing()}/stop`, over),
  async 'POST /jobs/:id/resume'() {
    const id = await printing()
    await done('POST', `/jobs/${id}/pause`)
    return sent(`/jobs/${id}/resume`, over)
  },
  'POST /jobs/:id/cancel': async () => sent(`/jobs/${await farm.queueJob()}/cancel`, over),
  async 'POST /jobs/:id/restore'() {
    const id = await farm.queueJob()
    await done('POST', `/jobs/${id}/cancel`)
    return sent(`/jobs/${id}/restore`, over)
  },
  async 'POST /jobs/:id/assign'() {
    return sent(`/jobs/${await farm.queueJob()}/assign`, [200], { printer_id: farm.printerId })
  },
  async 'POST /jobs/:id/complete'() {
    const id = await printing()
    farm.hub.onCommand(() => undefined)
    await farm.hub.close()
    await t.settled(() => t.context.hubs.find(farm.hubId) === undefined)
    return sent(`/jobs/${id}/complete`, over)
  },
  async 'POST /jobs/:id/resolve'() {
    const id = await printing()
    await farm.hub.close()
    await t.settled(() => t.context.hubs.find(farm.hubId) === undefined)
    return sent(`/jobs/${id}/resolve`, over, { outcome: 'printed' })
  },
  async 'POST /jobs/:id/retry'() {
    const id = await farm.queueJob()
    const attempt = await farm.print(id)
    await farm.hub.report({ ...attempt, phase: 'finished', outcome: 'failed' })
    return sent(`/jobs/${id}/retry`, over)
  },
  async 'POST /materials/filament/:id/tags'() {
    const { id } = await done('POST', '/materials/filament', { type: 'PLA' })
    return sent(`/materials/filament/${id}/tags`, [201], { code: '04A35B129C6480' })
  },
  'POST /shifts/switch': () =>
    sent('/shifts/switch', [201], { is_on: true, until: new Date(Date.now() + 3_600_000).toISOString() }),
  async 'DELETE /shifts/switch'() {
    await done('POST', '/shifts/switch', { is_on: true, until: new Date(Date.now() + 3_600_000).toISOString() })
    return sent('/shifts/switch', [200], undefined, 'DELETE')
  },
  'POST /printers/:id/control': () => sent(`/printers/${farm.printerId}/control`, [200], { action: 'clear_bed' }),
  async 'POST /assembly/:id/complete'() {
    const { id: product_sku_id } = await addSku(farm.account)
    const job = await farm.queueJob({ product_sku_id, quantity_per_print: 1, requires_assembly: true })
    await farm.hub.report({ ...(await farm.print(job)), phase: 'finished', outcome: 'done' })
    const [task] = (await ask('GET', '/assembly')).json().data
    return sent(`/assembly/${task.id}/complete`, [400, 'TASK_ALREADY_COMPLETED'], {})
  },
  'POST /orders/:id/fulfill': async () =>
    sent(`/orders/${(await stockedOrder()).id}/fulfill`, [400, 'ORDER_ALREADY_FULFILLED']),
  async 'POST /orders/:id/items/:itemId/fulfill'() {
    const { id, itemId } = await stockedOrder()
    return sent(`/orders/${id}/items/${itemId}/fulfill`, [400])
  },
  async 'POST /orders/:id/items/:itemId/hold'() {
    const { id, itemId } = await stockedOrder()
    return sent(`/orders/${id}/items/${itemId}/hold`, [200], { units: 1 })
  },
  async 'POST /orders/:id/items/:itemId/map'() {
    const { id, itemId, sku } = await stockedOrder()
    return { path: `/orders/${id}/items/${itemId}/map`, body: { product_sku_id: sku }, answer: [200] }
  },
  async 'POST /orders/:id/picks'() {
    return sent(`/orders/${(await stockedOrder()).id}/picks`, [200], {})
  },
  'POST /orders/:id/erase-customer': async () => sent(`/orders/${(await stockedOrder()).id}/erase-customer`, [200]),
  'POST /orders/:id/plan': async () => sent(`/orders/${(await stockedOrder()).id}/plan`, [200]),
  'POST /orders/:id/produce': async () => sent(`/orders/${(await stockedOrder()).id}/produce`, [200]),
  'POST /production/produce': () => sent('/production/produce', [200]),
  async 'POST /wiki/:id/publish'() {
    const { id } = await done('POST', '/wiki', { title: 'Plates' })
    return sent(`/wiki/${id}/publish`, [400, 'ALREADY_PUBLISHED'])
  },
  async 'POST /wiki/:id/unpublish'() {
    const { id } = await done('POST', '/wiki', { title: 'Plates', is_published: true })
    return sent(`/wiki/${id}/unpublish`, [400, 'ALREADY_UNPUBLISHED'])
  },
  'POST /shops/:id/read': async () => {
    const shop = { platform: 'woocommerce', name: 'Shop', url: 'https://shop.example.invalid' }
    const { id } = await done('POST', '/shops', { ...shop, consumer_key: 'ck_one', consumer_secret: 'cs_one' })
    return sent(`/shops/${id}/read`, [200])
  },
  'POST /spoolman/read': async () => {
    await done('POST', '/spoolman', { url: 'https://spoolman.example.invalid' })
    return sent('/spoolman/read', [200])
  },
  async 'DELETE /api-keys/:id'() {
    const { id } = await done('POST', '/api-keys', { name: 'Shop', scopes: ['read'] })
    return sent(`/api-keys/${id}`, [200], undefined, 'DELETE')
  },
  async 'DELETE /invitations/:id'() {
    const { id } = await done('POST', '/invitations', { email: 'new@example.com', role: 'viewer' })
    return sent(`/invitations/${id}`, [404, 'NOT_FOUND'], undefined, 'DELETE')
  },
  async 'DELETE /shops/:id'() {
    const shop = { platform: 'woocommerce', name: 'Shop', url: 'https://shop.example.invalid' }
    const { id } = await done('POST', '/shops', { ...shop, consumer_key: 'ck_one', consumer_secret: 'cs_one' })
    return sent(`/shops/${id}`, [404, 'NOT_FOUND'], undefined, 'DELETE')
  },
}

const makesOne =
  'makes a new thing each time; a second one of the same name, where that may not be, is DUPLICATE_NAME or ALREADY_EXISTS'
const counts = 'books what it is told each time: a retry brings its Idempotency-Key'
const asks = 'asks, and changes nothing here'
const commands = 'is a command to a machine: a second one is given to it'
const secret = 'is for one secret, which is worth nothing the second time: the tests of signing in say so'

/** Every other POST, with why it sets no state that could be there already. */
const others: Record<string, string> = {
  ...Object.fromEntries(
    [
      ...[
        '/agent-calls',
        '/printers',
        '/jobs',
        '/jobs/bulk',
        '/files',
        '/files/upload-url',
        '/files/:id/versions',
        '/hubs',
      ],
      ...['/products', '/products/kit', '/products/:id/images', '/skus', '/recipes', '/colors', '/inventory'],
      ...['/materials/filament', '/materials/components', '/materials/packaging', '/materials/parts', '/worklist'],
      ...['/assembly', '/orders', '/listing-maps', '/wiki', '/wiki/:id/images', '/webhooks', '/invitations'],
      ...['/api-keys', '/notification-channels', '/smart-plugs', '/spoolman', '/shops', '/notification-rules'],
      ...['/automation-rules', '/push-devices', '/backups', '/hubs/:id/join-code', '/webhooks/:id/rotate-secret'],
      ...['/members/:id/reset-link', '/totp/backup-codes'],
    ].map((path) => [`POST ${path}`, makesOne]),
  ),
  ...Object.fromEntries(
    [
      ...['/inventory/:id/adjust', '/skus/:id/assemble', '/orders/:id/returns', '/orders/import'],
      ...['filament', 'components', 'packaging', 'parts'].flatMap((kind) => [
        `/materials/${kind}/:id/consume`,
        `/materials/${kind}/:id/restock`,
      ]),
    ].map((path) => [`POST ${path}`, counts]),
  ),
  ...Object.fromEntries(
    [
      ...['/jobs/preview', '/hubs/:id/discover', '/hubs/:id/test-connection', '/spoolman/test', '/mqtt/broker/test'],
      ...['/materials/components/check-availability', '/materials/filament/scan', '/notification-channels/:id/test'],
      '/push-devices/:id/test',
      ...['/shops/:id/test', '/shops/:id/authorise', '/invitations/look', '/task-links/look', '/webhooks/:id/test'],
      ...['/webhooks/:id/redeliver', '/webhooks/:id/deliveries/:deliveryId/redeliver'],
    ].map((path) => [`POST ${path}`, asks]),
  ),
  ...Object.fromEntries(
    [
      ...['/printers/:id/heaters', '/printers/:id/light', '/printers/:id/filament/load'],
      ...['/printers/:id/filament/unload', '/smart-plugs/:id/switch'],
    ].map((path) => [`POST ${path}`, commands]),
  ),
  ...Object.fromEntries(
    [
      ...['/setup', '/sign-in', '/sign-out', '/sign-out/everywhere', '/proof', '/proof/provider', '/proof/passkey'],
      ...['/proof/passkey/options', '/passkeys', '/passkeys/options', '/passkeys/sign-in', '/passkeys/sign-in/options'],
      ...['/totp', '/totp/confirm', '/totp/remove', '/oidc/start', '/oidc/invitations/accept', '/password/forgot'],
      ...['/password/reset', '/invitations/accept', '/shops/authorised', '/task-links/take'],
      '/spoolman/usages/:id/settle',
    ].map((path) => [`POST ${path}`, secret]),
  ),
}

test('every POST is walked here, or it is said why not', () => {
  const present = [...routes, ...routesForPeople].flatMap(([method, path]) =>
    method === 'POST' ? [`${method} ${path}`] : [],
  )
  const walked = Object.keys(repeated).filter((route) => route.startsWith('POST '))
  expect([...walked, ...Object.keys(others)].sort()).toEqual(present.sort())
})

test.each(Object.keys(repeated))('%s of what is so already leaves no event and no other time', async (route) => {
  owner = await createTestPerson(t, farm.account, 'owner')
  const [method = ''] = route.split(' ')
  const { path, body, answer } = (await repeated[route]?.()) ?? { path: '', answer: [0] }
  await t.written()
  const before = await standOfAccount(t, farm.account.id, owner.userId)
  const again = await ask(method as Method, path, body)
  const [status, code] = answer
  expect(again.statusCode, again.body).toBe(status)
  if (code !== undefined) expect(again.json().error.code).toBe(code)
  await t.written()
  const after = await standOfAccount(t, farm.account.id, owner.userId)
  const newest = await t.db.sql`
    select type, data from events where account_id = ${farm.account.id} order by id desc
    limit ${after.events - before.events}`
  expect(newest).toEqual([])
  expect(after).toEqual(before)
})
