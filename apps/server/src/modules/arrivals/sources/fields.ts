import { UnreadableSourceError } from './drafts.ts'

/** Fields of a JSON object of others: of any of them nothing is certain. */
export type Fields = Record<string, unknown>

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A text or number as text without spaces around it; empty for anything else. */
export function textOf(value: unknown): string {
  if (typeof value === 'number' && Number.isFinite(value)) return String(value)
  return typeof value === 'string' ? value.trim() : ''
}

/** A number, also one that is written as text; undefined for anything else. */
export function numberOf(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined
}

/** The fields that have something. */
export function filled(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== '' && value !== undefined))
}

/** `#RRGGBB` of six or eight digits with or without `#`; empty for anything else. */
export function hexColorOf(value: unknown): string {
  const digits = /^#?([0-9a-f]{6})(?:[0-9a-f]{2})?$/i.exec(textOf(value))?.[1]
  return digits === undefined ? '' : `#${digits.toUpperCase()}`
}

function parseJson(text: string, what: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new UnreadableSourceError(`${what} is no JSON: ${why}.`, { cause: error })
  }
}

/** JSON as a list of objects: an array, one object, or an object on each line, as `mongoexport` writes them. */
export function parseObjects(text: string, what: string): Fields[] {
  const trimmed = text.trim()
  if (trimmed === '') return []
  const isLines = trimmed.startsWith('{') && /\}\s*\n\s*\{/.test(trimmed)
  const values = isLines
    ? trimmed
        .split(/\r?\n/)
        .flatMap((line, index) => (line.trim() === '' ? [] : [parseJson(line, `${what}, line ${index + 1},`)]))
    : [parseJson(trimmed, what)].flat()
  return values.map((value, index) => {
    if (isFields(value)) return value
    throw new UnreadableSourceError(`${what}: entry ${index + 1} is no object.`)
  })
}
