import { makeValidatorCompiler } from '../../http/request/validation.ts'
import { AppError, type FieldErrors } from '../../kernel/errors.ts'
import { type NewOrder, NewOrderBody } from './orders.schema.ts'

const checkBody = makeValidatorCompiler()({ schema: NewOrderBody, httpPart: 'body' })

/** Checks an order that no request has brought by the rules of POST /orders, which are these. */
export function checkNewOrder(body: Record<string, unknown>): { value: NewOrder } | { errors: FieldErrors } {
  // Fields that are undefined are not there, as in JSON.
  const checked = checkBody(JSON.parse(JSON.stringify(body)))
  if (!('error' in checked)) return { value: checked.value as NewOrder }
  if (checked.error instanceof AppError) return { errors: checked.error.details as FieldErrors }
  throw checked.error
}

/** Answers what is wrong with the discount of an order; undefined when nothing is. */
export function discountExcess(body: NewOrder): string | undefined {
  const { items, shipping_cost = 0, tax_amount = 0, discount_amount = 0 } = body
  const total = items.reduce((sum, item) => sum + item.quantity * item.unit_price, shipping_cost + tax_amount)
  return discount_amount > total ? 'must be at most the total of items, shipping and tax' : undefined
}
