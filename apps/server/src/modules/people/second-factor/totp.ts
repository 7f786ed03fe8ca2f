import { randomBytes } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'

/** What every authenticator app understands: SHA-1, six digits, a new code each 30 s (RFC 6238). */
const settings = { algorithm: 'SHA1', digits: 6, period: 30 } as const

/** Codes of the step before and after count too, for a clock that is off and a person who types slowly. */
const window = 1

/** RFC 4226 asks for 160 bits. */
const secretBytes = 20

/** A new secret in base32, as people type it where they cannot scan. */
export function makeTotpSecret(): string {
  return new Secret({ buffer: Uint8Array.from(randomBytes(secretBytes)).buffer }).base32
}

/** Answers what an authenticator app reads from a QR code. */
export function otpauthUrl(secret: string, email: string): string {
  return new TOTP({ ...settings, secret: Secret.fromBase32(secret), issuer: 'Printyard', label: email }).toString()
}

/**
 * The time step (30 s each, since 1970) whose code this is; undefined when it is the code of no step near `now`. A step
 * that was used before must not count again: that is for the caller to see.
 */
export function findTotpStep(secret: string, code: string, now: Date): number | undefined {
  if (!/^\d{6}$/.test(code)) return undefined
  const totp = new TOTP({ ...settings, secret: Secret.fromBase32(secret) })
  const delta = totp.validate({ token: code, timestamp: now.getTime(), window })
  return delta === null ? undefined : totp.counter({ timestamp: now.getTime() }) + delta
}
