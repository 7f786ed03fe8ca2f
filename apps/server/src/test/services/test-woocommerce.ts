import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A line of an order as the REST API v3 has it. */
interface WooLine {
  id: number
  name: string
  product_id: number
  variation_id: number
  quantity: number
  subtotal: string
  total: string
  sku: string
  meta_data: { id: number; key: string; value: unknown; display_key?: string; display_value?: string }[]
}

interface WooOrder {
  id: number
  number: string
  status: string
  currency: string
  date_created_gmt: string
  date_modified_gmt: string
  date_paid_gmt: string | null
  total: string
  shipping_total: string
  total_tax: string
  discount_total: string
  customer_note: string
  billing: Record<string, string>
  shipping: Record<string, string>
  meta_data: { id: number; key: string; value: unknown }[]
  line_items: WooLine[]
  refunds: { id: number; reason: string; total: string }[]
}

interface Came {
  method: string
  path: string
  query: URLSearchParams
  body: Record<string, unknown> | undefined
}

/**
 * How a request is answered in the place of the shop. `status`: so, and nothing is done; `drop`: the connection breaks after it was done;
 * `hang`: it was done, and is never answered.
 */
type Interference = { status: number; headers?: Record<string, string>; body?: string } | 'drop' | 'hang' | undefined

/**
 * A shop by the public documentation of the WooCommerce REST API v3: pages of orders by their last change, refunds, notes, products,
 * webhooks, and keys that are shown by OAuth 1.0a, as it asks for without TLS.
 */
export async function openTestWooCommerce(keys = { consumer_key: 'ck_shop', consumer_secret: 'cs_shop_secret' }) {
  const orders = new Map<number, WooOrder>()
  const refunds = new Map<number, object[]>()
  const notes = new Map<number, { id: number; note: string; customer_note: boolean }[]>()
  const products = new Map<number, Record<string, unknown>>()
  const nonces = new Set<string>()
  let nextId = 1000
  const shop = {
    url: '',
    ...keys,
    orders,
    notes,
    products,
    /** All that was let in, in its order. */
    came: [] as Came[],
    /** What the shop mailed to customers. */
    mails: [] as string[],
    /** Its clock, which may be another than ours. */
    now: Date.now(),
    /** Looked at before and after what a request does; the answer waits for the second. */
    interfere: (_came: Came): Interference => undefined,
    afterPage: (_came: Came): void | Promise<void> => undefined,
    /** The second of its clock, as it writes it. */
    time: () => new Date(shop.now).toISOString().slice(0, 19),
    addOrder(fields: Partial<WooOrder> & { lines?: Partial<WooLine>[] } = {}): WooOrder {
      nextId += 1
      const { lines = [{}], ...given } = fields
      const id = given.id ?? nextId
      const order: WooOrder = {
        id,
        number: String(id),
        status: 'processing',
        currency: 'EUR',
        date_created_gmt: shop.time(),
        date_modified_gmt: shop.time(),
        date_paid_gmt: shop.time(),
        total: '12.50',
        shipping_total: '2.50',
        total_tax: '0.00',
        discount_total: '0.00',
        customer_note: '',
        billing: {
          first_name: 'Kim',
          last_name: 'Customer',
          email: 'kim@example.com',
          phone: '1',
          address_1: '1 Bill St',
          city: 'Bern',
          postcode: '3000',
          country: 'CH',
        },
        shipping: {
          first_name: 'Kim',
          last_name: 'Customer',
          address_1: '2 Ship St',
          city: 'Basel',
          postcode: '4000',
          country: 'CH',
        },
        meta_data: [],
        line_items: lines.map((line) => {
          nextId += 1
          return {
            id: nextId,
            name: 'Clip',
            product_id: 7,
            variation_id: 0,
            quantity: 1,
            subtotal: '10.00',
            total: '10.00',
            sku: '',
            meta_data: [],
            ...line,
          }
        }),
        refunds: [],
        ...given,
      }
      orders.set(id, order)
      return order
    },
    change(id: number, change: Partial<WooOrder>): void {
      Object.assign(known(id), change, { date_modified_gmt: shop.time() })
    },
    refund(id: number, amount: string, lines: { line: number; quantity: number }[]): void {
      nextId += 1
      const order = known(id)
      const line_items = lines.map(({ line, quantity }) => ({
        quantity: -quantity,
        meta_data: [{ id: 1, key: '_refunded_item_id', value: String(line) }],
      }))
      refunds.set(id, [...(refunds.get(id) ?? []), { id: nextId, amount, line_items }])
      shop.change(id, { refunds: [...order.refunds, { id: nextId, reason: '', total: `-${amount}` }] })
    },
    /** A webhook as the shop signs it. */
    hook(secret: string, topic: string, payload: object) {
      const body = JSON.stringify(payload)
      const signature = createHmac('sha256', secret).update(body).digest('base64')
      return {
        body,
        headers: {
          'content-type': 'application/json',
          'x-wc-webhook-topic': topic,
          'x-wc-webhook-signature': signature,
        },
      }
    },
    close: async () => {
      server.closeAllConnections()
      server.close()
    },
  }

  function known(id: number): WooOrder {
    const order = orders.get(id)
    if (!order) throw new Error(`the shop has no order ${id}`)
    return order
  }

  const encoded = (text: string) =>
    encodeURIComponent(text).replaceAll(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)

  /** Answers why a request is not let in. */
  function refusal(method: string, url: URL): string | undefined {
    const given = [...url.searchParams.entries()]
    const of = (name: string) => url.searchParams.get(`oauth_${name}`) ?? ''
    if (of('consumer_key') !== keys.consumer_key) return 'Consumer key is invalid.'
    if (Math.abs(Number(of('timestamp')) * 1_000 - Date.now()) > 15 * 60_000) return 'Invalid timestamp.'
    if (nonces.has(of('nonce'))) return 'Invalid nonce - nonce has already been used.'
    nonces.add(of('nonce'))
    const text = given
      .filter(([name]) => name !== 'oauth_signature')
      .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
      .sort()
      .join('&')
    const base = `${method}&${encoded(`${url.origin}${url.pathname}`)}&${encoded(text)}`
    const wanted = createHmac('sha256', `${keys.consumer_secret}&`).update(base).digest('base64')
    return of('signature') === wanted ? undefined : 'Invalid signature - provided signature does not match.'
  }

  const error = (status: number, code: string, message: string) => ({
    status,
    body: { code, message, data: { status } },
  })
  const missing = () => error(404, 'rest_no_route', 'No route was found matching the URL and request method.')

  function listOrders(query: URLSearchParams) {
    const perPage = Number(query.get('per_page') ?? 10)
    if (!(perPage >= 1 && perPage <= 100)) return error(400, 'rest_invalid_param', 'Invalid parameter(s): per_page')
    const offset = Number(query.get('offset') ?? 0)
    const after = query.get('modified_after')
    if (after !== null && query.get('dates_are_gmt') !== 'true')
      return error(400, 'test', 'the bound would be read as site time')
    const rows = [...orders.values()]
      .filter(({ status, date_modified_gmt: at }) => status !== 'trash' && (after === null || at > after))
      .sort((one, other) =>
        one.date_modified_gmt < other.date_modified_gmt
          ? -1
          : one.date_modified_gmt > other.date_modified_gmt
            ? 1
            : one.id - other.id,
      )
    return { status: 200, body: rows.slice(offset, offset + perPage) }
  }

  function act({ method, path, query, body }: Came): { status: number; body: unknown } {
    if (path === '/wp-json/') return { status: 200, body: { name: 'Test shop', namespaces: ['wc/v3'] } }
    if (path === '/wp-json/wc/v3/orders') return listOrders(query)
    const [, id, below] = /^\/wp-json\/wc\/v3\/orders\/(\d+)(?:\/(refunds|notes))?$/.exec(path) ?? []
    if (id !== undefined) {
      const order = orders.get(Number(id))
      if (!order) return error(404, 'woocommerce_rest_shop_order_invalid_id', 'Invalid ID.')
      if (below === 'refunds') return { status: 200, body: refunds.get(order.id) ?? [] }
      if (below === 'notes') {
        const list = notes.get(order.id) ?? []
        if (method === 'GET') return { status: 200, body: list }
        const note = { id: ++nextId, note: String(body?.note), customer_note: body?.customer_note === true }
        notes.set(order.id, [...list, note])
        if (note.customer_note) shop.mails.push(`note ${order.id}`)
        return { status: 201, body: note }
      }
      if (method === 'PUT') {
        if (body?.status === 'completed' && order.status !== 'completed') shop.mails.push(`completed ${order.id}`)
        const { meta_data = [], ...rest } = (body ?? {}) as Partial<WooOrder>
        const kept = order.meta_data.filter(({ key }) => !meta_data.some((meta) => meta.key === key))
        shop.change(order.id, {
          ...rest,
          meta_data: [...kept, ...meta_data.map((meta) => ({ ...meta, id: ++nextId }))],
        })
      }
      return { status: 200, body: orders.get(order.id) }
    }
    if (path === '/wp-json/wc/v3/products') {
      return { status: 200, body: [...products.values()].filter((product) => product.sku === query.get('sku')) }
    }
    const [, product, variation] = /^\/wp-json\/wc\/v3\/products\/(\d+)(?:\/variations\/(\d+))?$/.exec(path) ?? []
    const found = products.get(Number(variation ?? product))
    if (product === undefined || !found) return missing()
    if (method === 'PUT') Object.assign(found, body)
    return { status: 200, body: found }
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const url = new URL(request.url ?? '', `http://${request.headers.host}`)
    const method = request.method ?? ''
    const send = (status: number, body: unknown, headers: Record<string, string> = {}) =>
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
    const refused = refusal(method, url)
    if (refused !== undefined) {
      send(401, { code: 'woocommerce_rest_authentication_error', message: refused, data: { status: 401 } })
      return
    }
    const text = Buffer.concat(chunks).toString('utf8')
    const came = {
      method,
      path: url.pathname,
      query: url.searchParams,
      body: text === '' ? undefined : JSON.parse(text),
    }
    shop.came.push(came)
    const interference = shop.interfere(came)
    if (typeof interference === 'object') {
      response.writeHead(interference.status, interference.headers).end(interference.body ?? '')
      return
    }
    const { status, body } = act(came)
    const sent = JSON.stringify(body)
    await shop.afterPage(came)
    if (interference === 'drop') response.destroy()
    else if (interference === undefined)
      response
        .writeHead(status, { 'content-type': 'application/json', date: new Date(shop.now).toUTCString() })
        .end(sent)
  }

  const server = createServer((request, response) => void answer(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  shop.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return shop
}
