/**
 * Money of costs: a whole number of millionths of the unit of a currency (`12.5` EUR is 12,500,000), as a bigint, so that
 * sums are exact. It is rounded only where a price is multiplied by a quantity, half away from zero.
 */
export type Micros = bigint

const fractionDigits = 6
const microsPerUnit = 10n ** BigInt(fractionDigits)

/** Form of an amount in requests and answers: a decimal number as text. */
export const amountPattern = '^(0|[1-9][0-9]{0,8})([.][0-9]{1,6})?$'

/** The amount in a text of this form. */
export function parseAmount(text: string): Micros {
  const [whole = '0', fraction = ''] = text.split('.')
  return BigInt(whole) * microsPerUnit + BigInt(fraction.padEnd(fractionDigits, '0'))
}

/** As people and programs read it: `12.5`, `-0.03`, `7`. */
export function formatAmount(amount: Micros): string {
  const size = amount < 0n ? -amount : amount
  const fraction = String(size % microsPerUnit)
    .padStart(fractionDigits, '0')
    .replace(/0+$/, '')
  return `${amount < 0n ? '-' : ''}${size / microsPerUnit}${fraction && `.${fraction}`}`
}

/** `amount × part ÷ whole`, rounded half away from zero. */
export function shareOf(amount: Micros, part: bigint | number, whole: bigint | number): Micros {
  const [product, divisor] = [amount * BigInt(part), BigInt(whole)]
  const isNegative = product < 0n !== divisor < 0n
  const size = abs(product)
  const quotient = (2n * size + abs(divisor)) / (2n * abs(divisor))
  return isNegative ? -quotient : quotient
}

const abs = (value: bigint) => (value < 0n ? -value : value)

/**
 * Divides an amount by weights into amounts that add up to it exactly: none is further than one millionth from its share. Equally
 * where no weight is above zero.
 */
export function spreadAmount(amount: Micros, weights: readonly (bigint | number)[]): Micros[] {
  const given = weights.map(BigInt)
  const sum = given.reduce((total, weight) => total + weight, 0n)
  const used = sum > 0n ? given : given.map(() => 1n)
  const whole = sum > 0n ? sum : BigInt(given.length)
  let before = 0n
  let spent = 0n
  return used.map((weight) => {
    before += weight
    const upTo = shareOf(amount, before, whole)
    const part = upTo - spent
    spent = upTo
    return part
  })
}

/** An amount in minor units of a currency, such as cents, where those have so many digits: at most as many as an amount has. */
export function fromMinorUnits(amount: number, digits: number): Micros {
  return BigInt(amount) * 10n ** BigInt(fractionDigits - digits)
}

/** A share in percent to a tenth, as text: `41.2`. Null of nothing. */
export function percentOf(part: Micros, whole: Micros): string | null {
  if (whole === 0n) return null
  const tenths = shareOf(part, 1_000, whole)
  const size = abs(tenths)
  return `${tenths < 0n ? '-' : ''}${size / 10n}${size % 10n === 0n ? '' : `.${size % 10n}`}`
}
