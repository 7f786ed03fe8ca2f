import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A receipt as the Open API v3 answers it; fields that a test leaves out have ordinary values. */
interface EtsyReceipt {
  receipt_id: number
  updated_timestamp: number
  [field: string]: unknown
}

interface Asked {
  method: string
  path: string
  query: URLSearchParams
  body: unknown
}

export const etsyMoney = (amount: number, divisor = 100) => ({ amount, divisor, currency_code: 'EUR' })

/** A transaction of the public documentation: a chosen option, and what the customer wants on the piece. */
export const etsyTransaction = (fields: object = {}) => ({
  transaction_id: 3001,
  title: 'Name sign, oak',
  quantity: 2,
  listing_id: 501,
  product_id: 77_001,
  sku: 'SIGN-OAK',
  price: etsyMoney(1250),
  is_digital: false,
  product_data: [],
  variations: [
    { property_id: 200, value_id: 9, formatted_name: 'Colour', formatted_value: 'Oak', question_id: null },
    { property_id: 54, value_id: null, formatted_name: 'Personalization', formatted_value: 'Ann', question_id: null },
  ],
  ...fields,
})

/** Etsy by its public documentation of the Open API v3, as far as the connector asks it. */
export async function openTestEtsy() {
  const etsy = {
    url: '',
    keystring: 'keystring-1',
    sharedSecret: 'shared-secret-1',
    shopId: 9001,
    receipts: new Map<number, EtsyReceipt>(),
    /** Seconds since 1970, by the clock of Etsy. */
    now: Math.floor(Date.now() / 1_000) - 3_600,
    /** Buyers are mailed once for each. */
    mails: [] as { receipt: number; tracking: string | undefined }[],
    inventory: new Map<number, { products: Record<string, unknown>[] }>(),
    asked: [] as Asked[],
    tokensGiven: 0,
    refreshToken: 'refresh-0',
    accessToken: 'access-0',
    /** Of the page on which a person lets a program in: the code that it gives, and what it was asked with. */
    codes: new Map<string, { challenge: string; redirectUri: string }>(),
    /** Answers in the place of Etsy. `hang`: nothing is done, and no answer comes. */
    interfere: (
      _asked: Asked,
    ): { status: number; body?: string; headers?: Record<string, string> } | 'hang' | undefined => undefined,
    /** After an answer of a page was made. */
    afterPage: (): void => undefined,
    /** The answer to such a call is lost, after it took effect. */
    dropAfter: '',
    addReceipt(fields: object = {}): EtsyReceipt {
      const receipt_id = 2_000_000 + etsy.receipts.size
      const receipt = {
        receipt_id,
        updated_timestamp: etsy.now,
        created_timestamp: etsy.now,
        status: 'paid',
        ...{ is_paid: true, is_shipped: false, is_gift: false, message_from_buyer: null, gift_message: '' },
        ...{ name: 'Ann Example', first_line: 'Street 1', second_line: null, city: 'Bonn', state: null, zip: '53111' },
        ...{ country_iso: 'DE', buyer_email: null },
        grandtotal: etsyMoney(3000),
        total_shipping_cost: etsyMoney(500),
        total_tax_cost: etsyMoney(0),
        total_vat_cost: etsyMoney(0),
        discount_amt: etsyMoney(0),
        ...{ shipments: [], refunds: [], transactions: [etsyTransaction()] },
        ...fields,
      }
      etsy.receipts.set(receipt_id, receipt)
      return receipt
    },
    change(id: number, fields: object): void {
      const receipt = etsy.receipts.get(id)
      if (receipt) Object.assign(receipt, fields, { updated_timestamp: etsy.now })
    },
    /** A person lets the program in that asked by this address; answers what the browser is sent back with. */
    letIn(authorisationUrl: string): { code: string; state: string } {
      const asked = new URL(authorisationUrl).searchParams
      const code = randomBytes(8).toString('hex')
      etsy.codes.set(code, {
        challenge: asked.get('code_challenge') ?? '',
        redirectUri: asked.get('redirect_uri') ?? '',
      })
      return { code, state: asked.get('state') ?? '' }
    },
    close: async () => undefined as unknown,
  }

  const giveTokens = () => {
    etsy.tokensGiven += 1
    etsy.accessToken = `access-${etsy.tokensGiven}`
    etsy.refreshToken = `refresh-${etsy.tokensGiven}`
    return { access_token: etsy.accessToken, refresh_token: etsy.refreshToken, expires_in: 3600, token_type: 'Bearer' }
  }
  const refused = (status: number, error: string) => ({ status, body: { error } })

  function answerToken(body: Record<string, string>): { status: number; body: object } {
    if (body.client_id !== etsy.keystring) return refused(400, 'invalid_client')
    if (body.grant_type === 'refresh_token') {
      // It counts once.
      return body.refresh_token === etsy.refreshToken
        ? { status: 200, body: giveTokens() }
        : refused(400, 'invalid_grant')
    }
    const code = etsy.codes.get(body.code ?? '')
    const challenge = createHash('sha256')
      .update(body.code_verifier ?? '')
      .digest('base64url')
    etsy.codes.delete(body.code ?? '')
    const isRight = code?.challenge === challenge && code.redirectUri === body.redirect_uri
    return isRight ? { status: 200, body: giveTokens() } : refused(400, 'invalid_grant')
  }

  function listReceipts(query: URLSearchParams): object {
    const from = Number(query.get('min_last_modified') ?? 0)
    const rows = [...etsy.receipts.values()]
      .filter(({ updated_timestamp: at }) => at >= from)
      .sort((a, b) => a.updated_timestamp - b.updated_timestamp || a.receipt_id - b.receipt_id)
    const offset = Number(query.get('offset') ?? 0)
    return {
      count: rows.length,
      results: structuredClone(rows.slice(offset, offset + Number(query.get('limit') ?? 25))),
    }
  }

  function answer({ method, path, query, body }: Asked): { status: number; body: object } {
    const [, , , first, second, third, fourth, fifth] = path.split('/')
    if (path === '/v3/application/users/me') return { status: 200, body: { user_id: 1, shop_id: etsy.shopId } }
    if (first === 'listings' && third === 'inventory') {
      const inventory = etsy.inventory.get(Number(second))
      if (!inventory) return refused(404, 'Resource not found')
      if (method === 'PUT') writeInventory(inventory, body as { products: Record<string, unknown>[] })
      return { status: 200, body: inventory }
    }
    if (first !== 'shops' || second !== String(etsy.shopId)) return refused(404, 'Resource not found')
    if (third === undefined) return { status: 200, body: { shop_id: etsy.shopId, shop_name: 'OakSigns' } }
    if (third === 'listings') {
      const results = [...etsy.inventory].map(([listing_id, { products }]) => ({
        listing_id,
        skus: products.map(({ sku }) => sku),
      }))
      return { status: 200, body: { count: results.length, results } }
    }
    if (fourth === undefined) return { status: 200, body: listReceipts(query) }
    const receipt = etsy.receipts.get(Number(fourth))
    if (!receipt) return refused(404, 'Resource not found')
    if (fifth === 'tracking') {
      const { tracking_code, carrier_name } = body as { tracking_code?: string; carrier_name?: string }
      etsy.mails.push({ receipt: receipt.receipt_id, tracking: tracking_code })
      const shipments = [
        ...(receipt.shipments as object[]),
        ...(tracking_code ? [{ tracking_code, carrier_name }] : []),
      ]
      etsy.change(receipt.receipt_id, { is_shipped: true, status: 'completed', shipments })
    }
    return { status: 200, body: receipt }
  }

  /** As Etsy does, with another ID for each product. */
  function writeInventory(inventory: { products: unknown[] }, body: { products: Record<string, unknown>[] }): void {
    inventory.products = body.products.map((product, index) => ({
      ...product,
      product_id: Date.now() + index,
      is_deleted: false,
      offerings: (product.offerings as { price: number; quantity: number }[]).map((offering) => ({
        ...offering,
        is_deleted: false,
        price: etsyMoney(Math.round(offering.price * 100)),
      })),
    }))
  }

  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://etsy')
    const text = await readBody(request)
    const asked: Asked = {
      method: request.method ?? 'GET',
      path: url.pathname,
      query: url.searchParams,
      body: text === '' ? undefined : JSON.parse(text),
    }
    etsy.asked.push(asked)
    const instead = etsy.interfere(asked)
    if (instead === 'hang') return
    if (instead) {
      response.writeHead(instead.status, instead.headers).end(instead.body ?? '{"error":"interfered"}')
      return
    }
    const reply = (({ status, body }) => ({ status, text: JSON.stringify(body) }))(route(asked, request))
    if (etsy.dropAfter !== '' && url.pathname.endsWith(etsy.dropAfter) && asked.method !== 'GET') {
      etsy.dropAfter = ''
      request.socket.destroy()
      return
    }
    response.writeHead(reply.status, { 'content-type': 'application/json' }).end(reply.text)
    if (url.pathname.endsWith('/receipts')) etsy.afterPage()
  })

  function route(asked: Asked, request: IncomingMessage): { status: number; body: object } {
    if (request.headers['x-api-key'] !== `${etsy.keystring}:${etsy.sharedSecret}`)
      return refused(403, 'Invalid API key')
    if (asked.path === '/v3/public/oauth/token') return answerToken(asked.body as Record<string, string>)
    if (request.headers.authorization !== `Bearer ${etsy.accessToken}`) return refused(401, 'invalid_token')
    return answer(asked)
  }

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  etsy.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  etsy.close = () =>
    new Promise((resolve) => {
      server.closeAllConnections()
      server.close(resolve)
    })
  return etsy
}

async function readBody(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts).toString('utf8')
}
