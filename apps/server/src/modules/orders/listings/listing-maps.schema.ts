import Type, { type Static } from 'typebox'
import { idOf, oneOf, pageQuery, request, requiredUnless, resource, text, timestamp } from '../../../http/schema.ts'
import type { ListingMapRow } from './listing-maps.queries.ts'
import { platforms } from './platforms.ts'

/** Units of a SKU that one of a listing stands for. */
const mostInPack = 1000

export const shopName = text(
  0,
  100,
  'Name of the shop, where the account has several on the platform; empty: the only one',
)

const packSize = Type.Integer({
  minimum: 1,
  maximum: mostInPack,
  description: 'Units of the SKU in one of the listing',
  examples: [1],
})
const packSizeOf = (description: string) =>
  Type.Integer({ minimum: 1, maximum: mostInPack, default: 1, description, examples: [1] })
const skuId = idOf('sku', 'The SKU that the listing is mapped to')

export const NewListingMapBody = request(
  {
    platform: oneOf(platforms, { description: 'Platform on which it is sold' }),
    shop: Type.Optional(shopName),
    seller_sku: Type.Optional(text(1, 100, "The seller's code in that shop; excludes listing_id")),
    listing_id: Type.Optional(
      text(
        1,
        255,
        'ID of the listing on its platform, or its title where the platform tells no ID; needed unless seller_sku is given',
      ),
    ),
    variation: Type.Optional(text(0, 255, 'Variation of the listing, as the shop words it')),
    product_sku_id: skuId,
    pack_size: packSizeOf('Units of the SKU in one of the listing'),
  },
  { [requiredUnless]: { seller_sku: 'listing_id' } },
)
export type NewListingMap = Static<typeof NewListingMapBody>

export const ListingMapChangesBody = request(
  { product_sku_id: Type.Optional(skuId), pack_size: Type.Optional(packSize) },
  { minProperties: 1 },
)
export type ListingMapChanges = Static<typeof ListingMapChangesBody>

export const MapItemBody = request({
  product_sku_id: idOf('sku', 'The SKU that the line is mapped to'),
  pack_size: packSizeOf('Units of the SKU in one of the line'),
  remember: Type.Boolean({
    default: true,
    description: 'Maps all lines like it of the same shop: open ones that nothing mapped, and those to come',
  }),
})

export const ListingMapsQuery = request({
  platform: Type.Optional(oneOf(platforms, { description: 'Only mappings of this platform' })),
  shop: Type.Optional(text(0, 100, 'Only mappings of this shop')),
  product_sku_id: Type.Optional(idOf('sku', 'Only mappings to this SKU')),
  ...pageQuery,
})

export const ListingMap = resource('ListingMap', 'Mapping of a shop listing to a number of units of a SKU', {
  id: Type.String({ description: 'ID of the mapping', examples: ['lmp_01kaxq3v7m2e8h5t9w4c6y0b1d'] }),
  platform: oneOf(platforms, { description: 'Platform on which it is sold' }),
  shop: Type.String({ description: 'Name of the shop; empty for the only one of the platform' }),
  seller_sku: Type.String({ description: "The seller's code in that shop; empty where it goes by listing_id" }),
  listing_id: Type.String({ description: 'ID or title of the listing; empty where it goes by seller_sku' }),
  variation: Type.String({ description: 'Variation of the listing; empty for none' }),
  product_sku_id: Type.String({ description: 'The SKU that it is mapped to' }),
  sku: Type.String({ description: 'Code of that SKU' }),
  product_name: Type.String({ description: 'Name of its product' }),
  pack_size: packSize,
  created_at: timestamp('Time of creation'),
  updated_at: timestamp('Time of the last change'),
})

export const ChangedListingMap = resource('ChangedListingMap', 'A mapping, and how many lines it has mapped now', {
  ...ListingMap.properties,
  mapped_items: Type.Integer({ description: 'Open lines of orders that were mapped by this request' }),
})

export function presentListingMap(map: ListingMapRow): Static<typeof ListingMap> {
  return {
    id: map.id,
    platform: map.platform,
    shop: map.shop,
    seller_sku: map.seller_sku,
    listing_id: map.listing_id,
    variation: map.variation,
    product_sku_id: map.product_sku_id,
    sku: map.sku,
    product_name: map.product_name,
    pack_size: map.pack_size,
    created_at: map.created_at.toISOString(),
    updated_at: map.updated_at.toISOString(),
  }
}
