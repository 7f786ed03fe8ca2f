import type { ShopLine, ShopOrder, ShopOrderState } from '../../../orders/from-shop/shop-order.ts'
import { isCurrency } from '../../../orders/settings/currencies.ts'
import type { UnreadableOrder } from '../contract/connector.ts'
import { AmountProblem, readMoney } from '../contract/money.ts'
import { listOf, objectOf, textOf } from '../contract/read-text.ts'
import { numberOf } from './admin-api.ts'

const paid = ['PAID', 'PARTIALLY_REFUNDED', 'REFUNDED']

/** An order of the Admin API in our words. */
export function readOrder(
  order: Record<string, unknown>,
  { personalisationNames }: { personalisationNames: readonly string[] },
): ShopOrder | UnreadableOrder {
  const external_id = textOf(order.legacyResourceId, 200) || numberOf(order.id)
  try {
    const currency = textOf(order.currencyCode, 3).toUpperCase()
    if (!isCurrency(currency)) throw new AmountProblem(`"${currency}" is not a currency of ISO 4217`)
    const amountOf = (set: unknown) => {
      const amount = objectOf(objectOf(set).shopMoney).amount
      return readMoney(textOf(amount, 40) || '0', currency)
    }
    const payment = textOf(order.displayFinancialStatus, 40)
    const to = objectOf(order.shippingAddress)
    const billing = objectOf(order.billingAddress)
    const street = [to.company, to.address1, to.address2].map((part) => textOf(part, 400)).filter((part) => part !== '')
    return {
      external_id,
      state: stateOf(order, payment),
      fields: {
        order_number: textOf(order.name, 100) || external_id,
        ...(textOf(order.createdAt, 40) !== '' && { order_date: textOf(order.createdAt, 40) }),
        currency,
        is_paid: paid.includes(payment),
        // Without the right to personal data they are null.
        customer_name: textOf(to.name, 255) || textOf(billing.name, 255),
        customer_email: textOf(order.email, 320),
        customer_phone: textOf(to.phone, 50) || textOf(order.phone, 50) || textOf(billing.phone, 50),
        shipping_street: textOf(street.join(', '), 500),
        shipping_city: textOf(to.city, 200),
        shipping_state: textOf(to.provinceCode, 200) || textOf(to.province, 200),
        shipping_zip: textOf(to.zip, 50),
        shipping_country: textOf(to.countryCodeV2, 100) || textOf(to.country, 100),
        shipping_cost: amountOf(order.totalShippingPriceSet),
        // Of prices with tax it stands in the lines already.
        tax_amount: order.taxesIncluded === true ? 0 : amountOf(order.currentTotalTaxSet),
        discount_amount: amountOf(order.currentTotalDiscountsSet),
        total_revenue: Math.max(0, amountOf(order.currentTotalPriceSet)),
        notes: textOf(order.note, 2000),
      },
      lines: listOf(objectOf(order.lineItems).nodes)
        .map(objectOf)
        // Gift cards and downloads are nothing to be made.
        .filter((line) => line.requiresShipping !== false)
        .map((line) => readLine(line, amountOf, personalisationNames)),
    }
  } catch (error) {
    if (!(error instanceof AmountProblem)) throw error
    return { external_id, problem: error.message }
  }
}

function stateOf(order: Record<string, unknown>, payment: string): ShopOrderState {
  if (textOf(order.cancelledAt, 40) !== '' || payment === 'VOIDED' || payment === 'EXPIRED') return 'cancelled'
  if (payment === 'REFUNDED') return 'refunded'
  return order.displayFulfillmentStatus === 'FULFILLED' ? 'done' : 'open'
}

function readLine(
  line: Record<string, unknown>,
  amountOf: (set: unknown) => number,
  personalisationNames: readonly string[],
): ShopLine {
  const sku = textOf(line.sku, 100)
  const name = textOf(line.name, 255) || 'Unnamed product'
  const productId = textOf(objectOf(line.product).legacyResourceId, 255)
  const variantId = textOf(objectOf(line.variant).legacyResourceId, 255)
  const wanted = new Set(personalisationNames.map((each) => each.toLowerCase()))
  return {
    external_id: numberOf(line.id),
    ...(sku !== '' && { sku }),
    // Of a product that was deleted nothing is left but its name.
    ...(productId !== '' ? { listing_id: productId } : sku === '' ? { listing_id: name } : {}),
    ...(productId !== '' && variantId !== '' && { variation: variantId }),
    product_name: name,
    // `quantity` counts what was refunded or taken off as well.
    quantity: Math.max(0, Math.trunc(Number(line.currentQuantity) || 0)),
    unit_price: Math.max(0, amountOf(line.originalUnitPriceSet)),
    personalisation: listOf(line.customAttributes)
      .map(objectOf)
      .map(({ key, value }) => ({ name: textOf(key, 100), value: textOf(value, 1000) }))
      // Apps keep under names that begin with `_` what is not for people.
      .filter(({ name: key, value }) => key !== '' && value !== '' && !key.startsWith('_'))
      .filter(({ name: key }) => wanted.size === 0 || wanted.has(key.toLowerCase()))
      .slice(0, 20),
  }
}
