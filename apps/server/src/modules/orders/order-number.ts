import { randomInt } from 'node:crypto'

/** Without I, L, O and U: read over the telephone, no two sound or look alike. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** A number for an order that came without one: `ORD-` and 40 random bits, so that no counter makes orders wait. */
export function makeOrderNumber(): string {
  return `ORD-${Array.from({ length: 8 }, () => alphabet[randomInt(alphabet.length)]).join('')}`
}
