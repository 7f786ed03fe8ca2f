import fc from 'fast-check'
import type { Schema } from './described-api.ts'

/** Which things a field of this name refers to; the words are those of the paths. */
const kindByField: Record<string, string> = {
  print_file_id: 'files',
  printer_id: 'printers',
  product_id: 'products',
  product_sku_id: 'skus',
  sku_id: 'skus',
  hub_id: 'hubs',
  assigned_to: 'members',
  image_ids: 'images',
  imageId: 'images',
  itemId: 'order_items',
  item_id: 'order_items',
  before: 'queued_jobs',
  after: 'queued_jobs',
  component_id: 'components',
  child_sku_id: 'skus',
  inventory_item_id: 'components',
  code: 'join_codes',
  upload_token: 'upload_tokens',
  token: 'upload_tokens',
}

/** Actions that make sense in a few states only; a job in one of them is found by these words. */
const kindByAction: Record<string, string> = {
  start: 'queued_jobs',
  assign: 'queued_jobs',
  pause: 'running_jobs',
  resume: 'running_jobs',
  stop: 'running_jobs',
  retry: 'failed_jobs',
}

/** The word of a path under which things of a kind are made and found: `/materials/parts/{id}/consume` is of `parts`. */
export function kindOfPath(path: string): string {
  const words = path.split('/{')[0]?.split('/') ?? []
  return words.at(-1) ?? 'any'
}

/** Texts that careless or hostile callers send where an ID or a word is expected. */
export const hostileTexts = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  'x\udc00y',
  '😀',
  '😀'.repeat(200),
  'é',
  '__proto__',
  'constructor',
  'toString',
  '../../etc/passwd',
  "'; drop table jobs; --",
  '{{7*7}}',
  '<script>alert(1)</script>',
  '%',
  '%s%n',
  '_',
  '\\',
  '\r\nX-Injected: yes',
  'null',
  'true',
  'NaN',
  '1e400',
  '0x10',
  '२',
  'x'.repeat(65),
  'x'.repeat(5000),
  '0001-01-01',
  '9999-12-31T23:59:59.999999999Z',
  '2026-02-30T00:00:00Z',
  '10000-01-01T00:00:00Z',
  '-infinity',
]

/** JSON texts that no schema of ours wants, or only by chance. */
const hostileJson = [
  'null',
  'true',
  '-0',
  '0',
  '-1',
  '1.5',
  '1e400',
  '-1e400',
  '1e-400',
  '9007199254740993',
  '2147483648',
  '9223372036854775808',
  '99999999999999999999999999',
  '[]',
  '{}',
  '[null]',
  '[[]]',
  '{"__proto__":{"admin":true}}',
  '{"constructor":{"prototype":{"admin":true}}}',
  '{"a\\u0000b":1}',
  '{"":""}',
  `${'['.repeat(2000)}${']'.repeat(2000)}`,
  `${'{"a":'.repeat(2000)}1${'}'.repeat(2000)}`,
  `[${'0,'.repeat(3000)}0]`,
  ...hostileTexts.map((text) => JSON.stringify(text)),
]

export const pick = fc.nat({ max: 999 })

/** An ID that exists, or existed; seldom the other account's. */
function idOf(kind: string): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 8, arbitrary: pick.map((n) => `@${kind}:${n}@`) },
    { weight: 1, arbitrary: pick.map((n) => `@other:${n}@`) },
  )
}

/** Answers what may stand in a path: encoded by its sender, rightly or not. */
export function segment(name: string, path: string): fc.Arbitrary<string> {
  if (name === 'version' || name === 'number') {
    return fc.oneof(
      { weight: 4, arbitrary: fc.constant('1') },
      fc.constantFrom('0', '2', '-1', '1e3', '01', '9'.repeat(20)),
    )
  }
  const kind = kindByField[name] ?? kindOfPath(path)
  const usual = kind === 'jobs' ? kindByAction[path.split('/').at(-1) ?? ''] : undefined
  return usual === undefined ? idOf(kind) : fc.oneof({ weight: 3, arbitrary: idOf(usual) }, idOf(kind))
}

export const hostileSegments = [
  '%00',
  '%2F',
  '%2e%2e%2f',
  'a%2Fb',
  '%ff',
  '%ed%a0%80',
  '%',
  '%zz',
  '%F0%9F%98%80',
  '%25',
  '%3F',
  '%23',
  '%0d%0aX-Injected:%20yes',
  '__proto__',
  'constructor',
  'history',
  'stats',
  'undefined',
  'x'.repeat(64),
  'x'.repeat(65),
  'x'.repeat(101),
  'x'.repeat(6000),
  '%00'.repeat(60),
  "'",
  ';',
  '..%00',
  '~',
  '*',
  ':id',
]

/** JSON text of a value that fits the schema. `field` is the name under which it stands. */
export function valid(schema: Schema, field: string): fc.Arbitrary<string> {
  const types = [schema.type ?? 'string'].flat()
  if (types.includes('null') && types.length > 1) {
    const rest = { ...schema, type: types.filter((type) => type !== 'null') }
    if (schema.enum) rest.enum = schema.enum.filter((value) => value !== null)
    return fc.oneof({ weight: 4, arbitrary: valid(rest, field) }, fc.constant('null'))
  }
  if (schema.enum) return fc.constantFrom(...schema.enum.map((value) => JSON.stringify(value)))
  switch (types[0]) {
    case 'boolean':
      return fc.constantFrom('true', 'false')
    case 'integer':
      return validInteger(schema).map(String)
    case 'number':
      return fc.oneof(
        validInteger(schema).map(String),
        validInteger({ ...schema, maximum: 1000 }).map((n) => `${n}.25`),
      )
    case 'array':
      return fc
        .array(valid(schema.items ?? {}, field), {
          minLength: schema.minItems ?? 0,
          maxLength: Math.max(schema.minItems ?? 0, 3),
        })
        .map((items) => `[${(schema.uniqueItems ? [...new Set(items)] : items).join(',')}]`)
    case 'object':
      return validObject(schema)
    default:
      return validText(schema, field).map((text) => JSON.stringify(text))
  }
}

function validInteger({ minimum, exclusiveMinimum, maximum }: Schema): fc.Arbitrary<number> {
  const min = Math.ceil(minimum ?? (exclusiveMinimum === undefined ? -1_000_000 : exclusiveMinimum + 1))
  const max = Math.max(min, Math.floor(maximum ?? 1_000_000_000))
  return fc.oneof(
    fc.integer({ min, max: Math.min(max, min + 20) }),
    fc.integer({ min, max }),
    fc.constantFrom(min, max),
  )
}

function validText({ minLength = 0, maxLength = 60, format, pattern }: Schema, field: string): fc.Arbitrary<string> {
  const kind = kindByField[field]
  if (kind) return idOf(kind)
  // That it leads nowhere is found when it is sent to.
  if (field === 'url') return fc.constantFrom('https://hooks.invalid/', 'http://localhost')
  if (field === 'filename') return fc.constantFrom('part.gcode', 'a b.GCODE', 'x.bgcode', 'é.gcode.3mf')
  if (format === 'date-time') {
    return fc.constantFrom(
      '2026-11-20T09:30:00.000Z',
      '2026-11-20',
      '2026-11-20T09:30+02:00',
      '0001-01-01',
      '9999-12-31T00:00:00Z',
    )
  }
  if (pattern?.includes('#')) return fc.constantFrom('#00ff00', '#ABCDEF')
  if (pattern?.toLowerCase().includes('http')) return fc.constantFrom('https://example.com/a?b=c#d', 'http://localhost')
  if (pattern) return fc.constantFrom('1', '7')
  if (format === 'email') return fc.constantFrom('ada@example.com', 'a+b@example.org')
  const ofLength = (length: number) =>
    fc.string({ unit: 'grapheme-ascii', minLength: length, maxLength: Math.max(length, Math.min(maxLength, 30)) })
  return fc.oneof(
    { weight: 4, arbitrary: ofLength(minLength) },
    // Code points, not UTF-16 units, are what has an end.
    { weight: 1, arbitrary: fc.constantFrom('é', '😀').map((sign) => sign.repeat(Math.min(maxLength, 3000))) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        ...hostileTexts.filter(
          (text) => isStorable(text) && [...text].length >= minLength && [...text].length <= maxLength,
        ),
      ),
    },
  )
}

const isStorable = (text: string) => !text.includes('\0') && text.isWellFormed()

function validObject({ properties = {}, required = [], additionalProperties }: Schema): fc.Arbitrary<string> {
  if (Object.keys(properties).length === 0 && typeof additionalProperties === 'object') {
    return fc
      .dictionary(fc.string({ minLength: 1, maxLength: 8 }), valid(additionalProperties, ''), {
        maxKeys: 3,
        noNullPrototype: true,
      })
      .map(writeObject)
  }
  // So many of it: a component. Any other ID in a body is a name that the caller gives.
  const meaning = (name: string) => (name === 'id' && properties.quantity ? 'component_id' : name)
  const fields = Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, valid(schema, meaning(name))]),
  )
  return fc
    .record(fields, { requiredKeys: required.filter((name) => name in fields), noNullPrototype: true })
    .map(writeObject)
}

const writeObject = (fields: Record<string, string>) =>
  `{${Object.entries(fields)
    .map(([name, value]) => `${JSON.stringify(name)}:${value}`)
    .join(',')}}`

/** JSON text that fits but for one field, with what was done to which. */
export function nearlyValid(schema: Schema): fc.Arbitrary<{ twist: string; text: string }> {
  const { properties = {}, required = [] } = schema
  const names = Object.keys(properties)
  if (names.length === 0) return fc.constantFrom(...hostileJson).map((text) => ({ twist: 'body', text }))
  const fields = fc.record(
    Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, valid(each, name)])),
    { requiredKeys: required, noNullPrototype: true },
  )
  const wrong = (name: string) =>
    fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom(...hostileJson) },
      { weight: 2, arbitrary: fc.constantFrom(...boundsOf(properties[name] ?? {})) },
      { weight: 1, arbitrary: fc.json({ maxDepth: 3 }) },
      // A list with one wrong item, an object with one wrong field.
      { weight: 3, arbitrary: inside(properties[name] ?? {}) },
    )
  const changed = fc
    .tuple(
      fields,
      fc.constantFrom(...names).chain((name) => fc.tuple(fc.constant(name), wrong(name))),
    )
    .map(([whole, [name, value]]) => ({
      twist: `${name} = ${value.slice(0, 80)}`,
      text: writeObject({ ...whole, [name]: value }),
    }))
  const missing = fc
    .tuple(fields, fc.constantFrom(...names))
    .map(([whole, name]) => ({ twist: `without ${name}`, text: writeObject(without(whole, name)) }))
  const extra = fc
    .tuple(
      fields,
      fc.constantFrom('__proto__', 'constructor', 'account_id', 'id', 'status', 'a\0b', '', 'x'.repeat(3000)),
      fc.constantFrom(...hostileJson),
    )
    .map(([whole, name, value]) => ({
      twist: `also ${name.slice(0, 20)} = ${value.slice(0, 80)}`,
      text: `${writeObject(whole).slice(0, -1)}${Object.keys(whole).length > 0 ? ',' : ''}${JSON.stringify(name)}:${value}}`,
    }))
  return fc.oneof({ weight: 6, arbitrary: changed }, { weight: 1, arbitrary: missing }, { weight: 2, arbitrary: extra })
}

function inside(schema: Schema): fc.Arbitrary<string> {
  if (schema.items) return inside(schema.items).map((item) => `[${item}]`)
  return schema.properties ? nearlyValid(schema).map(({ text }) => text) : fc.constantFrom(...hostileJson)
}

function boundsOf({ minimum, maximum, minLength, maxLength, maxItems }: Schema): string[] {
  const found: string[] = ['""']
  if (minimum !== undefined) found.push(String(minimum - 1))
  if (maximum !== undefined) found.push(String(maximum + 1), String(maximum))
  if (minLength) found.push(JSON.stringify('x'.repeat(minLength - 1)))
  if (maxLength !== undefined && maxLength < 50_000) {
    for (const sign of ['x', '😀']) {
      found.push(JSON.stringify(sign.repeat(maxLength)), JSON.stringify(sign.repeat(maxLength + 1)))
    }
  }
  if (maxItems !== undefined && maxItems < 5000)
    found.push(
      `[${Array(maxItems + 1)
        .fill('0')
        .join(',')}]`,
    )
  return found
}

function without(whole: Record<string, string>, name: string): Record<string, string> {
  return Object.fromEntries(Object.entries(whole).filter(([each]) => each !== name))
}
