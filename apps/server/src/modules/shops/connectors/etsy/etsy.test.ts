import { createHmac } from 'node:crypto'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { Json } from '../../../../db/database.ts'
import { systemClock } from '../../../../kernel/clock.ts'
import { createTargetPolicy } from '../../../../kernel/target-policy.ts'
import { etsyMoney, etsyTransaction, openTestEtsy } from '../../../../test/services/test-etsy.ts'
import type { ShopOrder } from '../../../orders/from-shop/shop-order.ts'
import { createSender } from '../../../outbound/send-request.ts'
import type { ConnectedShop, Parcel, ShopSettings } from '../contract/connector.ts'
import { createShopClient, type ShopClient, type ShopTokens, type TokenKeeper } from '../contract/shop-client.ts'
import { etsy } from './etsy.ts'
import { readEtsyMoney, readReceipt } from './read-receipt.ts'

const sender = createSender({
  policy: createTargetPolicy('127.0.0.1'),
  resolve: async () => [{ address: '127.0.0.1', family: 4 }],
  clock: systemClock,
  userAgent: 'test',
})

let shop: Awaited<ReturnType<typeof openTestEtsy>>
let client: ShopClient
let connected: ConnectedShop
let stored: ShopTokens

/** What the database keeps, for one process. */
const keeper: TokenKeeper = {
  find: async () => stored,
  async renew(used, ask) {
    if (stored.refresh_token === used.refresh_token) stored = await ask(used)
    return stored
  },
}

const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString()
beforeEach(async () => {
  shop = await openTestEtsy()
  onTestFinished(async () => {
    await shop.close()
  })
  stored = { access_token: 'access-0', refresh_token: 'refresh-0', expires_at: inAnHour() }
  client = createShopClient(sender, systemClock, { secrets: ['shared-secret-1'], kept: new Map(), tokens: keeper })
  connected = {
    url: shop.url,
    settings: { webhook_secret: 'hook-secret', keystring: shop.keystring, shared_secret: shop.sharedSecret },
    personalisationNames: [],
  }
})

async function readAll(from: Json = etsy.firstCursor(new Date(0))): Promise<{ ids: string[]; cursor: Json }> {
  const ids: string[] = []
  let cursor = from
  for (let pages = 0; pages < 50; pages += 1) {
    const page = await etsy.readPage(client, connected, cursor)
    ids.push(...page.orders.map(({ external_id }) => external_id))
    cursor = page.cursor
    if (page.isLast) return { ids, cursor }
  }
  throw new Error('the list has no end')
}

describe('a receipt', () => {
  const read = (fields: object = {}, names: string[] = []) =>
    readReceipt({ ...shop.addReceipt(fields) }, names) as ShopOrder

  test('says what was ordered, what the customer wants on it, and what it costs', () => {
    const order = read({ message_from_buyer: 'Please ring', total_vat_cost: etsyMoney(190) })
    expect(order).toMatchObject({
      state: 'open',
      fields: { currency: 'EUR', total_revenue: 3000, shipping_cost: 500, tax_amount: 190, notes: 'Please ring' },
    })
    expect(order.fields).toMatchObject({
      customer_name: 'Ann Example',
      customer_email: '',
      shipping_street: 'Street 1',
    })
    expect(order.lines).toEqual([
      {
        ...{ external_id: '3001', sku: 'SIGN-OAK', listing_id: '501', variation: 'Colour: Oak' },
        ...{ product_name: 'Name sign, oak', quantity: 2, unit_price: 1250 },
        personalisation: [{ name: 'Personalization', value: 'Ann' }],
      },
    ])
  })

  test('takes answers to every question of a listing, and not the words for no answer', () => {
    const answer = (id: number, formatted_name: string, formatted_value: string) => ({
      ...{ property_id: 0, value_id: null, question_id: id, formatted_name, formatted_value },
    })
    const variations = [
      answer(1, 'Name', 'Ann'),
      answer(2, 'Font', 'Serif'),
      { ...answer(3, 'Personalization', 'Not requested on this item.'), property_id: 54, question_id: null },
    ]
    const [line] = read({ transactions: [etsyTransaction({ variations })] }).lines
    expect(line?.personalisation).toEqual([
      { name: 'Name', value: 'Ann' },
      { name: 'Font', value: 'Serif' },
    ])
    expect(line?.variation).toBeUndefined()
  })

  test.each([
    [{ is_paid: false, status: 'open' }, 'waiting'],
    [{ is_paid: false, status: 'payment processing' }, 'waiting'],
    [{ status: 'paid' }, 'open'],
    [{ status: 'Canceled' }, 'cancelled'],
    [{ status: 'Fully Refunded' }, 'refunded'],
    [{ status: 'partially refunded' }, 'open'],
    [{ status: 'completed', is_shipped: true }, 'done'],
  ])('with %j is %s', (fields, state) => {
    expect(read(fields).state).toBe(state)
  })

  test('is worth what was not refunded, and digital things are not made', () => {
    const refunds = [{ amount: etsyMoney(1000), reason: 'one was broken' }]
    const transactions = [etsyTransaction(), etsyTransaction({ transaction_id: 3002, is_digital: true })]
    const order = read({ refunds, transactions, status: 'partially refunded' })
    expect(order.fields.total_revenue).toBe(2000)
    expect(order.lines.map(({ quantity }) => quantity)).toEqual([2, 0])
  })

  test('without an amount or currency is told of, and no error', () => {
    expect(readReceipt({ receipt_id: 1, grandtotal: null }, [])).toMatchObject({
      external_id: '1',
      problem: expect.any(String),
    })
  })

  test('money is read by its divisor', () => {
    expect(readEtsyMoney({ amount: 1250, divisor: 100 }, 'EUR')).toBe(1250)
    expect(readEtsyMoney({ amount: 1250, divisor: 1 }, 'JPY')).toBe(1250)
    expect(readEtsyMoney({ amount: 125_000, divisor: 100 }, 'JPY')).toBe(1250)
    expect(() => readEtsyMoney({ amount: '12', divisor: 100 }, 'EUR')).toThrow()
  })
})

describe('reading', () => {
  test('takes each receipt, while the list changes under the reader', async () => {
    for (let n = 0; n < 75; n += 1) {
      shop.now += 10
      shop.addReceipt()
    }
    // More in one second than a page has.
    for (let n = 0; n < 130; n += 1) shop.addReceipt()
    const all = [...shop.receipts.keys()].map(String)
    let pages = 0
    shop.afterPage = () => {
      pages += 1
      if (pages > 5) return
      shop.now += 60
      for (const id of [all[pages * 7], all[90 + pages], all[160 + pages]])
        shop.change(Number(id), { name: `changed ${pages}` })
    }
    const { ids, cursor } = await readAll()
    expect(new Set(ids)).toEqual(new Set(all))
    shop.afterPage = () => undefined
    // Nothing but the overlap comes again.
    expect((await readAll(cursor)).ids.length).toBeLessThan(all.length)
  })

  test('stops where it is when Etsy asks for time, and when it answers nonsense', async () => {
    shop.addReceipt()
    await etsy.test(client, connected)
    shop.interfere = () => ({ status: 429, headers: { 'retry-after': '7' } })
    await expect(readAll()).rejects.toMatchObject({ kind: 'busy', retryAfterMs: 7_000 })
    shop.interfere = () => ({ status: 500 })
    await expect(readAll()).rejects.toMatchObject({ kind: 'away' })
    shop.interfere = () => ({ status: 200, body: '<html>' })
    await expect(readAll()).rejects.toMatchObject({ kind: 'unlike' })
  })

  test('knows one receipt, and one that is not there', async () => {
    const { receipt_id } = shop.addReceipt()
    expect(await etsy.readOrder(client, connected, String(receipt_id))).toMatchObject({
      external_id: String(receipt_id),
    })
    expect(await etsy.readOrder(client, connected, '1')).toBeUndefined()
  })
})

describe('tokens', () => {
  test('are renewed before they end, and what renews them is kept', async () => {
    stored = { ...stored, expires_at: new Date(Date.now() + 60_000).toISOString() }
    expect(await etsy.test(client, connected)).toBe('OakSigns')
    expect(stored).toMatchObject({ access_token: 'access-1', refresh_token: 'refresh-1' })
    expect(shop.tokensGiven).toBe(1)
  })

  test('that end early are renewed once', async () => {
    shop.accessToken = 'another'
    expect(await etsy.test(client, connected)).toBe('OakSigns')
    expect(shop.tokensGiven).toBe(1)
  })

  test('that renew nothing any more need the person', async () => {
    shop.accessToken = 'another'
    shop.refreshToken = 'another'
    await expect(etsy.test(client, connected)).rejects.toMatchObject({
      kind: 'credentials',
      message: expect.stringContaining('again'),
    })
  })

  test('go to Etsy alone', () => {
    const keys = { keystring: 'a', shared_secret: 'b' }
    expect(etsy.findProblem(keys, 'https://openapi.etsy.com')).toBeUndefined()
    expect(etsy.findProblem(keys, 'https://openapi.etsy.com.example.com')).toHaveProperty('url')
    expect(etsy.findProblem({ keystring: 'a' }, 'https://openapi.etsy.com')).toHaveProperty('shared_secret')
  })
})

describe('a parcel', () => {
  const parcelOf = (receipt: number, more: Partial<Parcel> = {}): Parcel => ({
    ...{
      shipmentId: 'shp_1',
      orderInShop: String(receipt),
      carrier: 'DHL Germany',
      trackingNumber: 'T-1',
      trackingUrl: '',
    },
    ...{ lines: [], isLast: true },
    ...more,
  })

  test('is told once, whatever becomes of the answer: each time Etsy mails the buyer', async () => {
    const { receipt_id } = shop.addReceipt()
    shop.dropAfter = '/tracking'
    await expect(etsy.pushParcel(client, connected, parcelOf(receipt_id))).rejects.toMatchObject({ kind: 'away' })
    await etsy.pushParcel(client, connected, parcelOf(receipt_id))
    await etsy.pushParcel(client, connected, parcelOf(receipt_id))
    expect(shop.mails).toEqual([{ receipt: receipt_id, tracking: 'T-1' }])
    expect(shop.receipts.get(receipt_id)?.shipments).toEqual([{ tracking_code: 'T-1', carrier_name: 'dhl-germany' }])
  })

  test('without a number marks the receipt as shipped with the last one alone', async () => {
    const { receipt_id } = shop.addReceipt()
    await etsy.pushParcel(client, connected, parcelOf(receipt_id, { trackingNumber: '', isLast: false }))
    expect(shop.mails).toEqual([])
    await etsy.pushParcel(client, connected, parcelOf(receipt_id, { trackingNumber: '' }))
    await etsy.pushParcel(client, connected, parcelOf(receipt_id, { trackingNumber: '' }))
    expect(shop.mails).toHaveLength(1)
  })
})

describe('stock', () => {
  const offering = (quantity: number) => ({
    offering_id: 1,
    quantity,
    is_enabled: true,
    is_deleted: false,
    price: etsyMoney(1250),
  })
  beforeEach(() => {
    const values = (id: number) => [
      { property_id: 200, property_name: 'Colour', value_ids: [id], scale_name: null, values: ['x'] },
    ]
    shop.inventory.set(501, {
      products: [
        { product_id: 1, sku: 'SIGN-OAK', is_deleted: false, property_values: values(1), offerings: [offering(3)] },
        { product_id: 2, sku: 'SIGN-PINE', is_deleted: false, property_values: values(2), offerings: [offering(8)] },
      ],
    })
  })
  const listing = { seller_sku: 'SIGN-OAK', listing_id: '', variation: '' }

  test('is found by the code, set for one product, and the others stay', async () => {
    const found = await etsy.findStock(client, connected, listing)
    expect(found?.level).toBe(3)
    expect(await etsy.setStock(client, connected, found?.place ?? null, 5)).toBe('set')
    expect(await etsy.findStock(client, connected, listing)).toMatchObject({ level: 5 })
    expect(await etsy.findStock(client, connected, { ...listing, seller_sku: 'SIGN-PINE' })).toMatchObject({ level: 8 })
    const put = shop.asked.find(({ method }) => method === 'PUT')?.body as {
      products: { offerings: { price: number }[] }[]
    }
    expect(put.products[0]?.offerings[0]?.price).toBe(12.5)
    expect(JSON.stringify(put)).not.toMatch(/product_id|offering_id|is_deleted|scale_name/)
  })

  test('that moved meanwhile is left alone', async () => {
    const found = await etsy.findStock(client, connected, listing)
    const [oak] = shop.inventory.get(501)?.products ?? []
    if (oak) oak.offerings = [offering(2)]
    expect(await etsy.setStock(client, connected, found?.place ?? null, 5)).toBe('moved')
    expect(shop.asked.filter(({ method }) => method === 'PUT')).toEqual([])
  })

  test('is found where the code has moved to, and which listing has it is looked up once', async () => {
    expect(await etsy.findStock(client, connected, listing)).toMatchObject({ level: 3 })
    await etsy.findStock(client, connected, listing)
    const looks = () => shop.asked.filter(({ path }) => path.endsWith('/listings/active')).length
    expect(looks()).toBe(1)
    const products = shop.inventory.get(501)?.products ?? []
    // The seller makes a listing of its own of it; then ends that one, and puts it back.
    shop.inventory.set(501, { products: products.slice(1) })
    shop.inventory.set(502, { products: [{ ...products[0], offerings: [offering(6)] }] })
    expect(await etsy.findStock(client, connected, listing)).toMatchObject({ level: 6, place: { listing: '502' } })
    await etsy.findStock(client, connected, listing)
    expect(looks()).toBe(2)
    shop.inventory.delete(502)
    expect(await etsy.findStock(client, connected, listing)).toBeUndefined()
    shop.inventory.set(501, { products })
    expect(await etsy.findStock(client, connected, listing)).toMatchObject({ level: 3, place: { listing: '501' } })
  })

  test('is that of the shop of the person who let us in last', async () => {
    expect(await etsy.findStock(client, connected, listing)).toMatchObject({ level: 3 })
    shop.shopId = 78
    shop.inventory.clear()
    shop.inventory.set(601, { products: [{ product_id: 9, sku: 'SIGN-OAK', offerings: [offering(4)] }] })
    // Nothing of the former shop is shown to that person.
    shop.interfere = ({ path }) => (path.includes('/501/') ? { status: 403 } : undefined)
    shop.accessToken = 'access of another person'
    stored = { ...stored, access_token: shop.accessToken }
    expect(await etsy.findStock(client, connected, listing)).toMatchObject({ level: 4, place: { listing: '601' } })
    expect(await etsy.test(client, connected)).toBe('OakSigns')
  })

  test('of what is not sold there is none', async () => {
    expect(await etsy.findStock(client, connected, { ...listing, seller_sku: 'NONE' })).toBeUndefined()
  })
})

describe('a webhook', () => {
  const key = Buffer.from('0123456789abcdef01234567')
  const secret = `whsec_${key.toString('base64')}`
  // Spelled as we would not: the signature is of the bytes as they came.
  const body =
    '{ "event_type": "order.paid", "shop_id": 1.0,\n  "resource_url": "https://api.etsy.com/v3/application/shops/1/receipts/77" }'
  const read = (settings: Partial<ShopSettings>, headers: Record<string, string>) =>
    etsy.readHook({ settings: { ...connected.settings, ...settings } }, { headers, body: Buffer.from(body) })
  const headersOf = ({
    at = Date.now(),
    by = key as Buffer | string,
    timestamp = String(Math.floor(at / 1_000)),
  } = {}) => {
    const signature = createHmac('sha256', by).update(`msg_1.${timestamp}.${body}`).digest('base64')
    return { 'webhook-id': 'msg_1', 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` }
  }
  const refused = { kind: 'refused' }

  test('names the receipt that changed, when it is signed by the key in the secret, and fresh', () => {
    const signed = headersOf()
    expect(read({ signing_secret: secret }, signed)).toEqual({ kind: 'changed', externalId: '77' })
    const several = { ...signed, 'webhook-signature': `v1a,AAAA v1,AAAA ${signed['webhook-signature']}` }
    expect(read({ signing_secret: secret }, several)).toEqual({ kind: 'changed', externalId: '77' })
    const otherVersion = { ...signed, 'webhook-signature': signed['webhook-signature'].replace('v1,', 'v2,') }
    expect(read({ signing_secret: secret }, otherVersion)).toEqual(refused)
    expect(read({ signing_secret: secret }, headersOf({ by: 'another' }))).toEqual(refused)
    expect(read({ signing_secret: secret }, headersOf({ by: secret }))).toEqual(refused)
    expect(read({ signing_secret: secret }, headersOf({ at: Date.now() - 600_000 }))).toEqual(refused)
    expect(read({ signing_secret: secret }, headersOf({ timestamp: 'soon' }))).toEqual(refused)
    expect(read({ signing_secret: secret }, {})).toEqual(refused)
  })

  test('is not taken where no secret was entered, whichever key signed it', () => {
    expect(read({}, headersOf({ by: connected.settings.webhook_secret }))).toEqual(refused)
    expect(read({}, headersOf({ by: '' }))).toEqual(refused)
  })

  test('a secret that is not one of Etsy is refused when it is entered', () => {
    const keys = { keystring: 'k', shared_secret: 's' }
    const url = 'https://openapi.etsy.com'
    expect(etsy.findProblem({ ...keys, signing_secret: secret }, url)).toBeUndefined()
    expect(etsy.findProblem(keys, url)).toBeUndefined()
    for (const wrong of ['whsec_', 'whsec_AAAA', key.toString('base64'), `${secret} `]) {
      expect(etsy.findProblem({ ...keys, signing_secret: wrong }, url)).toHaveProperty('signing_secret')
    }
  })
})
