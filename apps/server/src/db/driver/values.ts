import { arrayTypeOf, parseArray } from './array-types.ts'
import { JsonText } from './sendable-parameters.ts'

/** What goes over the wire for a parameter: text, bytes, or null. */
export type WireValue = string | Buffer | null

/**
 * The type of a parameter where the value decides it; the server infers every other from the statement. Written as a cast,
 * which tells the server as much as a declared type would.
 */
export function castOf(value: unknown): string {
  if (typeof value === 'boolean') return '::boolean'
  if (typeof value === 'bigint') return '::int8'
  if (value instanceof Date) return '::timestamptz'
  if (value instanceof JsonText) return '::jsonb'
  return value instanceof Uint8Array ? '::bytea' : ''
}

/** Writes a checked parameter. */
export function writeValue(value: unknown): WireValue {
  if (typeof value === 'string') return value
  if (value === null) return null
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength)
  return Array.isArray(value) ? writeArray(value) : writeScalar(value)
}

function writeScalar(value: unknown): string {
  if (value instanceof Date) return value.toISOString()
  if (value instanceof JsonText) return value.text
  if (value instanceof Uint8Array) return `\\x${Buffer.from(value).toString('hex')}`
  return String(value)
}

function writeArray(values: readonly unknown[]): string {
  const elements = values.map((value) => {
    if (value === null) return 'null'
    if (Array.isArray(value)) return writeArray(value)
    return `"${writeScalar(value).replace(/["\\]/g, '\\$&')}"`
  })
  return `{${elements.join(',')}}`
}

type Parse = (text: string) => unknown

/** Object identifiers of pg_catalog.pg_type, which never change. A type that is not listed stays text. */
const scalarParsers: Readonly<Record<number, Parse>> = {
  16: (text) => text === 't', // bool
  17: (text) => Buffer.from(text.slice(2), 'hex'), // bytea
  20: parseInt8, // int8
  21: Number, // int2
  23: Number, // int4
  26: Number, // oid
  114: JSON.parse, // json
  700: Number, // float4
  701: Number, // float8
  1184: (text) => new Date(text), // timestamptz
  3802: JSON.parse, // jsonb
}

function parseInt8(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value))
    throw new RangeError(`The int8 ${text} does not fit a JavaScript number; select it as text`)
  return value
}

const asText: Parse = (text) => text

const parsers = new Map<number, Parse>(Object.entries(scalarParsers).map(([type, parse]) => [Number(type), parse]))
for (const [element, array] of Object.entries(arrayTypeOf)) {
  const parse = scalarParsers[Number(element)] ?? asText
  parsers.set(array, (text) => parseArray(text, parse))
}

/** Reads the text of a value of a type. */
export function parserOf(type: number): Parse {
  return parsers.get(type) ?? asText
}
