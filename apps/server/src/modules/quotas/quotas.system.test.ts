import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { newId } from '../../kernel/ids.ts'
import { type Quota, quotaNames } from '../../kernel/quotas.ts'
import { createTestApp, type TestAccount, type TestApp } from '../../test/app/test-app.ts'
import { addTestFile, readSlicedFile, upload } from '../../test/farm/sliced-file.ts'
import { addProduct, addSku } from '../../test/farm/test-catalogue.ts'
import { drawImage, postImage } from '../../test/farm/test-images.ts'
import { createTestPerson, type TestPerson } from '../../test/farm/test-person.ts'

let sliced: Buffer
let t: TestApp
beforeAll(async () => {
  sliced = await readSlicedFile()
  t = await startWith({})
})
afterAll(() => t.close())

const generous = Object.fromEntries(quotaNames.map((name) => [name, 1_000])) as Record<Quota, number>

function startWith(limits: Partial<Record<Quota, number>>): Promise<TestApp> {
  return createTestApp({ config: { quotas: { ...generous, ...limits } } })
}

/** Makes one more thing of each kind, in an account that has what it needs. */
const makers: Partial<Record<Quota, (account: TestAccount, number: number) => Promise<{ statusCode: number }>>> = {
  hubs: (account, n) => account.request('POST', '/hubs', { name: `Hub ${n}` }),
  printers: (account, n) =>
    account.request('POST', '/printers', { name: `P${n}`, model: 'MK4S', connection_type: 'virtual' }),
  uploads: (account) => account.request('POST', '/files/upload-url', { filename: 'clip.gcode' }),
  orders: async (account) => {
    const { id } = await addSku(account)
    return account.request('POST', '/orders', { items: [{ product_sku_id: id, quantity: 1, unit_price: 100 }] })
  },
  listing_maps: async (account, n) => {
    const { id } = await addSku(account)
    return account.request('POST', '/listing-maps', { platform: 'etsy', seller_sku: `E-${n}`, product_sku_id: id })
  },
  products: (account, n) => account.request('POST', '/products', { name: `Product ${n}` }),
  skus: async (account, n) => {
    const { id } = await addProduct(account)
    return account.request('POST', '/skus', { product_id: id, sku: `S-${n}` })
  },
  colors: (account, n) => account.request('POST', '/colors', { color_name: `Red ${n}`, hex_code: '#FF0000' }),
  materials: (account) => account.request('POST', '/materials/filament', { type: 'PLA' }),
  tasks: (account) => account.request('POST', '/worklist', { title: 'Collect', task_type: 'collection' }),
  assembly_tasks: async (account) => {
    const { id } = await addSku(account)
    return account.request('POST', '/assembly', { product_sku_id: id, quantity: 1 })
  },
  webhooks: (account) => account.request('POST', '/webhooks', { url: 'https://erp.invalid/' }),
  wiki_articles: (account, n) => account.request('POST', '/wiki', { title: `Article ${n}` }),
  wiki_revisions: async (account, n) => {
    if (n === 0) return account.request('POST', '/wiki', { title: 'Changed' })
    return account.request('PATCH', '/wiki/changed', { title: `Changed ${n}` })
  },
}

/** The same of what people make. */
const peopleMake: Partial<Record<Quota, (owner: TestPerson, number: number) => Promise<{ statusCode: number }>>> = {
  notification_channels: (owner, n) =>
    owner.request('POST', '/notification-channels', {
      kind: 'slack',
      name: `Chat ${n}`,
      url: 'https://chat.invalid/x',
    }),
  notification_rules: (owner, n) =>
    owner.request('POST', '/notification-rules', { name: `People ${n}`, kinds: ['needs_person'] }),
  automation_rules: (owner, n) =>
    owner.request('POST', '/automation-rules', {
      name: `Look ${n}`,
      kinds: ['printer_error'],
      actions: [{ do: 'create_task' }],
    }),
  shops: (owner, n) =>
    owner.request('POST', '/shops', {
      ...{ platform: 'woocommerce', name: `Shop ${n}` },
      ...{ shop: `shop-${n}`, url: `https://shop-${n}.invalid` },
      ...{ consumer_key: 'ck_one', consumer_secret: 'cs_one' },
    }),
}

test('each quota is used up by a test of this file', () => {
  const inTestsOfTheirOwn: Quota[] = ['recipes', 'files', 'jobs', 'storage_mb', 'members', 'api_keys', 'event_streams']
  expect([...Object.keys(makers), ...Object.keys(peopleMake), ...inTestsOfTheirOwn].sort()).toEqual(
    quotaNames.toSorted(),
  )
})

test.each(Object.entries(peopleMake))('the people of an account make so many %s and no more', async (name, make) => {
  const limited = await startWith({ [name]: 3 })
  onTestFinished(() => limited.close())
  const [account, other] = [await limited.account(), await limited.account()]
  const [owner, stranger] = [
    await createTestPerson(limited, account, 'owner'),
    await createTestPerson(limited, other, 'owner'),
  ]
  const statuses: number[] = []
  for (let number = 0; number < 5; number += 1) statuses.push((await make(owner, number)).statusCode)
  // An account has a rule from its first follower on.
  expect(statuses.filter((status) => status === 201).length).toBeGreaterThanOrEqual(2)
  const refused = (await make(owner, 5)) as Awaited<ReturnType<TestPerson['request']>>
  expect(refused.json().error).toMatchObject({ code: 'QUOTA_EXCEEDED', details: { quota: name, limit: 3, used: 3 } })
  expect((await make(stranger, 0)).statusCode).toBe(201)
})

test.each(Object.entries(makers))('an account has so many %s and no more, whatever another has', async (name, make) => {
  const limited = await startWith({ [name]: 3 })
  onTestFinished(() => limited.close())
  const [account, other] = [await limited.account(), await limited.account()]
  const made = []
  for (let n = 0; n < 3; n += 1) made.push((await make(account, n)).statusCode)
  expect(made.every((status) => status < 300)).toBe(true)
  const refused = (await make(account, 3)) as Awaited<ReturnType<TestAccount['request']>>
  expect(refused.statusCode).toBe(409)
  expect(refused.json().error).toMatchObject({
    code: 'QUOTA_EXCEEDED',
    details: { quota: name, limit: 3, used: 3 },
  })
  expect((await make(other, 0)).statusCode).toBeLessThan(300)
})

test('a recipe is refused beyond its quota', async () => {
  const limited = await startWith({ recipes: 1 })
  onTestFinished(() => limited.close())
  const account = await limited.account()
  const { id: print_file_id } = await addTestFile(limited, account, sliced)
  const make = async () =>
    account.request('POST', '/recipes', { product_sku_id: (await addSku(account)).id, print_file_id })
  expect((await make()).statusCode).toBe(201)
  expect((await make()).json().error).toMatchObject({ code: 'QUOTA_EXCEEDED', details: { quota: 'recipes', used: 1 } })
})

test('a file, a job and its retry are refused beyond their quotas, and what is over counts no more', async () => {
  const limited = await startWith({ files: 1, jobs: 2 })
  onTestFinished(() => limited.close())
  const account = await limited.account()
  const file = await addTestFile(limited, account, sliced)
  const second = await account.request('POST', '/files', { upload_token: await upload(limited, account, sliced) })
  expect(second.json().error).toMatchObject({ code: 'QUOTA_EXCEEDED', details: { quota: 'files', limit: 1, used: 1 } })

  const queue = () => account.request('POST', '/jobs', { print_file_id: file.id })
  const first = (await queue()).json().data
  await queue()
  expect((await queue()).json().error).toMatchObject({ code: 'QUOTA_EXCEEDED', details: { quota: 'jobs', used: 2 } })
  const bulk = await account.request('POST', '/jobs/bulk', { jobs: [{ print_file_id: file.id }] })
  expect(bulk.json().data.results[0].error.code).toBe('QUOTA_EXCEEDED')
  await limited.db.sql`
    update jobs set status = 'failed', time_completed = now() where account_id = ${account.id} and id = ${first.id}`
  expect((await queue()).statusCode).toBe(201)
  expect((await account.request('POST', `/jobs/${first.id}/retry`)).json().error.code).toBe('QUOTA_EXCEEDED')
  await limited.db.sql`
    update jobs set status = 'cancelled', time_completed = now()
    where account_id = ${account.id} and status = 'queued'`
  expect((await account.request('POST', `/jobs/${first.id}/retry`)).statusCode).toBe(200)
})

test('files and images together have so many bytes, counted before and after they come', async () => {
  const limited = await startWith({ storage_mb: 2 })
  onTestFinished(() => limited.close())
  const account = await limited.account()
  const announced = await account.request('POST', '/files/upload-url', { filename: 'a.gcode', size_bytes: 2_500_000 })
  expect(announced.json().error).toMatchObject({ code: 'QUOTA_EXCEEDED', details: { quota: 'storage_mb', limit: 2 } })
  const put = async (size: number) => {
    const made = await account.request('POST', '/files/upload-url', { filename: 'a.gcode' })
    const { pathname } = new URL(made.json().data.upload_url)
    return limited.app.inject({ method: 'PUT', url: pathname, payload: Buffer.alloc(size, 'G1\n') })
  }
  expect((await put(2_100_000)).json().error.code).toBe('QUOTA_EXCEEDED')
  expect((await put(900_000)).statusCode).toBe(200)
  expect((await put(900_001)).statusCode).toBe(200)
  const product = await addProduct(account)
  const image = await postImage(limited, account, product.id, Buffer.concat([await drawImage(), Buffer.alloc(300_000)]))
  expect(image.json().error.code).toBe('QUOTA_EXCEEDED')
  expect((await put(300_000)).json().error.code).toBe('QUOTA_EXCEEDED')
})

test('members with open invitations, keys and streams are limited too', async () => {
  const limited = await startWith({ members: 2, api_keys: 2, event_streams: 0 })
  onTestFinished(() => limited.close())
  const account = await limited.account()
  const owner = await createTestPerson(limited, account, 'owner')
  const invite = (n: number) => owner.request('POST', '/invitations', { email: `p${n}@example.com`, role: 'viewer' })
  expect((await invite(1)).statusCode).toBe(201)
  expect((await invite(2)).json().error).toMatchObject({
    code: 'QUOTA_EXCEEDED',
    details: { quota: 'members', used: 2 },
  })
  const makeKey = () => owner.request('POST', '/api-keys', { name: 'shop', scopes: ['read'] })
  expect((await makeKey()).statusCode).toBe(201)
  expect((await makeKey()).json().error).toMatchObject({ details: { quota: 'api_keys', limit: 2, used: 2 } })
  expect((await account.request('GET', '/events/stream')).json().error.code).toBe('STREAM_LIMIT_REACHED')
})

test('far from its limit an account is not counted for each request, and the limit still holds', async () => {
  const limited = await startWith({ colors: 40 })
  onTestFinished(() => limited.close())
  const account = await limited.account()
  const add = async (n: number) => (await makers.colors?.(account, n))?.statusCode
  const statuses: unknown[] = []
  for (let n = 0; n < 42; n += 1) statuses.push(await add(n))
  expect(statuses.filter((status) => status === 201)).toHaveLength(40)
  expect(statuses.slice(40)).toEqual([409, 409])
})

test('what another process adds is counted after a minute', async () => {
  let now = new Date()
  const limited = await createTestApp({
    config: { quotas: { ...generous, products: 40 } },
    context: { clock: { now: () => now } },
  })
  onTestFinished(() => limited.close())
  const account = await limited.account()
  const add = async (n: number) => (await makers.products?.(account, n))?.statusCode
  expect(await add(0)).toBe(201)
  for (let n = 1; n < 40; n += 1) {
    await limited.db.sql`
      insert into products (account_id, id, name) values (${account.id}, ${newId('product')}, ${`Elsewhere ${n}`})`
  }
  // Half of the room that it has counted is this process's own for that time.
  expect(await add(1)).toBe(201)
  now = new Date(now.getTime() + 60_000)
  expect(await add(2)).toBe(409)
})

test('an admin sees what the account uses of each quota; no one of another account counts', async () => {
  const account = await t.account()
  await makers.products?.(account, 1)
  await makers.products?.(await t.account(), 1)
  const admin = await createTestPerson(t, account, 'admin')
  const answer = await admin.request('GET', '/account/usage')
  const usage: { quota: Quota; used: number; limit: number }[] = answer.json().data.quotas
  expect(usage.map(({ quota }) => quota)).toEqual(quotaNames)
  const used = Object.fromEntries(usage.map((each) => [each.quota, each.used]))
  expect(used).toMatchObject({ products: 1, api_keys: 1, members: 1, skus: 0, storage_mb: 0 })
})
