import { randomInt } from 'node:crypto'
import type { UserId } from '../../../kernel/ids.ts'
import type { SecretBox } from '../../../kernel/secret-box.ts'

/** Without the characters that are mistaken for each other: I, L, O, 0 and 1. */
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789'
/** Together 118 bits: what has fewer than 112 would have to be kept as passwords are (OWASP ASVS 5.0.0, V6.5.2). */
const groupCount = 4
const groupLength = 6

/** Without their hyphens; codes of 49 bits, as they were made before, count until others take their place. */
const codeForm = /^(?:[a-z2-9]{24}|[a-z2-9]{10})$/

const backupCodeCount = 10

/** Ten codes as `xxxxxx-xxxxxx-xxxxxx-xxxxxx`. */
export function makeBackupCodes(): string[] {
  const group = () => Array.from({ length: groupLength }, () => alphabet[randomInt(alphabet.length)]).join('')
  return Array.from({ length: backupCodeCount }, () => Array.from({ length: groupCount }, group).join('-'))
}

/**
 * Answers what is kept of a backup code, however it is typed: a hash with the service's own key, so that the database alone does not tell
 * whether a code is one. Undefined for what has not the form of one.
 */
export function hashBackupCode(secrets: Pick<SecretBox, 'sign'>, userId: UserId, typed: string): string | undefined {
  const text = textOfCode(userId, typed)
  return text && secrets.sign(text)
}

/** Answers what a code may be kept as: by the present key, or by one of before a rotation. */
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
  return codeForm.test(code) ? JSON.stringify(['backup code', userId, code]) : undefined
}
