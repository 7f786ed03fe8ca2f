import { randomInt } from 'node:crypto'

/** Without the characters that are mistaken for each other when read aloud or copied: I, L, O, 0 and 1. */
const alphabet = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789'
const codeLength = 8

/** A join code works this long. */
export const joinCodeLifetimeMs = 10 * 60 * 1000

export function makeJoinCode(): string {
  return Array.from({ length: codeLength }, () => alphabet[randomInt(alphabet.length)]).join('')
}

/** A code as a person may type it: in any case, with spaces or hyphens. */
export function normalizeJoinCode(typed: string): string {
  return typed.replace(/[\s-]/g, '').toUpperCase()
}
