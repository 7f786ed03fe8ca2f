import { acts, moreRows, type PageControls, reads, seldom } from './control.ts'

/** Of the line of an order that stands for no SKU. */
const mapping = ['Stands for', 'Units in one', 'Map all like it, and those to come', /^Map (?!all)/].map((name) =>
  acts(name, 'POST /orders/{id}/items/{itemId}/map'),
)

const orders = (name: string) => acts(name, 'POST /orders')

const orderList = [
  ...reads('Search', 'State', 'Platform', 'To ship', 'Lines', 'List', 'Board', 'Lines to map'),
  moreRows,
  acts('New order', 'POST /orders'),
  acts('Import', 'POST /orders/import'),
]

/** Customers' orders. */
export const orderControls: PageControls = {
  '/orders': [{ controls: orderList }, { at: '/orders?as=board', controls: orderList }],
  '/orders/$orderId': [
    {
      controls: [
        ...reads('Packing slip', 'Packing slip of parcel 1', 'Picking list', 'Print label'),
        seldom(acts(/^Hold units for .+…$/, 'POST /orders/{id}/items/{itemId}/hold')),
        acts('Ship', 'POST /orders/{id}/fulfill'),
        acts('Return', 'POST /orders/{id}/returns'),
        acts('Change', 'PATCH /orders/{id}'),
        acts('Produce', 'POST /orders/{id}/plan', 'POST /orders/{id}/produce'),
        acts(/^More for order /),
        acts('Cancel the order…', 'DELETE /orders/{id}'),
        acts('Mark as refunded…', 'PATCH /orders/{id}'),
        acts('Erase the customer…', 'POST /orders/{id}/erase-customer'),
        ...mapping,
      ],
    },
  ],
  '/orders/unmapped': [
    { controls: [moreRows, ...mapping, acts(/^Forget the mapping of /, 'DELETE /listing-maps/{id}')] },
  ],
  '/orders/new': [
    {
      controls: [
        ...['SKU', 'Pieces', 'Price of one', 'Personalisation', 'Add a line', 'Order number', 'Platform'].map(orders),
        ...['Shop', 'Currency', 'Priority', 'To ship by', 'Shipping', 'Tax', 'Discount', 'Notes', 'Name'].map(orders),
        orders('The customer has paid'),
        ...['Email', 'Telephone', 'Street and number', 'Postal code', 'City', 'State or region', 'Country'].map(orders),
        orders('Record the order'),
      ],
    },
  ],
  '/orders/import': [
    {
      controls: ['CSV file', 'Source of the file', 'Shop', 'Currency', 'Preview', 'takes files'].map((name) =>
        acts(name, 'POST /orders/import'),
      ),
    },
  ],
}
