import { expect, test } from 'vitest'
import { readVariations, unescapeHtml } from './etsy.ts'
import type { FormatName } from './formats.ts'
import { readCsv } from './read-csv.ts'
import { readOrders } from './read-orders.ts'

async function orders(text: string, format?: FormatName) {
  const table = await readCsv(Buffer.from(text))
  return readOrders(table, { format, shop: '', currency: 'EUR' })
}

async function refusal(text: string, format?: FormatName): Promise<string> {
  const error = await orders(text, format).then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  return (error as { details: { _root: string[] } }).details._root.join()
}

const shopify = [
  'Name,Email,Financial Status,Fulfillment Status,Currency,Subtotal,Shipping,Taxes,Total,Discount Amount,Created at,Lineitem quantity,' +
    'Lineitem name,Lineitem price,Lineitem sku,Shipping Name,Shipping Street,Shipping City,Shipping Zip,Shipping Country,Cancelled at,Id,Notes',
  `#1001,a@example.com,paid,unfulfilled,USD,19.50,4.90,0.00,22.40,2.00,2025-10-02 17:09:34 -0300,3,Clip - Red,6.50,CLIP-R,A. Buyer,"1 Lane, 2nd floor",Town,'00501,US,,5530,Soon`,
  '#1001,,,,,,,,,,,1,Vase,0.00,,,,,,,,,',
  '#1002,b@example.com,paid,fulfilled,USD,1.00,0.00,0.00,1.00,0.00,2025-10-03 17:09:34 -0300,1,Clip,1.00,CLIP,B. Buyer,,,,,,5531,',
].join('\n')

test('orders of Shopify: rows of one order are put together, and what is fulfilled there is over', async () => {
  const { format, orders: found } = await orders(shopify)
  expect(format).toBe('shopify')
  expect(found).toMatchObject([
    {
      order_number: '#1001',
      rows: [2, 3],
      itemRows: [2, 3],
      problems: [],
      body: {
        platform: 'shopify',
        shop: '',
        currency: 'USD',
        priority: 'normal',
        allow_unmapped: true,
        order_number: '#1001',
        external_id: '5530',
        order_date: '2025-10-02T20:09:34.000Z',
        customer_name: 'A. Buyer',
        customer_email: 'a@example.com',
        shipping_street: '1 Lane, 2nd floor',
        shipping_city: 'Town',
        shipping_zip: '00501',
        shipping_country: 'US',
        shipping_cost: 490,
        tax_amount: 0,
        discount_amount: 200,
        total_revenue: 2240,
        notes: 'Soon',
        items: [
          { sku: 'CLIP-R', product_name: 'Clip - Red', quantity: 3, unit_price: 650 },
          { listing_id: 'Vase', product_name: 'Vase', quantity: 1, unit_price: 0 },
        ],
      },
    },
    expect.objectContaining({ order_number: '#1002', isOver: 'it is fulfilled in the shop already' }),
  ])
})

const etsyHeader =
  'Sale Date,Item Name,Buyer,Quantity,Price,Discount Amount,Order Shipping,Order Sales Tax,Currency,Transaction ID,Listing ID,Date Shipped,Ship Name,Ship Address1,Ship Address2,Ship City,Ship State,Ship Zipcode,Ship Country,Order ID,Variations,SKU'

test('items of Etsy: personalisation is apart from the variation, discounts of items add up', async () => {
  const { format, orders: found } = await orders(
    [
      etsyHeader,
      '11/20/26,Clip &amp; Co,ann,2,6.50,1.00,4.90,0.50,USD,901,77,,Ann B,1 Lane,Flat 2,Town,TX,75001,United States,#3001,"Style: Matte,Personalization: Ann, with: love",',
      '11/20/26,Vase,ann,1,20,0.50,4.90,0.50,USD,902,78,,Ann B,1 Lane,Flat 2,Town,TX,75001,United States,3001,Personalization: Not requested on this item.,VASE-1',
    ].join('\n'),
  )
  expect(format).toBe('etsy')
  expect(found[0]?.body).toMatchObject({
    platform: 'etsy',
    order_number: '3001',
    external_id: '3001',
    order_date: '2026-11-20T12:00:00.000Z',
    shipping_street: '1 Lane, Flat 2',
    shipping_cost: 490,
    tax_amount: 50,
    discount_amount: 150,
    items: [
      {
        listing_id: '77',
        variation: 'Style: Matte',
        product_name: 'Clip & Co',
        quantity: 2,
        unit_price: 650,
        personalisation: [{ name: 'Personalization', value: 'Ann, with: love' }],
      },
      { sku: 'VASE-1', listing_id: '78', product_name: 'Vase', quantity: 1, unit_price: 2000 },
    ],
  })
  expect(found).toHaveLength(1)
  expect(found[0]?.body?.items[1]).not.toHaveProperty('personalisation')
})

test('the list of sold orders of Etsy is told apart from that of its items', async () => {
  const header = 'Sale Date,Order ID,Full Name,Number of Items,Order Value,Order Total'
  expect(await refusal(`${header}\n11/20/26,1,Ann,2,10,12`)).toMatch(/^is the list of sold orders of Etsy/)
})

test('orders of WooCommerce, with the address of the payer where none to ship to is told', async () => {
  const { format, orders: found } = await orders(
    [
      'Order Number,Order Status,Order Date,Customer Note,First Name (Billing),Last Name (Billing),City (Billing),Email (Billing),City (Shipping),Order Total Amount,SKU,Item Name,Quantity (- Refund),Item Cost',
      '77,processing,2026-11-20 09:30,Ring twice,Ann,B,Town,ann@example.com,,13.00,CLIP,Clip,2,6.50',
      '78,wc-completed,2026-11-20 09:30,,Bob,C,,,,1.00,CLIP,Clip,1,1.00',
    ].join('\n'),
  )
  expect(format).toBe('woocommerce')
  expect(found[0]?.body).toMatchObject({
    platform: 'woocommerce',
    currency: 'EUR',
    order_number: '77',
    customer_name: 'Ann B',
    shipping_city: 'Town',
    total_revenue: 1300,
    notes: 'Ring twice',
    items: [{ sku: 'CLIP', quantity: 2, unit_price: 650 }],
  })
  expect(found[1]).toMatchObject({ isOver: 'it is completed in the shop' })
})

const own = 'order_number;currency;ship_by;priority;sku;quantity;unit_price;item_notes;personalisation: Name'

test('our own form, with what the customer wants in columns of their own', async () => {
  const { orders: found } = await orders(`${own}\nA-1;jpy;2026-12-01;High;CLIP;2;650;gift;Ann\nA-1;;;;VASE;1;1000;;\n`)
  expect(found[0]?.body).toMatchObject({
    platform: 'manual',
    currency: 'JPY',
    priority: 'high',
    ship_by: '2026-12-01T12:00:00.000Z',
    items: [
      { sku: 'CLIP', quantity: 2, unit_price: 650, notes: 'gift', personalisation: [{ name: 'Name', value: 'Ann' }] },
      { sku: 'VASE', quantity: 1, unit_price: 1000 },
    ],
  })
})

test('what is wrong is said of the row and field where it stands, and spoils its order alone', async () => {
  const { orders: found } = await orders(
    [
      own,
      'A-1;EUR;soon;high;CLIP;2;6.50;;',
      'A-1;;;;VASE;0;six;;',
      'A-2;EUR;;;CLIP;1;1;;',
      ';EUR;;;CLIP;1;1;;',
      'A-3;ABC;;never;CLIP;many;;;',
      'A-4;EUR;;;;1;1;;',
      'A-5;EUR;;;CLIP;1;1;;;too;much',
    ].join('\n'),
  )
  expect(found.map(({ order_number, problems }) => [order_number, problems])).toMatchObject([
    [
      'A-1',
      [
        { row: 3, field: 'unit_price', column: 'unit_price', message: 'must be an amount such as 12.50' },
        { row: 2, field: 'ship_by', message: 'must be a date such as 2026-11-20, with or without a time' },
        { row: 3, field: 'quantity', message: 'must be at least 1' },
      ],
    ],
    ['A-2', []],
    ['', [{ row: 5, field: '_root', message: 'does not say of which order it is' }]],
    [
      'A-3',
      [
        { row: 6, field: 'currency', message: 'is not a currency of ISO 4217' },
        { row: 6, field: 'quantity', message: 'must be a whole number' },
        { row: 6, field: 'priority', message: 'must be one of low, normal, high, urgent' },
        { row: 6, field: 'unit_price', message: 'is required' },
      ],
    ],
    ['A-4', [{ row: 7, field: 'sku', message: 'is required' }]],
    [
      'A-5',
      [{ row: 8, field: '_root', message: 'has 11 cells, but the header has 9; a comma may stand outside of quotes' }],
    ],
  ])
  expect(found.filter(({ body }) => body !== undefined).map(({ order_number }) => order_number)).toEqual(['A-2'])
})

test('mistakes name the heading of the shop, of the column that the cell stands in or would stand in', async () => {
  const file = shopify
    .replace('2025-10-02 17:09:34 -0300,3,', ',many,')
    .replace('Created at', 'Paid at')
    .replace(',1,Vase,0.00,', ',0,Vase,free,')
    .replace('USD,19.50', 'ABC,19.50')
  const { orders: found } = await orders(file)
  expect(found[0]?.problems.map(({ row, column }) => `${row} ${column}`).sort()).toEqual([
    '2 Currency',
    '2 Lineitem quantity',
    '3 Lineitem price',
    '3 Lineitem quantity',
  ])
  const late =
    'Sale Date,Item Name,Quantity,Price,Order ID,Transaction ID,Variations,Ship Name,Buyer,Discount Amount,SKU'
  const { orders: sold } = await orders(
    [
      late,
      `10/02/25,Clip,1,1.00,77,9,Personalization: ${'x'.repeat(2_000)},,${'B'.repeat(300)},,CLIP`,
      'soon,Clip,1,1.00,78,10,,,Ann,much,CLIP',
    ].join('\n'),
  )
  expect(sold.flatMap(({ problems }) => problems.map(({ row, field, column }) => [row, field, column]))).toEqual([
    [2, 'customer_name', 'Buyer'],
    [2, expect.stringMatching(/^personalisation/), 'Variations'],
    [3, 'discount_amount', 'Discount Amount'],
    [3, 'order_date', 'Sale Date'],
  ])
})

test('all that is wrong with an order is said at once, times and negative numbers included', async () => {
  const { orders: found } = await orders(
    'order_number,order_date,currency,SKU,quantity,unit_price\nA-1,1997-11-24,XXQ,CLIP,-2,1.00',
  )
  expect(found[0]?.problems.map(({ field, message }) => `${field} ${message}`).sort()).toEqual([
    'currency is not a currency of ISO 4217',
    'order_date must not be before the year 2000',
    'quantity must be at least 1',
  ])
})

test('a mistake in a field of the order is said of the row that has it, though it is not the first', async () => {
  const { orders: found } = await orders(
    ['order_number,SKU,quantity,unit_price,Ship_By', 'A-1,CLIP,1,1.00,', 'A-1,VASE,1,1.00,soon'].join('\n'),
  )
  expect(found[0]?.problems).toMatchObject([{ row: 3, field: 'ship_by', column: 'Ship_By' }])
})

test('two orders that got one number are not made into one: each row that contradicts the first is named', async () => {
  const { orders: found } = await orders(
    [
      'order_number,customer_name,shipping_city,order_notes,sku,quantity,unit_price',
      'A-1,Ann,Town,,CLIP,1,1.00',
      'A-1,,Town,Ring,VASE,1,1.00',
      'A-1,Bob,City,Wait,VASE,1,1.00',
      'A-2,Bob,City,,VASE,1,1.00',
    ].join('\n'),
  )
  const same = 'which has the same order number'
  expect(found.map(({ order_number, problems, body }) => [order_number, problems, body !== undefined])).toMatchObject([
    [
      'A-1',
      [
        { row: 4, field: 'customer_name', message: `is not that of row 2, ${same}` },
        { row: 4, field: 'shipping_city', message: `is not that of row 2, ${same}` },
        { row: 4, field: 'order_notes', message: `is not that of row 3, ${same}` },
      ],
      false,
    ],
    ['A-2', [], true],
  ])
})

test('a column that stands twice in our own form is refused: one of the two would be lost', async () => {
  expect(await refusal('order_number,SKU,sku,quantity,unit_price\nA-1,CLIP,VASE,1,1')).toBe(
    'line 1: has the column sku twice',
  )
})

test('columns that our own form does not have are told, because they may be misspelled; a shop has many that are not read', async () => {
  const { ignoredColumns } = await orders(
    'order_number,Ship by,SKU,quantity,unit_price,is_paid,order_notes,personalisation: Name,Remark,\nA-1,2026-12-01,CLIP,1,1',
  )
  expect(ignoredColumns).toEqual(['Ship by', 'Remark'])
  expect((await orders(shopify)).ignoredColumns).toEqual([])
})

test('what is asked of a customer is read in both spellings of its column', async () => {
  const { orders: found } = await orders(
    'order_number,sku,quantity,unit_price,Personalization: Name,personalisation: Date\nA-1,CLIP,1,1,Ann,May',
  )
  expect(found[0]?.body?.items[0]?.personalisation).toEqual([
    { name: 'Name', value: 'Ann' },
    { name: 'Date', value: 'May' },
  ])
})

test.each([
  ['2026-11-10', '2026-11-08', 'ship_by', 'must not be before the order was placed, 2026-11-10'],
  ['', '1899-12-30', 'ship_by', 'must not be before the year 2000'],
  ['', '2026-11-18', undefined, undefined],
  ['1899-12-30', '', 'order_date', 'must not be before the year 2000'],
  ['2026-11-10', '2026-11-09', undefined, undefined],
  ['2026-10-01', '2026-10-05', undefined, undefined],
])('of an order of %j, to be shipped by %j, the times are looked at', async (ordered, due, field, message) => {
  const { orders: found } = await orders(
    `order_number,order_date,ship_by,quantity,unit_price,sku\nA-1,${ordered},${due},1,5.00,CLIP\n`,
  )
  expect(found[0]?.problems).toMatchObject(field === undefined ? [] : [{ row: 2, field, message }])
  expect(found[0]?.body === undefined).toBe(field !== undefined)
})

test('a discount beyond the total is refused', async () => {
  const { orders: found } = await orders('order_number,quantity,unit_price,sku,discount_amount\n1,1,5.00,CLIP,5.01')
  expect(found[0]?.problems).toMatchObject([
    { row: 2, field: 'discount_amount', message: 'must be at most the total of items, shipping and tax' },
  ])
})

test('a file whose columns are those of no format is refused, one of the wrong format names what it lacks', async () => {
  expect(await refusal('a,b\n1,2')).toBe(
    'line 1: has not the columns of any known export; our own form needs order_number, quantity, unit_price',
  )
  expect(await refusal(shopify, 'etsy')).toBe(
    'line 1: lacks the columns item name, quantity, price, order id, transaction id of the format etsy',
  )
})

test.each([
  ['Colour: Red', 'Colour: Red', []],
  ['', '', []],
  ['Personalisation: Ann', '', [{ name: 'Personalization', value: 'Ann' }]],
  ['Size: 2,Personalization:  ', 'Size: 2', []],
])('variations "%s"', (text, variation, personalisation) => {
  expect(readVariations(text)).toEqual({ variation, personalisation })
})

test('entities of HTML are read, and what is none stays', () => {
  expect(unescapeHtml('a &amp; b &#39;c&#x27; &lt;d&gt; &what; &#99999999; &')).toBe(
    "a & b 'c' <d> &what; &#99999999; &",
  )
})
