import { timingSafeEqual } from 'node:crypto'
import { hashSecret } from '../../../kernel/hash-secret.ts'
import type { SecretBox } from '../../../kernel/secret-box.ts'

/** Without the characters that are mistaken for each other when read aloud or copied: I, L, O, 0 and 1. */
const alphabet = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789'
const codeLength = 8

/**
 * The code by which the first person sets the service up. It follows from the secret key, so that every
 * process of a service has the same one, also after a restart; it is worth nothing when there is an account.
 */
export function setUpCode(secrets: Pick<SecretBox, 'sign'>): string {
  const bytes = Buffer.from(secrets.sign('set-up code'), 'base64url')
  return Array.from(bytes.subarray(0, codeLength), (byte) => alphabet[byte % alphabet.length]).join('')
}

/** True when this is the code, as a person may type it: in any case, with spaces or hyphens. */
export function isSetUpCode(secrets: Pick<SecretBox, 'sign'>, typed: string): boolean {
  const code = typed.replace(/[\s-]/g, '').toUpperCase()
  return timingSafeEqual(hashSecret(code), hashSecret(setUpCode(secrets)))
}
