/** The keywords of JSON Schema that messages are described with. */
export interface MessageSchema {
  type?: string
  properties?: Record<string, MessageSchema>
  required?: string[]
  items?: MessageSchema
  patternProperties?: Record<string, MessageSchema>
  anyOf?: MessageSchema[]
  enum?: string[]
  pattern?: string
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
}

const known = new Set([
  ...['type', 'properties', 'required', 'items', 'patternProperties', 'anyOf', 'enum', 'pattern'],
  ...['minimum', 'maximum', 'minLength', 'maxLength', 'minItems', 'maxItems'],
])

/**
 * Answers why a value that fits `sent` may not fit `read`, each as a path and a reason; empty when all that one side sends is understood by
 * the other. Fields that `read` does not know are no reason: they are ignored.
 *
 * @throws {Error} where a schema uses a keyword that is not compared here.
 */
export function narrowings(sent: MessageSchema, read: MessageSchema, path = ''): string[] {
  for (const schema of [sent, read]) requireKnown(schema, path)
  if (sent.anyOf) return sent.anyOf.flatMap((each) => narrowings(each, read, path))
  if (read.anyOf) {
    const attempts = read.anyOf.map((each) => narrowings(sent, each, path))
    return attempts.some((found) => found.length === 0) ? [] : (attempts[0] ?? [`${path}: nothing is read here`])
  }
  if (read.type === undefined) return []
  if (!isOfType(sent.type, read.type)) return [`${path}: ${sent.type ?? 'anything'} is sent, ${read.type} is read`]
  return [...boundNarrowings(sent, read, path), ...partNarrowings(sent, read, path)]
}

function requireKnown(schema: MessageSchema, path: string): void {
  const unknown = Object.keys(schema).find((keyword) => !known.has(keyword))
  if (unknown !== undefined) throw new Error(`${path}: the keyword ${unknown} is not compared`)
}

function isOfType(sent: string | undefined, read: string): boolean {
  return sent === read || (sent === 'integer' && read === 'number')
}

function boundNarrowings(sent: MessageSchema, read: MessageSchema, path: string): string[] {
  const found: string[] = []
  for (const least of ['minimum', 'minLength', 'minItems'] as const) {
    if ((sent[least] ?? -Infinity) < (read[least] ?? -Infinity)) found.push(`${path}: ${least} ${read[least]}`)
  }
  for (const most of ['maximum', 'maxLength', 'maxItems'] as const) {
    if ((sent[most] ?? Infinity) > (read[most] ?? Infinity)) found.push(`${path}: ${most} ${read[most]}`)
  }
  if (read.pattern !== undefined && sent.pattern !== read.pattern) found.push(`${path}: pattern ${read.pattern}`)
  if (read.enum) {
    const values = read.enum
    const added = sent.enum ? sent.enum.filter((value) => !values.includes(value)) : ['any text']
    found.push(...added.map((value) => `${path}: the value ${value}`))
  }
  return found
}

function partNarrowings(sent: MessageSchema, read: MessageSchema, path: string): string[] {
  const missing = (read.required ?? []).filter((name) => !sent.required?.includes(name))
  const found = missing.map((name) => `${path}/${name}: is required`)
  for (const [name, schema] of Object.entries(read.properties ?? {})) {
    const sentSchema = sent.properties?.[name]
    if (sentSchema) found.push(...narrowings(sentSchema, schema, `${path}/${name}`))
  }
  if (read.items) found.push(...narrowings(sent.items ?? {}, read.items, `${path}/*`))
  for (const [pattern, schema] of Object.entries(read.patternProperties ?? {})) {
    const sentSchema = sent.patternProperties?.[pattern]
    if (!sentSchema) found.push(`${path}: fields ${pattern}`)
    else found.push(...narrowings(sentSchema, schema, `${path}/{${pattern}}`))
  }
  return found
}
