import { isDeepStrictEqual } from 'node:util'
import { errorCodes } from './shared-components.ts'

type Json = Record<string, unknown>

/**
 * Writes each failure that operations can answer once, as a component named for its codes: generated clients get one type for
 * it, and the document is a third as long.
 */
export function shareFailures(document: Json): Json {
  const responses: Record<string, Json> = {}
  const share = (status: string, response: Json): Json => {
    const codes = response[errorCodes]
    if (Number(status) < 400 || !Array.isArray(codes)) return response
    const name = freeName(responses, nameOf(codes), response)
    responses[name] = response
    return { $ref: `#/components/responses/${name}` }
  }
  const paths = mapValues(document.paths, (path) =>
    mapValues(path, (operation) => ({
      ...(operation as Json),
      responses: mapValues((operation as Json).responses, (response, status) => share(status, response as Json)),
    })),
  )
  const components = (document.components ?? {}) as Json
  return { ...document, paths, components: { ...components, responses } }
}

/** `NOT_FOUND, HUB_NOT_FOUND` becomes `NotFoundOrHubNotFound`. */
function nameOf(codes: string[]): string {
  const words = codes.map((code) =>
    code.toLowerCase().replace(/(^|[^a-z0-9])([a-z0-9])/g, (_, __, first: string) => first.toUpperCase()),
  )
  return words.join('Or')
}

/** The name itself, or with a number behind it when another failure has it, such as one with other headers. */
function freeName(taken: Record<string, Json>, name: string, response: Json): string {
  for (let number = 1; ; number += 1) {
    const candidate = number === 1 ? name : `${name}${number}`
    const other = taken[candidate]
    if (!other || isDeepStrictEqual(other, response)) return candidate
  }
}

function mapValues(value: unknown, change: (inner: unknown, key: string) => unknown): Json {
  return Object.fromEntries(Object.entries((value ?? {}) as Json).map(([key, inner]) => [key, change(inner, key)]))
}
