import type { ImportFormat } from './formats.ts'
import { filled, joined } from './row-reader.ts'

/** Etsy's export "Sold Order Items": a row for each item that was sold. */
export const etsyFormat: ImportFormat = {
  platform: 'etsy',
  needs: ['item name', 'quantity', 'price', 'order id', 'transaction id'],
  refuse: (columns) =>
    columns.has('order value') && !columns.has('item name')
      ? 'is the list of sold orders of Etsy, which has no items; export "Order Items" in its place'
      : undefined,
  readRow(cells) {
    const orderId = cells('order id').replace(/^#/, '')
    const { variation, personalisation } = readVariations(unescapeHtml(cells('variations')))
    const sku = cells('sku')
    return {
      key: orderId,
      order: filled({
        order_number: orderId,
        external_id: orderId,
        order_date: cells('sale date'),
        currency: cells('currency'),
        customer_name: cells('ship name', 'buyer'),
        shipping_street: joined(', ', cells('ship address1'), cells('ship address2')),
        shipping_city: cells('ship city'),
        shipping_state: cells('ship state'),
        shipping_zip: cells('ship zipcode').replace(/^'/, ''),
        shipping_country: cells('ship country'),
        shipping_cost: cells('order shipping'),
        tax_amount: cells('order sales tax'),
      }),
      item: {
        ...filled({
          sku,
          listing_id: cells('listing id'),
          variation,
          product_name: unescapeHtml(cells('item name')),
          quantity: cells('quantity'),
          unit_price: cells('price'),
          discount_amount: cells('discount amount'),
        }),
        ...(personalisation.length > 0 && { personalisation }),
      },
      ...(cells('date shipped') !== '' && { isOver: 'it is shipped in the shop already' }),
    }
  },
}

/** What Etsy shows where nothing was asked for. */
const notRequested = /^not requested on this item\.?$/i

/**
 * `Style: Matte,Personalization: Ann` in one cell: the personalisation is apart from what tells variations of the listing. It is
 * taken to go on to the end, because people write commas and colons.
 */
export function readVariations(text: string): {
  variation: string
  personalisation: { name: string; value: string }[]
} {
  const [, before = text, name, value = ''] = /^(.*?)(?:^|,)\s*(personali[sz]ation)\s*:(.*)$/is.exec(text) ?? []
  const wanted = value.trim()
  const isWanted = name !== undefined && wanted !== '' && !notRequested.test(wanted)
  return {
    variation: before.trim().replace(/,$/, ''),
    personalisation: isWanted ? [{ name: 'Personalization', value: wanted }] : [],
  }
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }

/** Etsy escapes some of its texts for pages. */
export function unescapeHtml(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,5}));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return entities[String(name).toLowerCase()] ?? whole
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal)
    const isCharacter = code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff)
    return isCharacter ? String.fromCodePoint(code) : whole
  })
}
