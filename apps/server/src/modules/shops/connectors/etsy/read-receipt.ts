import type { ShopLine, ShopOrder, ShopOrderState } from '../../../orders/from-shop/shop-order.ts'
import { isCurrency, minorDigits } from '../../../orders/settings/currencies.ts'
import type { UnreadableOrder } from '../contract/connector.ts'
import { AmountProblem } from '../contract/money.ts'
import { listOf, objectOf, textOf } from '../contract/read-text.ts'

/** The property under which personalisation came before listings could ask several questions. */
const personalisationProperty = 54

/** What stands there when the customer asked for nothing. */
const notAsked = 'not requested on this item.'

/** A receipt of the Open API v3 in our words. Refunds of a part name no lines: lines stay, and the total says what is left. */
export function readReceipt(value: unknown, names: readonly string[]): ShopOrder | UnreadableOrder {
  const receipt = objectOf(value)
  const external_id = textOf(receipt.receipt_id, 200)
  try {
    const currency = textOf(objectOf(receipt.grandtotal).currency_code, 3).toUpperCase()
    if (!isCurrency(currency)) throw new AmountProblem(`"${currency}" is not a currency of ISO 4217`)
    const money = (amount: unknown) => readEtsyMoney(amount, currency)
    const refunded = listOf(receipt.refunds).reduce<number>((sum, each) => sum + money(objectOf(each).amount), 0)
    const createdAt = instantOf(receipt.created_timestamp ?? receipt.create_timestamp)
    const shipBy = listOf(receipt.transactions)
      .map((each) => Number(objectOf(each).expected_ship_date))
      .filter((at) => at > 0)
    return {
      external_id,
      state: stateOf(receipt),
      fields: {
        order_number: external_id,
        ...(createdAt !== undefined && { order_date: createdAt }),
        ...(shipBy.length > 0 && { ship_by: instantOf(Math.min(...shipBy)) as string }),
        currency,
        is_paid: receipt.is_paid === true,
        ...addressOf(receipt),
        shipping_cost: money(receipt.total_shipping_cost),
        tax_amount: money(receipt.total_tax_cost) + money(receipt.total_vat_cost),
        discount_amount: money(receipt.discount_amt),
        total_revenue: Math.max(0, money(receipt.grandtotal) - refunded),
        notes: notesOf(receipt),
      },
      lines: listOf(receipt.transactions).map((line) => readLine(objectOf(line), money, names)),
    }
  } catch (error) {
    if (!(error instanceof AmountProblem)) throw error
    return { external_id, problem: error.message }
  }
}

function stateOf({ status, is_paid, is_shipped }: Record<string, unknown>): ShopOrderState {
  const word = textOf(status, 40).toLowerCase()
  if (word === 'canceled' || word === 'cancelled') return 'cancelled'
  if (word === 'fully refunded') return 'refunded'
  if (is_shipped === true || word === 'completed') return 'done'
  return is_paid === true ? 'open' : 'waiting'
}

/** An amount `{amount, divisor}` in the minor unit of its currency, whatever its divisor. @throws AmountProblem */
export function readEtsyMoney(value: unknown, currency: string): number {
  if (value === null || value === undefined) return 0
  const { amount, divisor } = objectOf(value)
  if (!Number.isSafeInteger(amount) || !Number.isSafeInteger(divisor) || Number(divisor) <= 0) {
    throw new AmountProblem(`${textOf(JSON.stringify(value), 40)} is no amount`)
  }
  return Math.round((Number(amount) * 10 ** minorDigits(currency)) / Number(divisor))
}

function instantOf(seconds: unknown): string | undefined {
  const at = Number(seconds)
  return Number.isSafeInteger(at) && at > 0 ? new Date(at * 1_000).toISOString() : undefined
}

/** Names and addresses are null where Etsy withholds them. */
function addressOf(receipt: Record<string, unknown>): Partial<ShopOrder['fields']> {
  const street = [receipt.first_line, receipt.second_line]
    .map((part) => textOf(part, 250))
    .filter((part) => part !== '')
  return {
    customer_name: textOf(receipt.name, 255),
    customer_email: textOf(receipt.buyer_email, 320),
    shipping_street: street.join(', '),
    shipping_city: textOf(receipt.city, 200),
    shipping_state: textOf(receipt.state, 200),
    shipping_zip: textOf(receipt.zip, 50),
    shipping_country: textOf(receipt.country_iso, 100),
  }
}

/** Answers what the buyer wrote with the order, and on the gift. */
function notesOf(receipt: Record<string, unknown>): string {
  const gift = receipt.is_gift === true ? `Gift: ${textOf(receipt.gift_message, 900)}`.trim() : ''
  return textOf([textOf(receipt.message_from_buyer, 1000), gift].filter((part) => part !== '').join('\n'), 2000)
}

function readLine(
  line: Record<string, unknown>,
  money: (amount: unknown) => number,
  names: readonly string[],
): ShopLine {
  const sku = textOf(line.sku, 100)
  const listing = textOf(line.listing_id, 255)
  const { options, answers } = splitVariations(listOf(line.variations).map(objectOf), names)
  const product_name = textOf(line.title, 255) || 'Unnamed product'
  return {
    external_id: textOf(line.transaction_id, 200),
    ...(sku !== '' && { sku }),
    // The ID of a product changes whenever its listing is written: options are known by their words.
    ...(listing !== '' && { listing_id: listing }),
    ...(options !== '' && { variation: options }),
    ...(sku === '' && listing === '' && { listing_id: product_name }),
    product_name,
    // What is downloaded is not made.
    quantity: line.is_digital === true ? 0 : Math.max(0, Math.trunc(Number(line.quantity) || 0)),
    unit_price: Math.max(0, money(line.price)),
    personalisation: answers,
  }
}

/** Chosen options, as `Colour: Red, Size: L`, and what the customer wants on the piece. Both come as variations. */
function splitVariations(variations: readonly Record<string, unknown>[], names: readonly string[]) {
  const wanted = new Set(names.map((name) => name.toLowerCase()))
  const options: string[] = []
  const answers: { name: string; value: string }[] = []
  for (const variation of variations) {
    const name = textOf(variation.formatted_name, 100)
    const value = textOf(variation.formatted_value, 1000)
    if (value === '') continue
    const isQuestion = variation.question_id !== null && variation.question_id !== undefined
    const isAnswer = isQuestion || variation.property_id === personalisationProperty || wanted.has(name.toLowerCase())
    if (!isAnswer) options.push(`${name}: ${value}`)
    else if (value.toLowerCase() !== notAsked) answers.push({ name: name || 'Personalization', value })
  }
  return { options: textOf(options.join(', '), 255), answers: answers.slice(0, 20) }
}
