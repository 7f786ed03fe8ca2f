import type { Json } from '../../../../db/database.ts'
import type { ShopOrder } from '../../../orders/from-shop/shop-order.ts'
import type { ShopClient } from './shop-client.ts'

/** What is entered for a shop besides its address. All of it is encrypted, and never answered. */
export const settingNames = [
  'consumer_key',
  'consumer_secret',
  'access_token',
  'client_id',
  'client_secret',
  'keystring',
  'shared_secret',
  'signing_secret',
] as const
export type SettingName = (typeof settingNames)[number]
export type ShopSettings = Partial<Record<SettingName, string>> & { webhook_secret: string }

/** A shop as its connector is told of it. */
export interface ConnectedShop {
  /** Without a slash at its end. */
  url: string
  settings: ShopSettings
  /** Names under which customers say what they want on their piece; of all that the shop shows when it is empty. */
  personalisationNames: readonly string[]
}

/** An order of which something cannot be read: it is told to people, and holds up no other. */
export interface UnreadableOrder {
  external_id: string
  problem: string
}

/** Some orders in the order of their last change, and where to read on. */
interface OrderPage {
  orders: (ShopOrder | UnreadableOrder)[]
  /** Where the next read begins. Opaque to all but the connector; it speaks of the clock of the shop, never of ours. */
  cursor: Json
  /** Nothing has changed after these. */
  isLast: boolean
}

/** A parcel that a shop is told of. */
export interface Parcel {
  /** Ours; the shop keeps it, so that it can be asked whether it was told already. */
  shipmentId: string
  orderInShop: string
  carrier: string
  trackingNumber: string
  trackingUrl: string
  /** What is in it, by the ID that each line has in the shop. */
  lines: {
    external_id: string
    quantity: number
    /** How much of the line left in parcels that the shop was told of before. */
    before: number
  }[]
  /** Nothing of the order is open after it. */
  isLast: boolean
}

/** What a shop sells under a code of its seller, or as a listing. */
export interface Listing {
  seller_sku: string
  listing_id: string
  variation: string
}

/** The level of a listing in its shop. */
export interface StockLevel {
  /** Where it is set. */
  place: Json
  /** Null: the shop counts none. */
  level: number | null
}

/** What a webhook of a shop turned out to be. */
export type Hook = { kind: 'refused' } | { kind: 'ping' } | { kind: 'changed'; externalId: string | undefined }

export interface ReceivedHook {
  headers: Readonly<Record<string, string | string[] | undefined>>
  /** As it came, byte for byte. */
  body: Buffer
}

/**
 * One kind of shop. It reads and writes nothing of ours. Each call may be made again after any failure, also after one that hides that it
 * took effect; so what changes something looks before.
 *
 * Calls throw `ShopProblem`.
 */
export interface Connector {
  /** What its form may have. */
  settings: readonly SettingName[]
  /** Answers what is wrong with what was entered, by field; undefined when nothing is. */
  findProblem(
    settings: Partial<Record<SettingName, string>>,
    url: string,
  ): Partial<Record<SettingName | 'url', string>> | undefined
  /** Answers where reading begins: at what changed since then. */
  firstCursor(since: Date): Json
  /** True when a cursor reads on at changes after this moment alone, both by the clock of the shop. */
  isAfter(cursor: Json, at: Date): boolean
  /** Looks at whether the shop answers, and lets in who asks with what it needs. Answers what the shop says it is called. */
  test(client: ShopClient, shop: ConnectedShop): Promise<string>
  readPage(client: ShopClient, shop: ConnectedShop, cursor: Json): Promise<OrderPage>
  /** One order; undefined when the shop has it no more. */
  readOrder(
    client: ShopClient,
    shop: ConnectedShop,
    externalId: string,
  ): Promise<ShopOrder | UnreadableOrder | undefined>
  pushParcel(client: ShopClient, shop: ConnectedShop, parcel: Parcel): Promise<void>
  /** Undefined when the shop has no such listing. */
  findStock(client: ShopClient, shop: ConnectedShop, listing: Listing): Promise<StockLevel | undefined>
  /** `moved`: the level is another than the one that was found, and was left alone. */
  setStock(client: ShopClient, shop: ConnectedShop, place: Json, level: number): Promise<'set' | 'moved'>
  readHook(shop: Pick<ConnectedShop, 'settings'>, hook: ReceivedHook): Hook
}
