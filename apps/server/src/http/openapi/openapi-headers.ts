import Type, { type TProperties } from 'typebox'

type Json = Record<string, unknown>

/** Answers what a request may carry in its headers, by what the route is. The service itself reads them, not by these schemas. */
export function requestHeaders(route: { method: string; hasScope: boolean; isTagged: boolean }): TProperties {
  const { method, hasScope, isTagged } = route
  return {
    ...(hasScope && method === 'POST' && { 'Idempotency-Key': idempotencyKey }),
    ...(isTagged && method === 'GET' && { 'If-None-Match': ifNoneMatch }),
    ...(isTagged && method !== 'GET' && { 'If-Match': ifMatch }),
  }
}

const idempotencyKey = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 255,
    pattern: '^[\\x21-\\x7e]+$',
    description: 'Makes a repetition answer what the first request answered, for 24 hours. A new one for each intent',
    examples: ['7f0c2a52-9d4e-4d0b-8c55-1f6f0a0f3b1d'],
  }),
)

const ifNoneMatch = Type.Optional(
  Type.String({
    maxLength: 8192,
    description: 'Entity tags that the caller has; when one of them is that of the answer, the answer is 304',
    examples: ['"nJ3v0q5mXr8sT1uW4yZ6aB9cD2e"'],
  }),
)

const ifMatch = Type.Optional(
  Type.String({
    maxLength: 8192,
    description:
      'Entity tags by which the change is still right, or *; otherwise it is refused with PRECONDITION_FAILED',
    examples: ['"nJ3v0q5mXr8sT1uW4yZ6aB9cD2e"'],
  }),
)

const integer = { type: 'integer', minimum: 0 }
const string = { type: 'string' }

const headers = {
  'X-Request-Id': { description: 'The id of the request in the log; a sane one of the caller is kept', schema: string },
  'X-RateLimit-Limit': { description: 'Requests that a key has in a window', schema: integer },
  'X-RateLimit-Remaining': { description: 'Requests left in this window', schema: integer },
  'X-RateLimit-Reset': { description: 'End of the window, in Unix seconds', schema: integer },
  RateLimit: { description: 'The same after the IETF draft: `r` are left, for `t` seconds', schema: string },
  'RateLimit-Policy': { description: 'The limit after the IETF draft: `q` in each `w` seconds', schema: string },
  'Retry-After': { description: 'Seconds to wait before trying again', schema: integer },
  Location: { description: 'Address of the resource', schema: { type: 'string', format: 'uri' } },
  ETag: { description: 'The strong entity tag of the resource as it is in this answer', schema: string },
  'Idempotent-Replayed': {
    description: '`true` when this is the answer to an earlier request with the same Idempotency-Key',
    schema: { type: 'string', enum: ['true'] },
  },
}
type HeaderName = keyof typeof headers

const rateHeaders: HeaderName[] = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'RateLimit',
  'RateLimit-Policy',
]

/** Says which headers each answer has, each described once. */
export function declareResponseHeaders(document: Json): Json {
  const used = new Set<HeaderName>()
  const paths = mapValues((document.paths ?? {}) as Record<string, Json>, (path) =>
    mapValues(path as Record<string, Json>, (operation) => ({
      ...operation,
      responses: Object.fromEntries(
        Object.entries((operation.responses ?? {}) as Record<string, Json>).map(([status, response]) => {
          const names = headersOf(operation, Number(status))
          for (const name of names) used.add(name)
          const refs = Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
          return [status, { ...response, headers: { ...(response.headers as Json | undefined), ...refs } }]
        }),
      ),
    })),
  )
  const described = Object.fromEntries([...used].sort().map((name) => [name, headers[name]]))
  return { ...document, paths, components: { ...(document.components as Json), headers: described } }
}

/** True when an operation asks for an API key; those that do not say so by an empty list. */
function needsKey({ security }: Json): boolean {
  return !Array.isArray(security) || security.length > 0
}

function headersOf(operation: Json, status: number): HeaderName[] {
  const parameters = (operation.parameters ?? []) as { name: string }[]
  const takes = (name: string) => parameters.some((parameter) => parameter.name === name)
  const isTagged = takes('If-Match') || takes('If-None-Match')
  const isGood = status < 400
  return [
    'X-Request-Id',
    // Refusals have them too, but for 401; written out at each they would be a third of the document.
    ...(needsKey(operation) && (isGood || status === 429) ? rateHeaders : []),
    ...(isTagged && (status === 200 || status === 304) ? (['ETag'] as const) : []),
    ...(isGood && takes('Idempotency-Key') ? (['Idempotent-Replayed'] as const) : []),
    ...(status === 429 || status === 503 ? (['Retry-After'] as const) : []),
    ...(status === 307 ? (['Location'] as const) : []),
  ]
}

function mapValues<T, U>(object: Record<string, T>, map: (value: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value)]))
}
