import Type, { type Static } from 'typebox'
import { nullable, oneOf, pageQuery, request, resource, text, timestamp } from '../../../http/schema.ts'
import { connectedPlatforms } from '../connectors/connectors.ts'
import type { ShopCounts, ShopRow, ShopTrouble } from './shops.queries.ts'

const exampleId = 'sho_01kaxq3v7m2e8h5t9w4c6y0b1d'

const name = text(1, 100, 'Name of the shop')
const entered = (description: string, example: string) =>
  Type.String({ minLength: 1, maxLength: 500, description, examples: [example] })

/** What the shop lets us in by; see docs/shops.md. None of it is ever answered. */
const settings = {
  consumer_key: Type.Optional(
    entered('WooCommerce: consumer key, of a key that may read and write', 'ck_4f8a2c1d9e7b6a5f4c3d2e1f'),
  ),
  consumer_secret: Type.Optional(entered('WooCommerce: consumer secret', 'cs_9e7b6a5f4c3d2e1f4f8a2c1d')),
  access_token: Type.Optional(
    entered(
      'Shopify: token of a custom app that was made in the admin, in the place of client_id',
      'shpat_4f8a2c1d9e7b',
    ),
  ),
  client_id: Type.Optional(entered('Shopify: client ID of the app', '4f8a2c1d9e7b6a5f')),
  client_secret: Type.Optional(
    entered('Shopify: client secret of the app, which also signs its webhooks', 'shpss_9e7b6a5f4c3d'),
  ),
  keystring: Type.Optional(entered('Etsy: keystring of the app', '1aa2bb33c44d55eeeeee6fff')),
  shared_secret: Type.Optional(entered('Etsy: shared secret of the app', 'a1b2c3d4e5')),
  signing_secret: Type.Optional(
    entered(
      'Etsy: signing secret of its webhooks, which apps with commercial access have; without it none is taken',
      'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD',
    ),
  ),
}

const choices = {
  pushes_fulfilment: Type.Optional(
    Type.Boolean({ description: 'Whether shipped parcels are reported to the shop, with their tracking' }),
  ),
  pushes_stock: Type.Optional(Type.Boolean({ description: 'Whether available quantities are reported to the shop' })),
  stock_buffer: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 100_000,
      description: 'Units of each SKU that the shop is not told of',
      examples: [2],
    }),
  ),
  personalisation_names: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 100, examples: ['Engraving'] }), {
      maxItems: 50,
      description:
        'Names of the fields for personalisation. Empty: all fields that the shop shows of a line, except the attributes of its variation',
      examples: [['Engraving']],
    }),
  ),
}

export const NewShopBody = request({
  platform: oneOf(connectedPlatforms, { description: 'The kind of shop' }),
  name,
  shop: Type.Optional(
    Type.String({
      maxLength: 100,
      description:
        'The name that its orders have in `shop`; empty for the only one of its platform. It cannot be changed',
      examples: ['North'],
    }),
  ),
  url: Type.String({
    minLength: 1,
    maxLength: 500,
    description: 'Address of the shop, `https://…`; one in a local network needs the operator to allow that network',
    examples: ['https://shop.example.com'],
  }),
  orders_since: Type.Optional(
    Type.String({
      format: 'date-time',
      maxLength: 40,
      description: 'Orders that changed since then are read; default: 30 days ago',
      examples: ['2026-11-01T00:00:00.000Z'],
    }),
  ),
  ...settings,
  ...choices,
})
export type NewShop = Static<typeof NewShopBody>

export const ShopChangesBody = request(
  {
    name: Type.Optional(name),
    is_active: Type.Optional(Type.Boolean({ description: 'False pauses it; true resumes it, where it was left' })),
    ...settings,
    ...choices,
  },
  { minProperties: 1 },
)
export type ShopChanges = Static<typeof ShopChangesBody>

export const ShopsQuery = request(pageQuery)

export const Shop = resource('Shop', 'A shop whose orders are read', {
  id: Type.String({ description: 'ID of the shop', examples: [exampleId] }),
  platform: oneOf(connectedPlatforms, { description: 'The kind of shop' }),
  name: Type.String({ description: 'Name of the shop', examples: ['Our shop'] }),
  shop: Type.String({ description: 'The name that its orders have in `shop`', examples: ['North'] }),
  url: Type.String({ description: 'Its address', examples: ['https://shop.example.com'] }),
  status: oneOf(['active', 'failing', 'paused'] as const, {
    description: '`failing`: the last calls came to nothing. `paused`: it is neither read nor told anything',
  }),
  last_read_at: nullable(timestamp('Time at which its orders were last read to the end; null before the first time')),
  failing_since: nullable(timestamp('Since when calls come to nothing; null when the last one did not')),
  problem: nullable(
    Type.String({
      description: 'Error of the last call; null when it succeeded',
      examples: ['401 Invalid signature'],
    }),
  ),
  retry_at: nullable(timestamp('Nothing is asked of it before; null: no such time')),
  paused_at: nullable(timestamp('Time at which it was paused; null unless it is paused')),
  orders_since: timestamp('Orders that changed since then are read'),
  pushes_fulfilment: Type.Boolean({ description: 'Whether shipped parcels are reported to the shop' }),
  pushes_stock: Type.Boolean({ description: 'Whether available quantities are reported to the shop' }),
  stock_buffer: Type.Integer({ description: 'Units of each SKU that it is not told of' }),
  personalisation_names: Type.Array(Type.String({ examples: ['Engraving'] }), {
    description: 'Names under which customers say what they want on their piece; empty: all that the shop shows',
  }),
  orders: Type.Integer({ description: 'Orders that were recorded of it' }),
  refused_orders: Type.Integer({ description: 'Orders that could not be recorded' }),
  waiting_parcels: Type.Integer({ description: 'Parcels that are not reported to it yet' }),
  failed_parcels: Type.Integer({ description: 'Parcels that it did not take' }),
  webhook_path: Type.String({
    description: 'Path for the webhooks of the shop, below the address of this service',
    examples: [`/shop-hooks/${exampleId}`],
  }),
  needs_authorisation: Type.Boolean({
    description:
      'Whether a person must authorise the connection at the shop itself, by POST /shops/{id}/authorise, before it is read',
  }),
  created_by: Type.String({
    description: 'Actor that connected it',
    examples: ['user:usr_01kaxq3v7m2e8h5t9w4c6y0b1d'],
  }),
  created_at: timestamp('Time at which it was connected'),
  updated_at: timestamp('Time at which its settings last changed'),
})

export const NewShopAnswer = resource('NewShop', 'A shop that was just connected', {
  ...Shop.properties,
  webhook_secret: Type.String({
    description: 'Signs the webhooks of the shop: enter it there. Shown only in this answer',
    examples: ['9f2c4e6a8b0d1f3e5a7c9b2d4f6e8a0c1e3d5b7f9a2c4e6a'],
  }),
})

export const ShopTroubles = resource('ShopTroubles', 'Problems of a shop that a person should look at', {
  troubles: Type.Array(
    resource('ShopTrouble', 'An order that could not be recorded, or a parcel that the shop did not take', {
      kind: oneOf(['order', 'parcel', 'stock'] as const, { description: 'Kind of the record with the problem' }),
      name: Type.String({ description: 'ID of the order in the shop, or number of the order', examples: ['1042'] }),
      order_id: nullable(Type.String({ description: 'The order here; null when there is none' })),
      problem: Type.String({ description: 'Problem, in a sentence', examples: ['items must have at most 500 lines'] }),
      at: timestamp('Time of the last attempt'),
    }),
    { description: 'The latest 50' },
  ),
})

export const ShopTest = resource('ShopTest', 'What a shop answered to a test', {
  ok: Type.Boolean({ description: 'Whether the shop answers, and accepts the credentials' }),
  shop_name: nullable(Type.String({ description: 'Name that the shop gives itself', examples: ['Our shop'] })),
  problem: nullable(
    Type.String({ description: 'Error of the shop; null when the test passed', examples: ['401 Invalid signature'] }),
  ),
})

export const ShopAuthorisation = resource('ShopAuthorisation', 'Page on which a person authorises the connection', {
  url: Type.String({ description: 'Page of the shop', examples: ['https://www.etsy.com/oauth/connect?…'] }),
})

export const AuthorisedBody = request({
  code: Type.String({
    minLength: 1,
    maxLength: 2000,
    description: 'The `code` that the shop gave',
    examples: ['bftcubu-wqLD'],
  }),
  state: Type.String({
    minLength: 1,
    maxLength: 500,
    description: 'The `state` that the shop gave back',
    examples: ['sho_01kaxq3v7m2e8h5t9w4c6y0b1d.Yx3k'],
  }),
})

export const ShopAsked = resource('ShopAsked', 'A shop that is read now', {
  id: Type.String({ description: 'ID of the shop', examples: [exampleId] }),
  asked: Type.Boolean({ description: 'Always true' }),
})

export const RemovedShop = resource('RemovedShop', 'A shop that is disconnected', {
  id: Type.String({ description: 'ID of the shop', examples: [exampleId] }),
  deleted: Type.Boolean({ description: 'Always true' }),
})

const noCounts: ShopCounts = { orders: 0, refused_orders: 0, waiting_parcels: 0, failed_parcels: 0 }

/** @throws Error for a platform that cannot be connected */
export function presentShop(row: ShopRow, counts: ShopCounts = noCounts): Static<typeof Shop> {
  const platform = connectedPlatforms.find((each) => each === row.platform)
  if (!platform) throw new Error(`shops of ${row.platform} cannot be connected`)
  return {
    id: row.id,
    platform,
    name: row.name,
    shop: row.shop,
    url: row.url,
    status: row.paused_at !== null ? 'paused' : row.failing_since !== null ? 'failing' : 'active',
    last_read_at: row.last_read_at?.toISOString() ?? null,
    failing_since: row.failing_since?.toISOString() ?? null,
    problem: row.problem,
    retry_at: row.retry_at?.toISOString() ?? null,
    paused_at: row.paused_at?.toISOString() ?? null,
    orders_since: row.orders_since.toISOString(),
    pushes_fulfilment: row.pushes_fulfilment,
    pushes_stock: row.pushes_stock,
    stock_buffer: row.stock_buffer,
    personalisation_names: row.personalisation_names,
    ...counts,
    webhook_path: `/shop-hooks/${row.id}`,
    needs_authorisation: row.platform === 'etsy' && row.tokens_sealed === null,
    created_by: row.created_by,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}

export function presentTroubles(troubles: readonly ShopTrouble[]): Static<typeof ShopTroubles> {
  return { troubles: troubles.map((each) => ({ ...each, at: each.at.toISOString() })) }
}
