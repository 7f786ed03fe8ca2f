import type { ConnectedShop, Parcel } from '../contract/connector.ts'
import { listOf, objectOf, textOf } from '../contract/read-text.ts'
import type { ShopClient } from '../contract/shop-client.ts'
import { ShopProblem } from '../contract/shop-problem.ts'
import { callWoo, callWooIfThere, listIn } from './api.ts'

/** Metadata of an order that lists the parcels that it was told of. The underscore keeps it from customers. */
const pushedKey = '_printyard_parcels'

/** An order that is one of these is not completed by a parcel. */
const overStates = ['completed', 'cancelled', 'refunded', 'failed', 'trash']

/**
 * Tells an order of a parcel. Tracking goes to the plugin Shipment Tracking where the shop has it, else into a note to the customer. The
 * change that notes the parcel, and completes the order with the last one, comes at the end, so that all of it is done once that is
 * there; each step before it looks whether it was taken before.
 */
export async function pushParcel(client: ShopClient, shop: ConnectedShop, parcel: Parcel): Promise<void> {
  const path = `wc/v3/orders/${encodeURIComponent(parcel.orderInShop)}`
  const order = objectOf(await callWoo(client, shop, { path }))
  if (textOf(order.id, 200) !== parcel.orderInShop) {
    throw new ShopProblem('unlike', 'The shop answered something else than the order.')
  }
  const told = pushedOf(order)
  if (told.includes(parcel.shipmentId)) return
  if (parcel.trackingNumber !== '' || parcel.trackingUrl !== '') await pushTracking(client, shop, path, parcel)
  const status = textOf(order.status, 40)
  await callWoo(client, shop, {
    method: 'PUT',
    path,
    body: {
      meta_data: [{ key: pushedKey, value: [...told, parcel.shipmentId].join(',') }],
      ...(parcel.isLast && !overStates.includes(status) && { status: 'completed' }),
    },
  })
}

function pushedOf(order: Record<string, unknown>): string[] {
  const meta = listOf(order.meta_data)
    .map(objectOf)
    .find(({ key }) => key === pushedKey)
  return textOf(meta?.value, 100_000)
    .split(',')
    .filter((id) => id !== '')
}

async function pushTracking(client: ShopClient, shop: ConnectedShop, path: string, parcel: Parcel): Promise<void> {
  const { trackingNumber, trackingUrl, carrier } = parcel
  const id = encodeURIComponent(parcel.orderInShop)
  const plugin = { path: `wc-shipment-tracking/v3/orders/${id}/shipment-trackings` }
  const known = trackingNumber === '' ? undefined : await callWooIfThere(client, shop, plugin)
  if (Array.isArray(known)) {
    if (known.some((each) => objectOf(each).tracking_number === trackingNumber)) return
    const body = {
      tracking_number: trackingNumber,
      custom_tracking_provider: carrier || 'Parcel',
      ...(trackingUrl !== '' && { custom_tracking_link: trackingUrl }),
    }
    await callWoo(client, shop, { ...plugin, method: 'POST', body })
    return
  }
  const note = noteOf(parcel)
  const notes = listIn(await callWoo(client, shop, { path: `${path}/notes`, query: { type: 'any' } }), 'notes')
  // Shops change the markup of notes, but not the number.
  const sign = trackingNumber || trackingUrl
  if (notes.some((each) => textOf(objectOf(each).note, 10_000).includes(sign))) return
  await callWoo(client, shop, { method: 'POST', path: `${path}/notes`, body: { note, customer_note: true } })
}

function noteOf({ carrier, trackingNumber, trackingUrl }: Parcel): string {
  const by = carrier === '' ? '' : ` by ${carrier}`
  const number = trackingNumber === '' ? '' : `, tracking number ${trackingNumber}`
  return `Your parcel has left${by}${number}.${trackingUrl === '' ? '' : ` ${trackingUrl}`}`
}
