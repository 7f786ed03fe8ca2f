import { randomInt } from 'node:crypto'
import type { UserId } from '../../../kernel/ids.ts'
import type { SecretBox } from '../../../kernel/secret-box.ts'

/** Without the characters that are mistaken for each other: I, L, O, 0 and 1. */
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789'
const halfLength = 5

const backupCodeCount = 10

/** Ten codes as `xxxxx-xxxxx`, of 49 bits each. */
export function makeBackupCodes(): string[] {
  const half = () => Array.from({ length: halfLength }, () => alphabet[randomInt(alphabet.length)]).join('')
  const codes = new Set<string>()
  while (codes.size < backupCodeCount) codes.add(`${half()}-${half()}`)
  return [...codes]
}

/**
 * What is kept of a backup code, however it is typed: a hash with the service's own key, because 49 bits alone could be
 * tried through by anyone who took the database. Undefined for what has not the form of one.
 */
export function hashBackupCode(secrets: Pick<SecretBox, 'sign'>, userId: UserId, typed: string): string | undefined {
  const text = textOfCode(userId, typed)
  return text && secrets.sign(text)
}

/** What a code may be kept as: by the present key, or by one of before a rotation. */
export function hashesOfBackupCode(
  secrets: Pick<SecretBox, 'sign' | 'formerSigns'>,
  userId: UserId,
  typed: string,
): string[] {
  const text = textOfCode(userId, typed)
  return text ? [secrets.sign(text), ...secrets.formerSigns(text)] : []
}

function textOfCode(userId: UserId, typed: string): string | undefined {
  const code = typed.toLowerCase().replace(/[\s-]/g, '')
  return /^[a-z2-9]{10}$/.test(code) ? JSON.stringify(['backup code', userId, code]) : undefined
}
