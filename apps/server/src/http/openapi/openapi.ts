import swagger from '@fastify/swagger'
import type { HTTPMethods } from 'fastify'
import Type from 'typebox'
import { failures } from '../schema.ts'
import type { App } from '../types.ts'
import { declareResponseHeaders, requestHeaders } from './openapi-headers.ts'
import { operationId } from './operation-id.ts'
import { publishForClients } from './published-document.ts'
import { isForPeople, sessionPrefix } from './route-rules.ts'
import { bodyExample, shareComponents } from './shared-components.ts'
import { shareFailures } from './shared-failures.ts'

export const apiPrefix = '/public/v1'

const introduction = `
Printyard runs 3D-print farms. This API is for integrations; the dashboard uses the same routes.

Every request carries \`Authorization: Bearer <API key>\`. Every success is \`{success: true, data}\`, lists also carry
\`meta\`; every failure is \`{success: false, error: {code, message, details?}}\`. Branch on \`code\`, never on \`message\`.
Enums may gain values and answers may gain fields within this version; unknown request fields are ignored.
Limits: 120 requests a minute for each key unless the operator says otherwise (\`RateLimit\` in each answer tells), 1 MiB for a
body of JSON, 8,000 characters for an address, 16,000 bytes for header fields, 100 rows for a page unless the list says more.
Bodies are UTF-8 and not compressed. Lengths of texts count Unicode code points. Money is integer cents, times are UTC.
Every POST takes \`Idempotency-Key\`; answers are kept for 24 hours. What is one thing has an \`ETag\`, which GET takes as
\`If-None-Match\`, PATCH and PUT as \`If-Match\`. Every list is walked by sending \`meta.next_cursor\` as \`cursor\`.
`.trim()

/** An API key has some of these; those that an operation needs stand in its `security`. */
const describedScopes = {
  description: 'An API key. Its scopes tell what it may do: read, write and control',
  'x-scopes': {
    read: 'Read everything but secrets',
    write: 'Create, change and delete what is recorded',
    control: 'Send commands to printers, which move and heat',
  },
}

const tags = [
  { name: 'Printers', description: 'Printers, their current status, and commands to them' },
  { name: 'Jobs', description: 'Print jobs: queue and history' },
  { name: 'Files', description: 'Print files and their versions' },
  { name: 'Hubs', description: 'Hubs that connect printers to the service' },
  { name: 'Products', description: 'Catalogue: products with their images, SKUs and colours' },
  { name: 'Inventory', description: 'Stock of finished goods and its ledger' },
  { name: 'Materials', description: 'Filament, components, packaging and parts, and their stock' },
  { name: 'Production', description: 'Production needed for orders and for the shelf, and queueing it' },
  { name: 'Orders', description: 'Orders of customers, and taking ready stock for them' },
  { name: 'Assembly', description: 'Printed units to put together before they are ready stock' },
  { name: 'Worklist', description: 'Tasks for people: collect, change filament, assemble, check, maintain' },
  { name: 'Account', description: 'Identity and permissions of the caller' },
  { name: 'Events', description: 'Events, as a feed and as a live stream' },
  { name: 'Webhooks', description: 'Events sent to other programs, signed, and the log of deliveries' },
  { name: 'Analytics', description: 'Counts and figures of the farm' },
  { name: 'Wiki', description: 'Articles on how work is done on the farm, and their revisions' },
]

/** `keys`: what integrations may call. `people`: what the dashboard calls besides; that document is never served. */
export type Audience = 'keys' | 'people'

/** The OpenAPI document is printed from the routes, so that it cannot say anything else than they do. */
export async function describeApi(app: App, version: string, audience: Audience = 'keys'): Promise<void> {
  const isPublic = (method: string, url: string) =>
    app.hasRoute({ method: method as HTTPMethods, url: apiPrefix + url.slice(sessionPrefix.length) })
  // The other document is read by our own dashboard alone, which is of the same version.
  const published = audience === 'keys' ? publishForClients : (document: Record<string, unknown>) => document
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Printyard', version, description: introduction, license: { name: 'MIT', identifier: 'MIT' } },
      servers: [{ url: '/', description: 'This service' }],
      tags,
      components: { securitySchemes: { apiKey: { type: 'http', scheme: 'bearer', ...describedScopes } } },
      security: [{ apiKey: [] }],
    },
    hideUntagged: audience === 'keys',
    // Only the form of OpenAPI 3 is ever given here; the other one is that of version 2.
    transformObject: (document) =>
      published(
        shareFailures(
          declareResponseHeaders(shareComponents('openapiObject' in document ? document.openapiObject : {})),
        ),
      ),
    transform: ({ schema, url, route }) => {
      // HEAD has no routes here, and each route is registered with a single method.
      const method = String(route.method)
      const isDescribed = audience === 'keys' ? !isForPeople(url) : isForPeople(url) && !isPublic(method, url)
      if (!isDescribed) return { schema: { hide: true }, url }
      const { scope, alsoScope, role, tagged = false, deprecated } = route.config ?? {}
      const headers = requestHeaders({ method, hasScope: scope !== undefined, isTagged: tagged })
      const described = schema && {
        operationId: operationId(method, url, { isList: isList(schema.querystring) }),
        ...schema,
        ...(deprecated && { deprecated: true }),
        ...(Object.keys(headers).length > 0 && { headers: Type.Object(headers) }),
        ...(isObjectSchema(schema.body) && { body: keepingExample(withoutDefaulted(schema.body)) }),
        ...(isObjectSchema(schema.querystring) && { querystring: withoutDefaulted(schema.querystring) }),
        ...(scope && {
          description:
            `${schema.description ?? ''}\n\n${alsoScope ? `Scopes: \`${scope}\` and \`${alsoScope}\`` : `Scope: \`${scope}\``}. Least role: \`${role}\`.`.trim(),
          response: { ...(schema.response as object | undefined), ...(tagged && conditionalAnswers(method)) },
        }),
        ...(scope && { security: [{ apiKey: alsoScope ? [scope, alsoScope] : [scope] }] }),
        ...(!scope && { security: [], response: withoutKeyFailures(schema.response) }),
      }
      return { schema: described ?? {}, url }
    },
  })
}

/** Answers what a route with an `ETag` may answer besides, without saying so itself. */
function conditionalAnswers(method: string): Record<number, unknown> {
  if (method === 'GET') return { 304: { description: 'The client has this already', type: 'null' } }
  const { 412: refusal } = failures('PRECONDITION_FAILED')
  return { 412: refusal }
}

/** Where no key is asked for, none can be refused. */
function withoutKeyFailures(response: unknown): Record<string, unknown> {
  return Object.fromEntries(Object.entries(response ?? {}).filter(([status]) => status !== '401' && status !== '403'))
}

/** True when a route answers a list: it takes a number of rows. */
function isList(querystring: unknown): boolean {
  return isObjectSchema(querystring) && 'limit' in querystring.properties
}

interface ObjectSchema {
  properties: Record<string, { default?: unknown }>
  required?: string[]
  examples?: unknown[]
  [bodyExample]?: unknown
}

function isObjectSchema(schema: unknown): schema is ObjectSchema {
  return typeof schema === 'object' && schema !== null && 'properties' in schema
}

/** The library drops the examples of a body. */
function keepingExample({ examples, ...schema }: ObjectSchema): ObjectSchema {
  return examples === undefined ? schema : { ...schema, [bodyExample]: examples[0] }
}

/** What has a default may be left out: inside the service it is always there, for a caller it is not required. */
function withoutDefaulted(schema: ObjectSchema): ObjectSchema {
  const required = schema.required?.filter((name) => schema.properties[name]?.default === undefined)
  return { ...schema, ...(required && { required }) }
}
