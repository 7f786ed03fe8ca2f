import swagger from '@fastify/swagger'
import type { HTTPMethods } from 'fastify'
import Type from 'typebox'
import { failures } from '../schema.ts'
import type { App } from '../types.ts'
import { declareResponseHeaders, requestHeaders } from './openapi-headers.ts'
import { operationId } from './operation-id.ts'
import { isForPeople, sessionPrefix } from './route-rules.ts'
import { shareComponents } from './shared-components.ts'
import { shareFailures } from './shared-failures.ts'

export const apiPrefix = '/public/v1'

const introduction = `
Printyard runs 3D-print farms. This API is what integrations use; the dashboard uses the same routes.

Every request carries \`Authorization: Bearer <API key>\`. Every success is \`{success: true, data}\`, lists also carry
\`meta\`; every failure is \`{success: false, error: {code, message, details?}}\`. Branch on \`code\`, never on \`message\`.
Enums may gain values and answers may gain fields within this version; unknown request fields are ignored.
Every POST takes \`Idempotency-Key\`; answers are kept for 24 hours. What is one thing has an \`ETag\`, which GET takes as
\`If-None-Match\`, PATCH and PUT as \`If-Match\`. Every list is walked by sending \`meta.next_cursor\` as \`cursor\`.
`.trim()

const tags = [
  { name: 'Printers', description: 'Printers, what they are doing now, and commands to them' },
  { name: 'Jobs', description: 'Print jobs: queue and history' },
  { name: 'Files', description: 'Print files and their versions' },
  { name: 'Hubs', description: 'Hubs that connect printers to the service' },
  { name: 'Products', description: 'Catalogue: products with their images, SKUs and colours' },
  { name: 'Inventory', description: 'Stock of finished goods and its ledger' },
  { name: 'Materials', description: 'Filament, components, packaging and parts, and what is left of them' },
  { name: 'Orders', description: 'Orders of customers, and taking ready stock for them' },
  { name: 'Assembly', description: 'Printed units to put together before they are ready stock' },
  { name: 'Worklist', description: 'Tasks for people: collect, change filament, assemble, check, maintain' },
  { name: 'Events', description: 'What happens, as a feed and as a live stream' },
  { name: 'Analytics', description: 'Counts and figures of the farm' },
  { name: 'Wiki', description: 'How things are done here: articles and their revisions' },
]

/** `keys`: what integrations may call. `people`: what the dashboard calls besides; that document is never served. */
export type Audience = 'keys' | 'people'

/** The OpenAPI document is printed from the routes, so that it cannot say anything else than they do. */
export async function describeApi(app: App, version: string, audience: Audience = 'keys'): Promise<void> {
  const isPublic = (method: string, url: string) =>
    app.hasRoute({ method: method as HTTPMethods, url: apiPrefix + url.slice(sessionPrefix.length) })
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Printyard', version, description: introduction, license: { name: 'MIT', identifier: 'MIT' } },
      servers: [{ url: '/', description: 'This service' }],
      tags,
      components: { securitySchemes: { apiKey: { type: 'http', scheme: 'bearer' } } },
      security: [{ apiKey: [] }],
    },
    hideUntagged: audience === 'keys',
    // Only the form of OpenAPI 3 is ever given here; the other one is that of version 2.
    transformObject: (document) =>
      shareFailures(declareResponseHeaders(shareComponents('openapiObject' in document ? document.openapiObject : {}))),
    transform: ({ schema, url, route }) => {
      // HEAD has no routes here, and each route is registered with a single method.
      const method = String(route.method)
      const isDescribed = audience === 'keys' ? !isForPeople(url) : isForPeople(url) && !isPublic(method, url)
      if (!isDescribed) return { schema: { hide: true }, url }
      const { scope, alsoScope, role, tagged = false, deprecated } = route.config ?? {}
      const headers = requestHeaders({ method, hasScope: scope !== undefined, isTagged: tagged })
      const described = schema && {
        operationId: operationId(method, url),
        ...schema,
        ...(deprecated && { deprecated: true }),
        ...(Object.keys(headers).length > 0 && { headers: Type.Object(headers) }),
        ...(isObjectSchema(schema.body) && { body: withoutDefaulted(schema.body) }),
        ...(isObjectSchema(schema.querystring) && { querystring: withoutDefaulted(schema.querystring) }),
        ...(scope && {
          description:
            `${schema.description ?? ''}\n\n${alsoScope ? `Scopes: \`${scope}\` and \`${alsoScope}\`` : `Scope: \`${scope}\``}. Least role: \`${role}\`.`.trim(),
          response: { ...(schema.response as object | undefined), ...(tagged && conditionalAnswers(method)) },
        }),
        ...(!scope && { security: [], response: withoutKeyFailures(schema.response) }),
      }
      return { schema: described ?? {}, url }
    },
  })
}

/** What a route with an `ETag` may answer besides, without saying so itself. */
function conditionalAnswers(method: string): Record<number, unknown> {
  if (method === 'GET') return { 304: { description: 'The client has this already', type: 'null' } }
  const { 412: refusal } = failures('PRECONDITION_FAILED')
  return { 412: refusal }
}

/** Where no key is asked for, none can be refused. */
function withoutKeyFailures(response: unknown): Record<string, unknown> {
  return Object.fromEntries(Object.entries(response ?? {}).filter(([status]) => status !== '401' && status !== '403'))
}

interface ObjectSchema {
  properties: Record<string, { default?: unknown }>
  required?: string[]
}

function isObjectSchema(schema: unknown): schema is ObjectSchema {
  return typeof schema === 'object' && schema !== null && 'properties' in schema
}

/** What has a default may be left out: inside the service it is always there, for a caller it is not required. */
function withoutDefaulted(schema: ObjectSchema): ObjectSchema {
  const required = schema.required?.filter((name) => schema.properties[name]?.default === undefined)
  return { ...schema, ...(required && { required }) }
}
