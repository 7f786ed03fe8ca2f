import { Ajv, type ErrorObject, type SchemaValidateFunction, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'
import { type FieldErrors, validationError } from '../../kernel/errors.ts'
import { nullIsEmpty, requiredUnless } from '../schema.ts'
import { withoutNullTexts } from './null-texts.ts'
import { shareCompiled } from './shared-compilers.ts'
import { isTimestamp, withMoments } from './timestamps.ts'
import { findTooLongList, join, plural, type WalkedSchema } from './too-long-lists.ts'

function makeAjv(): Ajv {
  // allErrors is safe here: a list that is too long is refused before its items are looked at.
  const ajv = new Ajv({ allErrors: true, coerceTypes: false, removeAdditional: true, useDefaults: true, strict: false })
  addFormats.default(ajv, ['email', 'uri'])
  ajv.addFormat('date-time', isTimestamp)
  ajv.addKeyword({ keyword: requiredUnless, type: 'object', schemaType: 'object', errors: true, validate: hasNeeded })
  return ajv
}

/** Says of each field that it is missing as `required` does. */
const hasNeeded: SchemaValidateFunction = (needed: Record<string, string | string[]>, value: object) => {
  const missing = Object.entries(needed).filter(
    ([field, others]) => ![field, ...[others].flat()].some((name) => name in value),
  )
  hasNeeded.errors = missing.map(([missingProperty, others]) => ({
    keyword: 'required',
    // Of several the description of the body tells.
    params: { missingProperty, unless: typeof others === 'string' ? others : undefined },
  }))
  return missing.length === 0
}

const loneSurrogate = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/

/** Strings that PostgreSQL cannot store: they must be the caller's error, not ours. */
function findUnstorableText(value: unknown, path: string, found: FieldErrors): void {
  if (typeof value === 'string') {
    if (value.includes('\0')) found[path || '_root'] = ['must not contain NUL bytes']
    else if (loneSurrogate.test(value)) found[path || '_root'] = ['must be well-formed Unicode']
  } else if (Array.isArray(value)) {
    value.forEach((item, index) => {
      findUnstorableText(item, join(path, String(index)), found)
    })
  } else if (value !== null && typeof value === 'object') {
    for (const [key, item] of Object.entries(value)) {
      if (key.includes('\0') || loneSurrogate.test(key)) found[path || '_root'] = ['has a field name that is not text']
      findUnstorableText(item, join(path, key), found)
    }
  }
}

/** A number that is too large is told so; what has more digits than this is no number any more. */
const wholeNumber = /^(0|-?[1-9]\d{0,19})$/

type SchemaWithProperties = { properties?: Record<string, { type?: string }> }

/** Query values are texts; those that spell a number or boolean exactly become one, all others stay and fail the schema. */
function readQueryTexts(query: Record<string, unknown>, schema: SchemaWithProperties): void {
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const value = query[name]
    if (typeof value !== 'string') continue
    // Some clients send what they leave out as the text of no value.
    if (name === 'offset' && value === 'null') delete query[name]
    if (property.type === 'integer' && wholeNumber.test(value)) query[name] = Number(value)
    if (property.type === 'boolean' && (value === 'true' || value === 'false')) query[name] = value === 'true'
  }
}

function messageOf(error: ErrorObject): string {
  const { keyword, params, message } = error
  switch (keyword) {
    case 'required':
      return params.unless === undefined ? 'is required' : `is required, unless ${params.unless} is given`
    case 'type':
      return `must be ${[params.type].flat().map(describeType).join(' or ')}`
    case 'minLength':
      return params.limit === 1 ? 'must not be empty' : `must have at least ${plural(params.limit, 'character')}`
    case 'maxLength':
      return `must have at most ${plural(params.limit, 'character')}`
    case 'minimum':
      return `must be at least ${params.limit}`
    case 'maximum':
      return `must be at most ${params.limit}`
    case 'exclusiveMinimum':
      return `must be more than ${params.limit}`
    case 'minItems':
      return `must have at least ${plural(params.limit, 'item')}`
    case 'maxItems':
      return `must have at most ${plural(params.limit, 'item')}`
    case 'minProperties':
      return 'must have at least one field'
    case 'enum':
      return `must be one of ${(params.allowedValues as unknown[]).filter((value) => value !== null).join(', ')}`
    case 'format':
      return params.format === 'date-time' ? 'must be an ISO 8601 timestamp' : `must be a valid ${params.format}`
    case 'pattern':
      return 'has an invalid form'
    case 'uniqueItems':
      return 'must not repeat items'
    default:
      return message ?? 'is not valid'
  }
}

function describeType(type: string): string {
  switch (type) {
    case 'integer':
      return 'a whole number'
    case 'object':
      return 'an object'
    case 'array':
      return 'an array'
    case 'null':
      return 'null'
    default:
      return `a ${type}`
  }
}

/** The fields that one refusal names; a caller corrects these and sees the rest. */
const mostFields = 50

/** Ajv's errors as `{field: [messages]}`, of the first 50 fields; `_root` says how many more problems there are. */
function fieldErrors(errors: ErrorObject[]): FieldErrors {
  const fields: FieldErrors = {}
  let fieldCount = 0
  for (const [index, error] of errors.entries()) {
    if (fieldCount === mostFields) {
      const more = `and ${plural(errors.length - index, 'more problem')}`
      return { ...fields, _root: [...(fields._root ?? []), more] }
    }
    const path = error.instancePath.slice(1).split('/').filter(Boolean).map(unescapePointer)
    if (error.keyword === 'required') path.push(error.params.missingProperty)
    const field = path.join('.') || '_root'
    const message = messageOf(error)
    const known = fields[field] ?? []
    if (known.length === 0) fieldCount += 1
    if (!known.includes(message)) fields[field] = [...known, message]
  }
  return fields
}

const unescapePointer = (token: string) => token.replaceAll('~1', '/').replaceAll('~0', '~')

/**
 * What Fastify calls for each part of a request that has a schema. Nothing is coerced: `"5"` is not a number. Unknown
 * fields are dropped before anything is said of them. The problems are gathered into one VALIDATION_ERROR.
 */
export function makeValidatorCompiler() {
  // Routes have compilers of their own, and most validate nothing until long after the start.
  let ajv: Ajv | undefined
  return shareCompiled(({ schema, httpPart }: { schema: unknown; httpPart?: string }) => {
    ajv ??= makeAjv()
    const validate = ajv.compile(schema as object) as ValidateFunction
    const text = JSON.stringify(schema)
    const hasMoments = text.includes('"date-time"')
    const hasLists = text.includes('"maxItems"')
    const hasNullTexts = text.includes(nullIsEmpty)
    return (value: unknown) => {
      const tooLong = hasLists ? findTooLongList(value, schema as WalkedSchema, '') : undefined
      if (tooLong) return { error: validationError(tooLong) }
      if (httpPart === 'querystring') readQueryTexts(value as Record<string, unknown>, schema as SchemaWithProperties)
      if (!validate(value)) return { error: validationError(fieldErrors(validate.errors ?? [])) }
      const unstorable: FieldErrors = {}
      findUnstorableText(value, '', unstorable)
      if (Object.keys(unstorable).length > 0) return { error: validationError(unstorable) }
      if (hasNullTexts) withoutNullTexts(value, schema as SchemaWithProperties)
      return { value: hasMoments ? withMoments(value, schema as WalkedSchema) : value }
    }
  })
}

/** The same for a route whose handler reads the body itself: its schema is for readers of the description. */
export function makeValidatorOfAllButBody() {
  const compile = makeValidatorCompiler()
  return (part: { schema: unknown; httpPart?: string }) => (part.httpPart === 'body' ? () => true : compile(part))
}
