import type { FarmClient } from './farm-client.ts'

const customer = {
  customer_name: 'A. Customer',
  customer_email: 'customer@example.com',
  shipping_street: '12 Example Street',
  shipping_city: 'Springfield',
  shipping_state: 'IL',
  shipping_zip: '62701',
  shipping_country: 'US',
}

/** The order of which one parcel has left. */
const shippedOrder = '2041'

/** Orders of three shops: one is late, one has a line that no SKU is known for and one with a wish of the customer. */
const demoOrders = [
  {
    order_number: '1187',
    platform: 'etsy',
    ordered_days_ago: 4,
    ship_in_hours: -20,
    priority: 'high',
    items: [
      {
        sku: 'SIGN-BLACK',
        quantity: 1,
        unit_price: 2400,
        personalisation: [{ name: 'Text on the sign', value: 'Workshop' }],
      },
      { sku: 'HOOK-GREEN', quantity: 2, unit_price: 650 },
    ],
  },
  {
    order_number: '1188',
    platform: 'etsy',
    ordered_days_ago: 1,
    ship_in_hours: 18,
    items: [{ listing_id: 'Cable tidy box', variation: 'Black', quantity: 1, unit_price: 1900 }],
  },
  {
    order_number: shippedOrder,
    platform: 'shopify',
    ordered_days_ago: 2,
    ship_in_hours: 50,
    shipping_cost: 490,
    items: [
      { sku: 'CABLEBOX-BLACK', quantity: 2, unit_price: 1900 },
      { sku: 'CLIPS-BLUE', quantity: 1, unit_price: 1200 },
      {
        listing_id: 'Shelf bracket, set of four',
        product_name: 'Shelf bracket, set of four',
        quantity: 1,
        unit_price: 3200,
      },
    ],
  },
  {
    order_number: 'WC-310',
    platform: 'woocommerce',
    ordered_days_ago: 0,
    ship_in_hours: 70,
    items: [{ sku: 'DESKSET-BLACK', quantity: 3, unit_price: 3900 }],
  },
] as const

/** Puts orders of shops into a farm whose catalogue and stock are there, as an integration would. */
export async function seedOrders(farm: FarmClient): Promise<void> {
  const skus = await farm.get<{ id: string; sku: string }[]>('/skus?limit=100')
  const skuId = (code: string) => skus.find(({ sku }) => sku === code)?.id
  await farm.post('/listing-maps', {
    platform: 'etsy',
    listing_id: 'Cable tidy box',
    variation: 'Black',
    product_sku_id: skuId('CABLEBOX-BLACK'),
  })
  const nowMs = Date.now()
  const inHours = (hours: number) => new Date(nowMs + hours * 3_600_000).toISOString()
  for (const { ordered_days_ago, ship_in_hours, ...order } of demoOrders) {
    const { id, items } = await farm.post<{ id: string; items: { id: string }[] }>('/orders', {
      ...order,
      ...customer,
      order_date: inHours(-24 * ordered_days_ago),
      ship_by: inHours(ship_in_hours),
      allow_unmapped: true,
    })
    if (order.order_number === shippedOrder) await shipOne(farm, id, items[0]?.id, skuId(order.items[0].sku))
  }
}

/** One of the first line leaves; its units are counted into the stock first. */
async function shipOne(farm: FarmClient, orderId: string, itemId: string | undefined, skuId: string | undefined) {
  const stock = await farm.get<{ id: string; product_sku_id: string }[]>('/inventory')
  const shelf = stock.find(({ product_sku_id }) => product_sku_id === skuId)
  await farm.post(`/inventory/${shelf?.id}/adjust`, { adjustment: 1, reason: 'inventory_count' })
  await farm.post(`/orders/${orderId}/fulfill`, {
    carrier: 'Parcel service',
    tracking_number: '1Z 999 0001',
    items: [{ item_id: itemId, quantity: 1 }],
  })
}
