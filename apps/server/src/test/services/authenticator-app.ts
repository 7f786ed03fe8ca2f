import { Secret, TOTP } from 'otpauth'

/** The code that an app shows at this time, by what every app takes for granted. */
export function totpCode(secret: string, now: Date): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: now.getTime() })
}
