import type { ConnectedShop, Parcel } from '../contract/connector.ts'
import { listOf, objectOf, textOf } from '../contract/read-text.ts'
import type { ShopClient } from '../contract/shop-client.ts'
import { callEtsy, shopIdOf } from './api.ts'

/**
 * Tells a receipt of a parcel. Each time that Etsy takes one it mails the buyer, so the receipt is looked at first: a number that it has, or
 * a receipt that is marked as shipped where there is no number, is not told again. A receipt knows no parts, so a parcel without a number
 * that is not the last one is not told.
 */
export async function pushParcel(client: ShopClient, shop: ConnectedShop, parcel: Parcel): Promise<void> {
  const path = `shops/${await shopIdOf(client, shop)}/receipts/${encodeURIComponent(parcel.orderInShop)}`
  const receipt = objectOf(await callEtsy(client, shop, { path }))
  const { trackingNumber, carrier, isLast } = parcel
  if (trackingNumber === '') {
    if (receipt.is_shipped === true || !isLast) return
    await callEtsy(client, shop, { method: 'POST', path: `${path}/tracking`, body: {} })
    return
  }
  const isTold = listOf(receipt.shipments).some((each) => textOf(objectOf(each).tracking_code, 200) === trackingNumber)
  if (isTold) return
  const body = { tracking_code: trackingNumber, carrier_name: carrierOf(carrier) }
  await callEtsy(client, shop, { method: 'POST', path: `${path}/tracking`, body })
}

/** Etsy names carriers by words such as `usps` and `dhl-germany`; another one is `other`. */
function carrierOf(carrier: string): string {
  const word = carrier
    .trim()
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
  return word === '' ? 'other' : word
}
