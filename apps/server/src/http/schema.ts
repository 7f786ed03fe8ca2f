import Type, { type Static, type TObject, type TProperties, type TSchema, type TUnsafe } from 'typebox'
import { catalogue, type ErrorCode } from '../kernel/errors.ts'
import type { Id, IdKind } from '../kernel/ids.ts'
import { hexCodePattern } from './hex-code.ts'

/**
 * The value or null. Written as a list of types, because an `anyOf` makes the serialiser try each branch on every value.
 */
export function nullable<T extends TSchema>(schema: T): TUnsafe<Static<T> | null> {
  const { type, enum: members, ...rest } = schema as unknown as { type: string; enum?: unknown[] }
  return Type.Unsafe<Static<T> | null>({ ...rest, type: [type, 'null'], ...(members && { enum: [...members, null] }) })
}

/** One of these texts. */
export function oneOf<const T extends readonly string[]>(
  values: T,
  options: Record<string, unknown> = {},
): TUnsafe<T[number]> {
  return Type.Unsafe<T[number]>({ type: 'string', enum: [...values], ...options })
}

/** A request text: length in Unicode code points. NUL bytes and lone surrogates are refused before this is looked at. */
export function text(minLength: number, maxLength: number, description: string) {
  return Type.String({ minLength, maxLength, description })
}

/** Marks a text for which null means the same as the empty text: neither is stored as null. */
export const nullIsEmpty = 'x-null-is-empty'

/** A request text that null empties, as the empty text does; a handler is only ever given texts. */
export function clearableText(maxLength: number, description: string, options: Record<string, unknown> = {}) {
  return Type.Unsafe<string>({ type: ['string', 'null'], maxLength, description, ...options, [nullIsEmpty]: true })
}

/** Marks a code of a colour, which a handler is given with # and six digits. */
export const isHexCode = 'x-hex-code'

/** A code of a colour as callers write it; null and the empty text stand for none. */
export function hexCode(description: string) {
  const forms = `${description} as # and six hexadecimal digits, or three, also without #; null or empty: none`
  return clearableText(7, forms, { pattern: hexCodePattern, examples: ['#1A2B3C'], [isHexCode]: true })
}

/** Most characters of an ID, or of another text that names a thing in a path. */
export const longestId = 255

/**
 * The ID of one kind of thing, as clients send it back to us in a body or query. Its form is opaque, so an ID of another kind
 * names nothing; only its length is bounded, far above what the router lets through in a path: an ID that is long names
 * nothing either.
 */
export function idOf<Kind extends IdKind>(_kind: Kind, description: string) {
  return Type.Unsafe<Id<Kind>>(Type.String({ minLength: 1, maxLength: longestId, description }))
}

/** The same where an empty text is no mistake in form: it names nothing. */
export function anyIdOf<Kind extends IdKind>(_kind: Kind, description: string) {
  return Type.Unsafe<Id<Kind>>(anyIdText(description))
}

/** An ID, or a text that names a thing in another way. */
export function anyIdText(description: string) {
  return Type.String({ maxLength: longestId, description })
}

/** A point in time as answered: UTC with milliseconds. */
export function timestamp(description: string) {
  return Type.String({ format: 'date-time', description, examples: ['2026-11-20T09:30:00.000Z'] })
}

/** The ID in a path that names one thing. */
export function idParams<Kind extends IdKind>(kind: Kind) {
  return Type.Object({ id: anyIdOf(kind, 'ID of the resource') }, { additionalProperties: false })
}

/** The longest name that a list is sorted by, wholly of characters that JSON escapes, makes a cursor of 1,100. */
const longestCursor = 1_500

/** `limit` of a list, and where its page begins: after `offset` rows, or where the page before ended. */
export const pageQuery = {
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 50, description: 'Most rows to answer' }),
  // No default: a page that was asked for by offset is told apart from the first page of a walk.
  offset: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 10_000_000, description: 'Rows to skip; none when it is left out' }),
  ),
  cursor: Type.Optional(
    text(1, longestCursor, 'The next_cursor of the page before, with the same filters; excludes offset'),
  ),
}

/** Rows that a list answers which is not paged unless asked to be: all, on any farm of ordinary size. */
export const mostUnpaged = 5_000

/** The same for a list that clients take whole: without any of these it is answered so, up to `mostUnpaged` rows. */
export const wholeQuery = {
  ...pageQuery,
  limit: wholeLimit(100, 50),
}

/** @param paged rows of a page that is asked for by offset or cursor alone */
export function wholeLimit(maximum: number, paged: number) {
  return Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum,
      description: `Most rows to answer. Left out: ${paged} with offset or cursor, and without them the whole list, up to ${mostUnpaged} rows`,
    }),
  )
}

/** A request body or query: unknown fields are dropped, never stored. */
export function request<T extends TProperties>(properties: T, options: Record<string, unknown> = {}): TObject<T> {
  return Type.Object(properties, { additionalProperties: false, ...options })
}

/** Marks an object of which a field is needed unless another is given: the field → the other, or others. */
export const requiredUnless = 'x-required-unless'

/** What a schema is published as, where more is accepted than programs made of the API description have to know. */
export const publishedAs = 'x-published-as'

/** Marks a request body that may be left out, in its schema: the description says so, and a handler is given `{}`. */
export const mayBeLeftOut = 'x-may-be-left-out'

/** A request body of which no field is needed: none is sent by most callers. */
export function optionalRequest<T extends TProperties>(properties: T): TObject<T> {
  return request(properties, { [mayBeLeftOut]: true })
}

/** An answer body: closed, so that a new column cannot leak. */
export function answer<T extends TProperties>(properties: T, options: Record<string, unknown> = {}): TObject<T> {
  return Type.Object(properties, { additionalProperties: false, ...options })
}

/** An answer body with a name of its own in the API description. */
export function resource<T extends TProperties>(title: string, description: string, properties: T): TObject<T> {
  return answer(properties, { title, description })
}

export const success = Type.Unsafe<true>({
  type: 'boolean',
  description: 'Always true: the request succeeded',
})

/** `{success: true, data}`, described as its data is. */
export function envelope<T extends TSchema>(data: T) {
  return answer({ success, data }, describedAs(data))
}

/** `{success: true, data: […], meta}` */
export function pageEnvelope<T extends TSchema>(item: T) {
  return answer(
    {
      success,
      data: Type.Array(item, { description: 'The rows of this page' }),
      meta: resource('PageMeta', 'Position of the page in the list', {
        limit: Type.Integer({ description: 'The limit applied' }),
        offset: Type.Integer({ description: 'The rows skipped by offset; 0 on a page reached by cursor' }),
        count: Type.Integer({ description: 'Rows in this page' }),
        next_cursor: Type.Optional(
          nullable(
            Type.String({
              description:
                'Send it as cursor to get the page after this one; null: this is the last one. Missing when offset was sent',
            }),
          ),
        ),
      }),
    },
    { description: 'A page of the list' },
  )
}

function describedAs(schema: TSchema): { description?: string } {
  // The types of TypeBox leave out the keywords that any schema may have.
  const { description } = schema as { description?: string }
  return description === undefined ? {} : { description }
}

/** What any endpoint behind an API key may answer, whatever it does. */
const commonFailures: ErrorCode[] = [
  'VALIDATION_ERROR',
  'UNAUTHORIZED',
  'TOKEN_INVALID',
  'TOKEN_REVOKED',
  'TOKEN_EXPIRED',
  'INSUFFICIENT_SCOPE',
  'RATE_LIMITED',
  'INTERNAL_ERROR',
  'SERVICE_UNAVAILABLE',
  'STORAGE_FULL',
]

/** What any endpoint with a JSON body may answer besides. */
export const bodyFailures: ErrorCode[] = ['PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE']

/** What any POST may answer besides. */
export const postFailures: ErrorCode[] = [...bodyFailures, 'IDEMPOTENCY_KEY_REUSED', 'IDEMPOTENCY_IN_PROGRESS']

/** By their codes. Hundreds of routes have the same few: each its own would be a tenth of a start, and megabytes. */
const failureSchemas = new Map<string, TSchema>()

function failureSchema(codes: ErrorCode[]): TSchema {
  const key = codes.join()
  const schema = failureSchemas.get(key) ?? makeFailureSchema(codes)
  failureSchemas.set(key, schema)
  return schema
}

function makeFailureSchema(codes: ErrorCode[]) {
  return answer(
    {
      success: Type.Unsafe<false>({ type: 'boolean', description: 'Always false' }),
      error: answer({
        code: oneOf(codes, { description: 'Machine-readable and stable' }),
        message: Type.String({ description: 'Sentence for people; its wording may change' }),
        details: Type.Optional(
          Type.Unsafe<unknown>({
            description: 'VALIDATION_ERROR: field path → messages; other codes: details of the error',
          }),
        ),
      }),
    },
    {
      description: codes.join(', '),
      examples: codes.map((code) => ({ success: false, error: { code, message: catalogue[code][1] } })),
    },
  )
}

/** The error answers of a route by status: those named, and those that every route can give. */
export function failures(...codes: ErrorCode[]): Record<number, TSchema> {
  return schemasOf([...codes, ...commonFailures])
}

function schemasOf(codes: ErrorCode[]): Record<number, TSchema> {
  const byStatus = new Map<number, ErrorCode[]>()
  for (const code of new Set(codes)) {
    const status = statusOf(code)
    const others = byStatus.get(status)
    if (others === undefined) byStatus.set(status, [code])
    else others.push(code)
  }
  const schemas: Record<number, TSchema> = {}
  for (const [status, list] of byStatus) schemas[status] = failureSchema(list)
  return schemas
}

function statusOf(code: ErrorCode): number {
  return catalogue[code][0]
}

/** The answers of a route, with more codes among its errors. */
export function addFailures(answers: Record<string, unknown>, ...codes: ErrorCode[]): Record<string, unknown> {
  const statuses = new Set(codes.map(statusOf))
  const declared = [...statuses].flatMap((status) => codesIn(answers[status]))
  const common = commonFailures.filter((code) => statuses.has(statusOf(code)))
  return { ...answers, ...schemasOf([...declared, ...codes, ...common]) }
}

/** The codes of an answer that `failures` has made. */
function codesIn(schema: unknown): ErrorCode[] {
  const { properties } = (schema ?? {}) as {
    properties?: { error?: { properties?: { code?: { enum?: ErrorCode[] } } } }
  }
  return properties?.error?.properties?.code?.enum ?? []
}

/** An answer for one thing. */
export function ok<T>(data: T): { success: true; data: T } {
  return { success: true, data }
}

/** Position of a page in its list. */
export interface PageMeta {
  limit: number
  offset: number
  count: number
  next_cursor?: string | null
}

/** An answer for a page of a list; `readPage` makes its `meta`. */
export function page<T>(data: T[], meta: PageMeta) {
  return { success: true as const, data, meta }
}
