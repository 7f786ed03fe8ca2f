import { randomBytes } from 'node:crypto'

/** A new token of a hub: 256 random bits, with a prefix by which it is recognised where it leaks. */
export function makeHubToken(): string {
  return `printyard_hub_${randomBytes(32).toString('hex')}`
}
