import { hash } from 'node:crypto'

/** SHA-256 of a secret of 128 random bits or more, by which it is stored and looked up. Not for passwords. */
export function hashSecret(secret: string): Buffer {
  return hash('sha256', secret, 'buffer')
}
