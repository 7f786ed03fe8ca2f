import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '../../kernel/ids.ts'
import { standOfAccount } from '../../test/app/stand-of-account.ts'
import { createTestApp, type TestAccount, type TestApp } from '../../test/app/test-app.ts'
import { routes, routesForPeople } from '../../test/app/walked-routes.ts'
import { addTestFile, readSlicedFile } from '../../test/farm/sliced-file.ts'
import { addProduct, addSku, itemOf } from '../../test/farm/test-catalogue.ts'
import { createTestFarm, type TestFarm } from '../../test/farm/test-farm.ts'
import { drawImage, postImage } from '../../test/farm/test-images.ts'
import { createTestPerson, type TestPerson } from '../../test/farm/test-person.ts'

let t: TestApp
let farm: TestFarm
let account: TestAccount
let owner: TestPerson
beforeAll(async () => {
  t = await createTestApp()
  farm = await createTestFarm(t)
  account = farm.account
  owner = await createTestPerson(t, account, 'owner', { password: 'a long enough password' })
})
afterAll(async () => {
  await farm.hub.close()
  await t.close()
})

/** One thing with a change of it: what is sent is what `read` answers of the fields that the change takes, unless it is given. */
interface Edit {
  path: string
  read?: string
  body?: object
}

/** Every route that sets values of a thing that is there, with such a thing. */
const edits: Record<string, () => Promise<Edit>> = {
  async 'PATCH /printers/:id'() {
    await patch(`/printers/${farm.printerId}`, {
      location: 'Hall',
      notes: 'Squeaks',
      nozzle_size: 0.6,
      current_color_hex: '#aabbcc',
      power_group: 'A',
      maintenance_interval_hours: 400,
      loaded_filament_grams: 800.5,
    })
    return { path: `/printers/${farm.printerId}` }
  },
  async 'PUT /printers/:id/maintenance'() {
    const { id } = await made('/printers', { name: 'Bench', model: 'MK4S', connection_type: 'virtual' })
    await put(`/printers/${id}/maintenance`, { in_maintenance: true, maintenance_type: 'Nozzle' })
    return { path: `/printers/${id}/maintenance`, read: `/printers/${id}` }
  },
  async 'PATCH /jobs/:id'() {
    const fields = { due_date: '2026-11-20T09:30:00Z', priority: 'high', color: 'red' }
    return { path: `/jobs/${await farm.queueJob(fields)}` }
  },
  async 'PATCH /scheduler/settings'() {
    const working_hours = { days: [5, 1, 3], from: '08:00', to: '17:00' }
    await patch('/scheduler/settings', { working_hours, heating_at_once: 2 })
    return { path: '/scheduler/settings' }
  },
  async 'PATCH /materials/settings'() {
    await patch('/materials/settings', { filament_margin_grams: 5.5, checks_filament: false })
    return { path: '/materials/settings' }
  },
  async 'PATCH /files/:id'() {
    const { id } = await addTestFile(t, account, await readSlicedFile(), { number_of_units: 2 })
    return { path: `/files/${id}` }
  },
  async 'PUT /files/:id/versions/:version/current'() {
    return { path: `/files/${farm.fileId}/versions/1/current`, read: `/files/${farm.fileId}` }
  },
  async 'PATCH /hubs/:id'() {
    return { path: `/hubs/${farm.hubId}` }
  },
  async 'PATCH /products/:id'() {
    const { id } = await addProduct(account, { description: 'Holds', category: 'Clips', requires_assembly: true })
    return { path: `/products/${id}` }
  },
  async 'PUT /products/:id/images/order'() {
    const { id } = await addProduct(account)
    for (const image of [await drawImage(), await drawImage()]) await postImage(t, account, id, image)
    const { data } = (await owner.request('GET', `/products/${id}/images`)).json()
    return { path: `/products/${id}/images/order`, body: { order: data.map((image: { id: string }) => image.id) } }
  },
  async 'PATCH /skus/:id'() {
    const { id } = await addSku(account, { color: 'red', hex_code: '#ff00aa', low_stock_threshold: 3 })
    return { path: `/skus/${id}` }
  },
  async 'PATCH /colors/:id'() {
    const { id } = await made('/colors', { color_name: 'Red', hex_code: '#ff0000' })
    return { path: `/colors/${id}`, body: { color_name: 'Red', hex_code: '#ff0000', is_active: true } }
  },
  async 'PUT /inventory/:id/threshold'() {
    const { id } = await itemOf(account, await addSku(account, { low_stock_threshold: 3 }))
    return { path: `/inventory/${id}/threshold`, read: `/inventory/${id}` }
  },
  async 'PATCH /materials/filament/:id'() {
    const fields = { type: 'PLA', color: 'red', hex_code: '#ff0000', brand: 'Acme', diameter: '2.85 mm' }
    const { id } = await made('/materials/filament', { ...fields, remaining_grams: 800.5, low_threshold: 100 })
    const printer = await made('/printers', { name: 'Rack', model: 'MK4S', connection_type: 'virtual' })
    await patch(`/materials/filament/${id}`, { printer_id: printer.id, slot: 1 })
    return { path: `/materials/filament/${id}` }
  },
  'PATCH /materials/components/:id': () => addMaterial('components'),
  'PATCH /materials/packaging/:id': () => addMaterial('packaging'),
  'PATCH /materials/parts/:id': () => addMaterial('parts'),
  async 'PUT /worklist/assignment-defaults'() {
    const body = { task_type: 'collection', assigned_to: owner.userId }
    await put('/worklist/assignment-defaults', body)
    return { path: '/worklist/assignment-defaults', body }
  },
  async 'PATCH /worklist/:id'() {
    return { path: `/worklist/${await addTask()}` }
  },
  async 'PUT /worklist/:id/status'() {
    const id = await addTask()
    await put(`/worklist/${id}/status`, { status: 'in_progress' })
    return { path: `/worklist/${id}/status`, read: `/worklist/${id}` }
  },
  async 'PUT /worklist/:id/assign'() {
    const id = await addTask()
    await put(`/worklist/${id}/assign`, { assigned_to: owner.userId })
    return { path: `/worklist/${id}/assign`, body: { assigned_to: owner.userId } }
  },
  async 'PATCH /assembly/:id'() {
    const { id: skuId } = await addSku(account)
    const { id } = await made('/assembly', { product_sku_id: skuId, quantity: 2, notes: 'Glue' })
    return { path: `/assembly/${id}` }
  },
  async 'PATCH /orders/:id'() {
    const { id: skuId } = await addSku(account)
    const { id } = await made('/orders', {
      notes: 'Soon',
      customer_name: 'Anna Smith',
      customer_email: 'anna@example.com',
      order_date: '2026-11-20T09:30:00Z',
      shipping_cost: 490,
      items: [{ product_sku_id: skuId, quantity: 1, unit_price: 1 }],
    })
    return { path: `/orders/${id}` }
  },
  async 'PATCH /orders/settings'() {
    const settings = { currency: 'EUR', handling_days: 2, working_days: [1, 2] }
    await patch('/orders/settings', settings)
    return { path: '/orders/settings', body: { ...settings, working_days: [2, 1] } }
  },
  async 'PATCH /listing-maps/:id'() {
    const { id: skuId } = await addSku(account)
    const map = { platform: 'etsy', seller_sku: 'CLIP', product_sku_id: skuId, pack_size: 2 }
    return { path: `/listing-maps/${(await made('/listing-maps', map)).id}` }
  },
  async 'PATCH /automation-rules/:id'() {
    const rule = { name: 'Look', kinds: ['printer_error'], actions: [{ do: 'create_task' }] }
    const { id } = await made('/automation-rules', rule)
    return { path: `/automation-rules/${id}`, body: { name: 'Look', actions: [{ do: 'create_task' }] } }
  },
  async 'PATCH /notification-channels/:id'() {
    const channel = { kind: 'slack', name: 'Chat', url: 'https://hooks.example.invalid/x' }
    const { id } = await made('/notification-channels', channel)
    return { path: `/notification-channels/${id}`, body: { name: 'Chat' } }
  },
  async 'PATCH /shops/:id'() {
    const shop = { platform: 'woocommerce', name: 'Shop', url: 'https://shop.example.invalid' }
    const { id } = await made('/shops', { ...shop, consumer_key: 'ck_one', consumer_secret: 'cs_one' })
    return { path: `/shops/${id}`, body: { name: 'Shop' } }
  },
  async 'PATCH /spoolman'() {
    const spoolman = { url: 'https://spoolman.example.invalid', leader: 'printyard' }
    await made('/spoolman', spoolman)
    return { path: '/spoolman', body: { ...spoolman } }
  },
  async 'PATCH /mqtt/broker'() {
    const broker = { url: 'mqtts://broker.example.invalid', allowed_commands: ['pause'] }
    expect((await owner.request('PATCH', '/mqtt/broker', broker)).statusCode).toBe(200)
    return { path: '/mqtt/broker', body: { ...broker } }
  },
  async 'PATCH /smart-plugs/:id'() {
    const plug = { printer_id: farm.printerId, command_topic: 'plug/set', state_topic: 'plug' }
    const { id } = await made('/smart-plugs', plug)
    return { path: `/smart-plugs/${id}`, body: { command_topic: 'plug/set', switches_on: false } }
  },
  async 'PATCH /notification-rules/:id'() {
    const rule = { name: 'People', kinds: ['needs_person'] }
    const { id } = await made('/notification-rules', rule)
    return { path: `/notification-rules/${id}`, body: { name: 'People' } }
  },
  async 'PATCH /webhooks/:id'() {
    const webhook = {
      url: 'https://erp.invalid/',
      description: 'Shop',
      event_types: ['job.*'],
      subject_ids: ['job_1'],
    }
    return { path: `/webhooks/${(await made('/webhooks', webhook)).id}` }
  },
  async 'PATCH /costs/settings'() {
    await patch('/costs/settings', {
      labour_hour_price: '30.50',
      watts: 120,
      models: [{ model: 'MK4S', machine_hour_price: '0.4', watts: null }],
      filaments: [{ filament_type: 'PLA', price: '21' }],
    })
    return { path: '/costs/settings' }
  },
  async 'PATCH /backups/schedule'() {
    return { path: '/backups/schedule', read: '/backups', body: { is_enabled: false, hour: 2, keep_daily: 7 } }
  },
  async 'PUT /costs/materials/:id'() {
    const { path } = await addMaterial('components')
    const price = path.replace('/materials/components', '/costs/materials')
    await put(price, { price: '0.031' })
    return { path: price }
  },
  async 'PUT /jobs/:id/product'() {
    return { path: `/jobs/${await farm.queueJob()}/product`, body: { product_sku_id: null } }
  },
  async 'PATCH /recipes/:id'() {
    const { id: product_id } = await addProduct(account)
    const recipe = { product_id, print_file_id: farm.fileId, notes: 'Slow', units_per_plate: 2, rank: 3 }
    return { path: `/recipes/${(await made('/recipes', recipe)).id}` }
  },
  async 'PATCH /inventory/:id'() {
    const { id } = await itemOf(account, await addSku(account, { low_stock_threshold: 3 }))
    return { path: `/inventory/${id}` }
  },
  async 'PUT /skus/:id/bom'() {
    const [whole, child] = [await addSku(account), await addSku(account)]
    const body = { children: [{ child_sku_id: child.id, quantity_required: 2 }], inventory: [] }
    await put(`/skus/${whole.id}/bom`, body)
    return { path: `/skus/${whole.id}/bom`, body }
  },
  async 'PATCH /wiki/:idOrSlug'() {
    const { id } = await made('/wiki', {
      title: 'Plates',
      category: 'Floor',
      tags: ['pei', 'steel'],
      sections: [{ type: 'step', title: 'Wash', content: 'With soap' }],
    })
    return { path: `/wiki/${id}` }
  },
  async 'PATCH /analytics/failures/:id'() {
    const job = await farm.queueJob()
    const attempt = await farm.print(job)
    await farm.hub.report({ ...attempt, phase: 'finished', outcome: 'failed', reason_code: 'FILAMENT_RUNOUT' })
    const failure = async () =>
      (await owner.request('GET', '/analytics/failures')).json().data.recent.at(0) as { id: string; type: string }
    await t.settled(async () => (await failure()) !== undefined)
    const { id, type } = await failure()
    await patch(`/analytics/failures/${id}`, { notes: 'Seen', resolved: true })
    return { path: `/analytics/failures/${id}`, body: { type, notes: 'Seen', resolved: true } }
  },
  async 'PUT /session/account'() {
    return { path: '/session/account', body: { account_id: account.id } }
  },
  async 'PUT /profile'() {
    return { path: '/profile', body: { name: 'A owner ', language: null } }
  },
  async 'PATCH /passkeys/:id'() {
    const id = newId('passkey')
    await t.db.sql`
      insert into passkeys ${t.db.sql({
        id,
        user_id: owner.userId,
        credential_id: 'credential',
        public_key: Buffer.of(1),
        sign_count: 0,
        transports: ['usb'],
        name: 'Ring',
        created_at: new Date(),
      })}`
    return { path: `/passkeys/${id}`, body: { name: 'Ring' } }
  },
  async 'PATCH /members/:id'() {
    return { path: `/members/${owner.memberId}`, body: { role: 'owner' } }
  },
  async 'PUT /members/:id/shifts'() {
    const body = { shifts: [{ day: 5, from: '22:00', to: '06:00' }] }
    await put(`/members/${owner.memberId}/shifts`, body)
    return { path: `/members/${owner.memberId}/shifts`, body }
  },
  async 'PATCH /account'() {
    return { path: '/account' }
  },
}

/** What sets no value that could be there already. */
const noEdits: Record<string, string> = {
  'PUT /files/upload/:token': 'takes bytes',
  'PUT /products/:id/kit': 'replaces a whole kit and tells what it is made of from then on',
  'PUT /password': 'takes what is not kept in a form that could be compared',
}

test('every route that edits is walked here', () => {
  const present = [...routes, ...routesForPeople]
    .filter(([method]) => method === 'PATCH' || method === 'PUT')
    .map(([method, path]) => `${method} ${path}`)
  expect([...Object.keys(edits), ...Object.keys(noEdits)].sort()).toEqual(present.sort())
})

test.each(Object.keys(edits))('%s with the values that are there leaves no event and no other time', async (route) => {
  const [method, pattern] = route.split(' ') as ['PATCH' | 'PUT', string]
  const { path, read = path, body } = (await edits[route]?.()) ?? { path: '' }
  const values = body ?? (await readValues(method, pattern, read))
  await t.written()
  const before = await standOfFarm()
  const answer = await owner.request(method, path, values)
  expect(answer.statusCode, answer.body).toBe(200)
  await t.written()
  expect(await standOfFarm()).toEqual(before)
})

test('a change to something else leaves an event, or the walk would show nothing', async () => {
  const { path } = (await edits['PATCH /hubs/:id']?.()) ?? { path: '' }
  const before = await standOfFarm()
  expect((await owner.request('PATCH', path, { name: 'Other' })).statusCode).toBe(200)
  const after = await standOfFarm()
  expect(after.events).toBe(before.events + 1)
  expect(after.hubs).not.toBe(before.hubs)
})

/** Of the answer what the request takes. Something must be left, or nothing is shown. */
async function readValues(method: string, pattern: string, path: string): Promise<object | undefined> {
  const taken = fieldsOf(method.toLowerCase(), pattern)
  if (taken.length === 0) return undefined
  const answer = await owner.request('GET', path)
  expect(answer.statusCode, answer.body).toBe(200)
  const values = Object.entries(answer.json().data).filter(([name]) => taken.includes(name))
  expect(values).not.toEqual([])
  return Object.fromEntries(values)
}

const documents = ['openapi.json', 'openapi.people.json'].map((name) =>
  JSON.parse(readFileSync(new URL(`../../../${name}`, import.meta.url), 'utf8')),
)

/** The fields that the body of a route takes, by the printed documents. */
function fieldsOf(method: string, pattern: string): string[] {
  const template = pattern.replace(/:(\w+)/g, '{$1}')
  const [public_, people] = documents
  const operation = public_.paths[`/public/v1${template}`]?.[method] ?? people.paths[`/app/v1${template}`]?.[method]
  expect(operation, pattern).toBeDefined()
  const schema = operation.requestBody?.content['application/json']?.schema
  const name = schema?.$ref?.split('/').at(-1)
  return Object.keys((name ? public_.components.schemas[name] : schema)?.properties ?? {})
}

const standOfFarm = () => standOfAccount(t, account.id, owner.userId)

async function made(path: string, body: object) {
  const answer = await owner.request('POST', path, body)
  expect(answer.statusCode, answer.body).toBe(201)
  return answer.json().data
}

async function change(method: 'PATCH' | 'PUT', path: string, body: object): Promise<void> {
  const answer = await owner.request(method, path, body)
  expect(answer.statusCode, answer.body).toBe(200)
}
const patch = (path: string, body: object) => change('PATCH', path, body)
const put = (path: string, body: object) => change('PUT', path, body)

async function addMaterial(kind: 'components' | 'packaging' | 'parts'): Promise<Edit> {
  const fields = { type: 'screw', name: 'M3', color: 'black', brand: 'Acme', size: '8 mm', location: 'Shelf' }
  const { id } = await made(`/materials/${kind}`, { ...fields, remaining_units: 30, low_threshold: 5 })
  return { path: `/materials/${kind}/${id}` }
}

async function addTask(): Promise<string> {
  const { id } = await made('/worklist', {
    title: 'Wipe the plates',
    task_type: 'maintenance',
    printer_id: farm.printerId,
    estimated_time_minutes: 15,
    due_date: '2026-11-20T09:30:00Z',
  })
  return id
}
