/** As much of a JSON schema as the service's API description uses. */
interface Schema {
  $ref?: string
  type?: string | string[]
  format?: string
  enum?: unknown[]
  /** What an answer says now; the dashboard is of the same version as the service. */
  'x-extensible-enum'?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  oneOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean | Schema
}

interface Content {
  content?: Record<string, { schema?: Schema }>
}

interface Operation {
  parameters?: { name: string; in: string; required?: boolean; schema?: Schema }[]
  requestBody?: Content & { required?: boolean }
  responses?: Record<string, Content>
}

export interface ApiDescription {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema> }
}

const prefixes = ['/public/v1', '/app/v1']

/** The text of a TypeScript file: a type per named schema, and one map of the routes of all descriptions. */
export function writeApiSchema(descriptions: ApiDescription[]): string {
  const named = new Map<string, string>()
  for (const [name, schema] of descriptions.flatMap(({ components }) => Object.entries(components.schemas))) {
    const type = writeType(schema, '')
    if ((named.get(name) ?? type) !== type) throw new Error(`${name} has two different schemas`)
    named.set(name, type)
  }
  const routes = descriptions
    .flatMap(({ paths }) => Object.entries(paths))
    .flatMap(([path, methods]) => {
      const prefix = prefixes.find((each) => path.startsWith(`${each}/`))
      if (prefix === undefined) return []
      return Object.entries(methods).map(([method, operation]): [string, string] => [
        `${method.toUpperCase()} ${path.slice(prefix.length)}`,
        writeRoute(operation),
      ])
    })
    .sort(byName)
  return [
    '// Printed by generate-api-schema.ts from the API descriptions. Do not edit.\n',
    ...[...named].sort(byName).map(([name, type]) => `export type ${name} = ${type}\n`),
    `export interface ApiRoutes {\n${routes.map(([name, route]) => `  '${name}': ${route}`).join('\n')}\n}\n`,
  ].join('\n')
}

function byName([left]: [string, unknown], [right]: [string, unknown]): number {
  return left < right ? -1 : 1
}

function writeRoute({ parameters = [], requestBody, responses = {} }: Operation): string {
  const parts: string[] = []
  const path = parameters.filter((each) => each.in === 'path')
  const query = parameters.filter((each) => each.in === 'query')
  if (path.length > 0) parts.push(`params: { ${path.map(({ name }) => `${quote(name)}: string`).join('; ')} }`)
  if (query.length > 0) {
    const fields = query.map(({ name, schema, required }) => writeField(name, schema ?? {}, required === true, '    '))
    parts.push(`query: { ${fields.join('; ')} }`)
  }
  const body = requestBody?.content?.['application/json']?.schema
  const bodyName = requestBody?.required === false ? 'optionalBody' : 'body'
  if (body) parts.push(`${bodyName}: ${writeType(body, '    ')}`)
  else if (requestBody) parts.push(requestBody.content?.['multipart/form-data'] ? 'body: FormData' : 'body: Blob')
  const success = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1]
  const answer = success?.content?.['application/json']?.schema
  parts.push(`data: ${answer?.properties?.data ? writeType(answer.properties.data, '    ') : 'unknown'}`)
  return `{ ${parts.join('; ')} }`
}

function writeField(name: string, schema: Schema, isRequired: boolean, indent: string): string {
  const type = writeType(schema, indent)
  return isRequired ? `${quote(name)}: ${type}` : `${quote(name)}?: ${type} | undefined`
}

function quote(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name)
}

export function writeType(schema: Schema, indent: string): string {
  if (schema.$ref) return schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  const values = schema['x-extensible-enum']
  if (values) return writeType({ enum: [...values, ...([schema.type].flat().includes('null') ? [null] : [])] }, indent)
  if (schema.enum) return schema.enum.map((each) => JSON.stringify(each)).join(' | ')
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return choices.map((each) => writeType(each, indent)).join(' | ')
  const types = [schema.type ?? []].flat()
  if (types.length === 0) return 'unknown'
  return types.map((type) => writeOneType(type, schema, indent)).join(' | ')
}

function writeOneType(type: string, schema: Schema, indent: string): string {
  switch (type) {
    case 'integer':
    case 'number':
      return 'number'
    case 'string':
      return schema.format === 'binary' ? 'Blob' : 'string'
    case 'array':
      return `Array<${writeType(schema.items ?? {}, indent)}>`
    case 'object':
      return writeObject(schema, indent)
    default:
      return type
  }
}

function writeObject({ properties, required = [], additionalProperties }: Schema, indent: string): string {
  if (!properties || Object.keys(properties).length === 0) {
    const value = typeof additionalProperties === 'object' ? writeType(additionalProperties, indent) : 'unknown'
    return `Record<string, ${value}>`
  }
  const inner = `${indent}  `
  const lines = Object.entries(properties).map(
    ([name, schema]) => `${inner}${writeField(name, schema, required.includes(name), inner)}`,
  )
  return `{\n${lines.join('\n')}\n${indent}}`
}
