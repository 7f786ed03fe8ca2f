/** As much of a schema as the reference shows. */
export interface Schema {
  $ref?: string
  type?: string | string[]
  format?: string
  enum?: unknown[]
  'x-extensible-enum'?: unknown[]
  anyOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  description?: string
  default?: unknown
  minimum?: number
  maximum?: number
  maxLength?: number
}

interface Content {
  schema?: Schema
  example?: unknown
}

interface Parameter {
  name: string
  in: string
  required?: boolean
  description?: string
  example?: unknown
  schema: Schema
}

export interface Answer {
  $ref?: string
  description?: string
  content?: Record<string, Content>
  'x-error-codes'?: string[]
}

interface Operation {
  operationId: string
  summary?: string
  description?: string
  tags?: string[]
  deprecated?: boolean
  parameters?: Parameter[]
  requestBody?: { content: Record<string, Content> }
  responses: Record<string, Answer>
}

/** The OpenAPI document of the service. */
export interface ApiDescription {
  info: { description?: string; version: string }
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema>; responses: Record<string, Answer> }
}

export interface PlacedOperation extends Operation {
  /** In capitals. */
  method: string
  path: string
}

const methods = ['get', 'post', 'put', 'patch', 'delete']

/** All operations, those of one path after one another. */
export function listOperations({ paths }: ApiDescription): PlacedOperation[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = item[method]
      return operation ? [{ ...operation, method: method.toUpperCase(), path }] : []
    }),
  )
}

/** What a reference names, or the thing itself. */
export function resolve<Kind extends { $ref?: string }>(thing: Kind, among: Readonly<Record<string, Kind>>): Kind {
  return thing.$ref === undefined ? thing : (among[thing.$ref.split('/').at(-1) ?? ''] ?? thing)
}
