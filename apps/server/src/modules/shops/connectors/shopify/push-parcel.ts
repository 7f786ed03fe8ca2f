import type { ConnectedShop, Parcel } from '../contract/connector.ts'
import { listOf, objectOf, textOf } from '../contract/read-text.ts'
import type { ShopClient } from '../contract/shop-client.ts'
import { ShopProblem } from '../contract/shop-problem.ts'
import { askShopify, nodesOf, numberOf, refuseUserErrors } from './admin-api.ts'
import { fulfilMutation, fulfilmentQuery } from './queries.ts'

/** In the words of the Admin API. */
type Part = Record<'fulfillmentOrderId', string> & {
  fulfillmentOrderLineItems: { id: string; quantity: number }[]
}

/**
 * Fulfils in the shop what left in a parcel. Shopify keeps no mark of ours on that, so what is told is counted: of each line as much as is
 * missing to all that has left here until then. A parcel that was told already is missing nothing. What is assigned to several locations
 * takes a fulfilment for each.
 */
export async function pushParcel(client: ShopClient, shop: ConnectedShop, parcel: Parcel): Promise<void> {
  const id = `gid://shopify/Order/${parcel.orderInShop}`
  const { order } = await askShopify(client, shop, fulfilmentQuery, { id })
  if (order === null) throw new ShopProblem('missing', 'The shop has the order no more.')
  if (parcel.lines.length === 0) throw new ShopProblem('refused', 'None of its lines is known in the shop.')
  const missing = missingOf(objectOf(order), parcel)
  if (missing.size === 0) return
  const byLocation = allocate(objectOf(order), missing)
  if (byLocation.size === 0) {
    throw new ShopProblem('refused', 'The shop has nothing of it to fulfil: it is on hold, or another app fulfils it.')
  }
  const { carrier, trackingNumber, trackingUrl } = parcel
  const trackingInfo = {
    ...(carrier !== '' && { company: carrier }),
    ...(trackingNumber !== '' && { number: trackingNumber }),
    ...(trackingUrl !== '' && { url: trackingUrl }),
  }
  for (const parts of byLocation.values()) {
    const fulfillment = {
      lineItemsByFulfillmentOrder: parts,
      notifyCustomer: true,
      ...(Object.keys(trackingInfo).length > 0 && { trackingInfo }),
    }
    const { fulfillmentCreate } = await askShopify(client, shop, fulfilMutation, { fulfillment })
    refuseUserErrors(fulfillmentCreate)
  }
}

/** Answers how much of each line the shop has not been told of. */
function missingOf(order: Record<string, unknown>, { lines }: Parcel): Map<string, number> {
  const told = new Map<string, number>()
  for (const fulfilment of listOf(order.fulfillments).map(objectOf)) {
    if (['CANCELLED', 'ERROR', 'FAILURE'].includes(textOf(fulfilment.status, 40))) continue
    for (const { quantity, lineItem } of nodesOf(fulfilment.fulfillmentLineItems)) {
      const line = numberOf(objectOf(lineItem).id)
      told.set(line, (told.get(line) ?? 0) + (Number(quantity) || 0))
    }
  }
  return new Map(
    lines.flatMap(({ external_id: line, quantity, before }): [string, number][] => {
      const count = Math.min(quantity, before + quantity - (told.get(line) ?? 0))
      return count > 0 ? [[line, count]] : []
    }),
  )
}

function allocate(order: Record<string, unknown>, missing: Map<string, number>): Map<string, Part[]> {
  const byLocation = new Map<string, Part[]>()
  for (const open of nodesOf(order.fulfillmentOrders)) {
    const actions = listOf(open.supportedActions).map((each) => objectOf(each).action)
    if (!actions.includes('CREATE_FULFILLMENT')) continue
    const taken = nodesOf(open.lineItems).flatMap(({ id, remainingQuantity, lineItem }) => {
      const line = numberOf(objectOf(lineItem).id)
      const quantity = Math.min(Number(remainingQuantity) || 0, missing.get(line) ?? 0)
      if (quantity <= 0) return []
      missing.set(line, (missing.get(line) ?? 0) - quantity)
      return [{ id: textOf(id, 200), quantity }]
    })
    if (taken.length === 0) continue
    const location = textOf(objectOf(objectOf(open.assignedLocation).location).id, 200)
    const part = { fulfillmentOrderId: textOf(open.id, 200), fulfillmentOrderLineItems: taken }
    byLocation.set(location, [...(byLocation.get(location) ?? []), part])
  }
  return byLocation
}
