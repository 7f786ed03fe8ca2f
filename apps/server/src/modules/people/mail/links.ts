import { randomBytes } from 'node:crypto'
import { hashSecret } from '../../../kernel/hash-secret.ts'

/** An invitation can be accepted this long. */
export const invitationLifetimeMs = 7 * 24 * 60 * 60 * 1000

/** A password can be set by a link this long. */
export const resetLifetimeMs = 60 * 60 * 1000

/** The secret part of a link: 256 random bits, of which only the hash is kept. */
export function makeLinkToken(): { token: string; hash: Buffer } {
  const token = randomBytes(32).toString('base64url')
  return { token, hash: hashSecret(token) }
}

// After the #, so that the token is sent to no server by following the link: it stands in no log and in no Referer.

/** The page of the dashboard where an invitation is accepted. */
export function invitationUrl(publicUrl: string, token: string): string {
  return `${publicUrl}/invitation#${token}`
}

/** The page of the dashboard where a new password is set. */
export function resetUrl(publicUrl: string, token: string): string {
  return `${publicUrl}/reset-password#${token}`
}
