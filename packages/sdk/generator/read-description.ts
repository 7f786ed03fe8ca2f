import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const descriptionFile = fileURLToPath(new URL('../../../apps/server/openapi.json', import.meta.url))

/** As much of a JSON schema as the generator looks at. */
export interface Schema {
  $ref?: string
  additionalProperties?: boolean | Schema
  enum?: unknown[]
  properties?: Record<string, Schema>
  type?: string | string[]
  [keyword: string]: unknown
}

export interface Operation {
  operationId: string
  summary?: string
  description?: string
  deprecated?: boolean
  parameters?: { name: string; in: string; description?: string; required?: boolean; schema: Schema }[]
  requestBody?: { required?: boolean; content: Record<string, { schema: Schema }> }
  responses: Record<string, { $ref?: string; content?: Record<string, { schema: Schema }> }>
  security?: Record<string, string[]>[]
}

export interface Description {
  paths: Record<string, Record<string, Operation>>
  components: {
    schemas: Record<string, Schema>
    [kind: string]: unknown
  }
  [field: string]: unknown
}

export interface DescribedOperation extends Operation {
  method: string
  path: string
}

export function readDescription(): Description {
  // Our own file, held to its form by the tests of the service.
  return JSON.parse(readFileSync(descriptionFile, 'utf8')) as Description
}

export function listOperations({ paths }: Description): DescribedOperation[] {
  const methods = ['get', 'post', 'put', 'patch', 'delete']
  return Object.entries(paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = item[method]
      return operation ? [{ ...operation, method: method.toUpperCase(), path }] : []
    }),
  )
}

/** A command to a machine: never sent again by itself when its outcome is not known. */
export function isCommand({ method, security = [] }: DescribedOperation): boolean {
  return method !== 'GET' && security.some(({ apiKey = [] }) => apiKey.includes('control'))
}
