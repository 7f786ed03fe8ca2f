import { randomInt } from 'node:crypto'
import type { UserId } from '../../../kernel/ids.ts'
import type { SecretBox } from '../../../kernel/secret-box.ts'

/** Without the characters that are mistaken for each other: I, L, O, 0 and 1. */
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789'
const halfLength = 5

export const backupCodeCount = 10

/** Ten codes as `xxxxx-xxxxx`, of 49 bits each. */
export function makeBackupCodes(): string[] {
  const half = () => Array.from({ length: halfLength }, () => alphabet[randomInt(alphabet.length)]).join('')
  const codes = new Set<string>()
  while (codes.size < backupCodeCount) codes.add(`${half()}-${half()}`)
  return [...codes]
}

/**
 * What is kept of a backup code, however it is typed: a hash with the service's own key, because 49 bits alone could be
 * tried through by whoever took the database. Undefined for what has not the form of one.
 */
export function hashBackupCode(secrets: Pick<SecretBox, 'sign'>, userId: UserId, typed: string): string | undefined {
  const code = typed.toLowerCase().replace(/[\s-]/g, '')
  if (!/^[a-z2-9]{10}$/.test(code)) return undefined
  return secrets.sign(JSON.stringify(['backup code', userId, code]))
}
