import { minorDigits } from '../../../orders/settings/currencies.ts'

/** An amount that is no number. */
export class AmountProblem extends Error {}

/**
 * An amount as shops write it, `12.5` or `-3`, in the minor unit of its currency. Exact to the last digit; what the currency does not
 * have is rounded, halves away from zero.
 *
 * @throws AmountProblem
 */
export function readMoney(text: string, currency: string): number {
  const [, sign = '', whole, fraction = ''] = /^\s*([-+]?)(\d{1,15})(?:\.(\d*))?\s*$/.exec(text) ?? []
  if (whole === undefined) throw new AmountProblem(`"${text.slice(0, 40)}" is no amount`)
  const digits = minorDigits(currency)
  const kept = Number(`${whole}${fraction.slice(0, digits).padEnd(digits, '0')}`)
  const amount = kept + (Number(fraction[digits] ?? '0') >= 5 ? 1 : 0)
  if (!Number.isSafeInteger(amount)) throw new AmountProblem(`"${text.slice(0, 40)}" is too large`)
  return sign === '-' && amount !== 0 ? -amount : amount
}
