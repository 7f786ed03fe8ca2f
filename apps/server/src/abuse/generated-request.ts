import fc from 'fast-check'
import type { Operation } from './described-api.ts'
import { hostileSegments, hostileTexts, nearlyValid, pick, segment, valid } from './generated-values.ts'

/**
 * A request as it will be sent, but for what only the service can say: `@kind:7@` and `@other:7@` stand for IDs that exist
 * by then, `@cursor:7@` for a cursor, `@etag:now@` for the entity tag of what the path names and `@etag:7@` for one that
 * something had.
 */
export interface GeneratedRequest {
  operation: Operation
  /** What was done to it, for the reader of a failure. */
  twist: string
  path: string
  headers: Record<string, string>
  body: string | undefined
}

const asQuery = (pairs: readonly (readonly [string, string])[]) =>
  pairs.length === 0 ? '' : `?${pairs.map(([name, value]) => `${name}=${value}`).join('&')}`

function validQuery(operation: Operation): fc.Arbitrary<string> {
  const given = operation.queryParameters.filter(({ name }) => name !== 'cursor')
  const pairs = given.map(({ name, schema }) =>
    fc.option(
      valid(schema, name).map((json) => {
        const value: unknown = JSON.parse(json)
        // An ID is filled in later, and must still be recognised.
        return [name, /^@\w+:\d+@$/.test(String(value)) ? String(value) : encodeURIComponent(String(value))] as const
      }),
      { freq: 2 },
    ),
  )
  const all = fc.tuple(...pairs).map((each) => asQuery(each.filter((pair) => pair !== null)))
  return given.length === operation.queryParameters.length
    ? all
    : fc.oneof({ weight: 5, arbitrary: all }, onCursor(all))
}

/** A query that goes on where some list ended, seldom the one that is asked; with an offset or without. */
function onCursor(query: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const cursor = fc.oneof(
    { weight: 3, arbitrary: pick.map((n) => `@cursor:${n}@`) },
    // Almost a cursor: cut short, padded, twice, of a version to come.
    pick.chain((n) =>
      fc.constantFrom(`@cursor:${n}@=`, `x@cursor:${n}@`, `@cursor:${n}@@cursor:${n}@`, `Ag@cursor:${n}@`),
    ),
    fc.constantFrom('AQ', 'AQ'.repeat(2000), '', 'null', 'W10', '%00'),
  )
  return fc.tuple(query, cursor).map(([text, value]) => `${text}${text === '' ? '?' : '&'}cursor=${value}`)
}

function hostileQuery(operation: Operation): fc.Arbitrary<string> {
  const names = [...operation.queryParameters.map(({ name }) => name), 'limit', '__proto__', 'a[b]', '%00', '']
  const value = fc.oneof(
    fc.constantFrom(...hostileTexts.filter((text) => text.isWellFormed()).map(encodeURIComponent)),
    fc.constantFrom(...hostileSegments),
    fc.constantFrom('0', '-1', '101', '1e1', '+1', '1.0', '10000000', '10000001', '-0', '%D9%A3'),
  )
  return fc.array(fc.tuple(fc.constantFrom(...names), value), { minLength: 1, maxLength: 4 }).map(asQuery)
}

function validPath(operation: Operation): fc.Arbitrary<string> {
  const segments = fc.tuple(...operation.pathParameters.map((name) => segment(name, operation.path)))
  return segments.map((all) => fillPath(operation, all))
}

function hostilePath(operation: Operation): fc.Arbitrary<string> {
  const segments = operation.pathParameters.map((name) =>
    fc.oneof(
      fc.constantFrom(...hostileSegments),
      segment(name, operation.path),
      pick.map((n) => `@other:${n}@`),
    ),
  )
  return fc.tuple(...segments).map((all) => fillPath(operation, all))
}

const fillPath = (operation: Operation, values: string[]) =>
  operation.pathParameters.reduce(
    (path, name, index) => path.replace(`{${name}}`, () => values[index] ?? ''),
    operation.path,
  )

const hostileHeaders: Record<string, string>[] = [
  { 'content-type': 'text/plain' },
  { 'content-type': 'application/json; charset=utf-16' },
  { 'content-type': 'application/jsonx' },
  { 'content-type': ';' },
  { 'content-type': 'multipart/form-data' },
  { 'content-type': 'multipart/form-data; boundary=' },
  { 'content-type': 'application/x-www-form-urlencoded' },
  { 'content-type': `application/${'x'.repeat(3000)}` },
  { 'content-encoding': 'gzip' },
  { accept: 'text/html' },
  { accept: '\xff' },
  { 'idempotency-key': ' ' },
  { 'idempotency-key': 'x'.repeat(256) },
  { 'idempotency-key': 'é' },
  { 'idempotency-key': '__proto__' },
  { 'x-request-id': 'x'.repeat(5000) },
  { 'x-request-id': '__proto__' },
  { 'x-forwarded-for': '127.0.0.1', 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'javascript' },
  { 'x-http-method-override': 'DELETE' },
  { 'if-none-match': '*' },
  { 'if-none-match': '"' },
  { 'if-none-match': 'W/"x", "y"' },
  { 'if-none-match': '@etag:now@' },
  { 'if-match': '"x"' },
  { 'if-match': '' },
  { 'if-match': 'x' },
  { 'if-match': '"x", *' },
  { 'if-match': `${'"x", '.repeat(500)}"` },
  { 'if-match': 'W/@etag:now@' },
  { 'if-match': '@etag:3@', 'if-none-match': '@etag:now@' },
  { range: 'bytes=0-0,5-9' },
  { range: 'bytes=-0' },
  { range: 'bytes=99999999999999999999-' },
  { range: 'bytes=5-2' },
  { range: 'rows=1-2' },
  { authorization: '' },
  { authorization: 'Bearer' },
  { authorization: 'Basic dXNlcjpwYXNz' },
  { authorization: `Bearer ${'x'.repeat(4000)}` },
  { authorization: `Bearer printyard_live_${'0'.repeat(64)}` },
  { cookie: 'a=b; __proto__=c' },
  { expect: '100-continue' },
]

const hostileBodies = [
  '',
  ' ',
  '{',
  '}',
  '{"a":1,}',
  "{'a':1}",
  'null',
  '0',
  '"text"',
  '[]',
  '[{}]',
  '\ufeff{}',
  '{"a":1}{"b":2}',
  '{"a":NaN}',
  '\0',
  '\xff\xfe',
  '['.repeat(200_000),
  `${'['.repeat(200_000)}${']'.repeat(200_000)}`,
  `${'{"name":'.repeat(50_000)}1${'}'.repeat(50_000)}`,
  `{"name":"${'x'.repeat(1_048_576)}"}`,
  `{${Array.from({ length: 20_000 }, (_, n) => `"k${n}":0`).join(',')}}`,
  '{"__proto__":null}',
  '--x\r\nContent-Disposition: form-data; name="image"; filename="a"\r\n\r\n',
]

const json = { 'content-type': 'application/json' }
const headersFor = (operation: Operation): Record<string, string> =>
  operation.bodyType ? { 'content-type': operation.bodyType } : {}

/** Conditions of readers who keep what they read: they hold, or did once. */
function conditions(operation: Operation): fc.Arbitrary<Record<string, string>> {
  const tag = fc.oneof(
    { weight: 2, arbitrary: fc.constant('@etag:now@') },
    pick.map((n) => `@etag:${n}@`),
    fc.constantFrom('*', 'W/@etag:now@', '"x", @etag:now@', '"x"'),
  )
  const header = operation.method === 'GET' ? 'if-none-match' : 'if-match'
  return fc.oneof(
    { weight: 3, arbitrary: fc.constant({}) },
    tag.map((value) => ({ [header]: value })),
  )
}

/** As its reader would want it, or with an Idempotency-Key that others use too. */
function wellMeant(operation: Operation): fc.Arbitrary<GeneratedRequest> {
  const body =
    operation.body && operation.bodyType === 'application/json' ? valid(operation.body, '') : fc.constant(undefined)
  const none = fc.constant(null)
  const anyKey = fc.oneof({ weight: 8, arbitrary: none }, fc.nat({ max: 10 }), fc.nat({ max: 1_000_000 }))
  const key = operation.method === 'POST' ? anyKey : none
  const isTagged = ['GET', 'PATCH', 'PUT'].includes(operation.method) && operation.pathParameters.length > 0
  const given = isTagged ? conditions(operation) : fc.constant({})
  return fc
    .tuple(validPath(operation), validQuery(operation), body, key, given)
    .map(([path, query, text, n, condition]) => ({
      operation,
      twist: 'none',
      path: path + query,
      headers: { ...headersFor(operation), ...(n !== null && { 'idempotency-key': `key-${n}` }), ...condition },
      body: text,
    }))
}

function nearlyMeant(operation: Operation): fc.Arbitrary<GeneratedRequest> {
  const { body } = operation
  const inQuery = fc.tuple(wellMeant(operation), hostileQuery(operation)).map(([meant, query]) => ({
    ...meant,
    twist: `query ${query.slice(0, 80)}`,
    path: meant.path.split('?')[0] + query,
  }))
  if (!body || operation.bodyType !== 'application/json') return inQuery
  const inBody = fc
    .tuple(wellMeant(operation), nearlyValid(body))
    .map(([meant, { twist, text }]) => ({ ...meant, twist, body: text }))
  return operation.queryParameters.length > 0 ? fc.oneof(inBody, inQuery) : inBody
}

function wild(operation: Operation): fc.Arbitrary<GeneratedRequest> {
  const meant = wellMeant(operation)
  const inPath = fc.tuple(meant, hostilePath(operation)).map(([each, path]) => ({ ...each, twist: 'path', path }))
  const inHeaders = fc
    .tuple(meant, fc.constantFrom(...hostileHeaders))
    .map(([each, headers]) => ({ ...each, twist: 'headers', headers: { ...each.headers, ...headers } }))
  const inBody = fc
    .tuple(meant, fc.constantFrom(...hostileBodies), fc.constantFrom(headersFor(operation), json, {}))
    .map(([each, body, headers]) => ({ ...each, twist: 'whole body', headers, body }))
  return operation.pathParameters.length > 0 ? fc.oneof(inPath, inHeaders, inBody) : fc.oneof(inHeaders, inBody)
}

/** A request to one of the operations: valid, nearly valid or wild, a third each. */
export function anyRequest(operations: readonly Operation[]): fc.Arbitrary<GeneratedRequest> {
  return fc
    .constantFrom(...operations)
    .chain((operation) => fc.oneof(wellMeant(operation), nearlyMeant(operation), wild(operation)))
}
