import { extensibleEnum } from '../../http/openapi/published-document.ts'
import { errorCodes } from '../../http/openapi/shared-components.ts'

type Json = Record<string, unknown>

/**
 * The API description with its answers closed again, as the service's own serialisers are: nothing but the fields, values and
 * error codes that it names. Clients must take more than that; the service must not send it.
 */
export function closeDescription<T>(node: T): T {
  if (Array.isArray(node)) return node.map((item) => closeDescription(item)) as T
  if (node === null || typeof node !== 'object') return node
  const mapped = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, closeDescription(value)])) as Json
  if (mapped.additionalProperties === true && mapped.properties) mapped.additionalProperties = false
  const values = mapped[extensibleEnum]
  if (Array.isArray(values)) mapped.enum = [mapped.type].flat().includes('null') ? [...values, null] : values
  const codes = mapped[errorCodes]
  if (Array.isArray(codes)) closeRefusal(mapped.content, codes)
  return mapped as T
}

function closeRefusal(content: unknown, codes: unknown[]): void {
  const { 'application/json': json } = content as { 'application/json': Json }
  json.schema = { allOf: [json.schema, { properties: { error: { properties: { code: { enum: codes } } } } }] }
}
