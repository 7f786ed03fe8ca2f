import type { RouteOptions } from 'fastify'
import { type FieldErrors, validationError } from '../../kernel/errors.ts'
import type { App } from '../types.ts'

/**
 * Refuses a filter that other lists know and this one does not: ignored, it would answer rows that the caller has just left out.
 * Names that no list knows are ignored, so that clients of other versions keep working.
 */
export function refuseForeignFilters(app: App): void {
  const known = new Set<string>()
  app.addHook('onRoute', (route) => {
    const own = filtersOf(route)
    if (own === undefined) return
    for (const name of own) known.add(name)
    route.preValidation = [
      async ({ query }) => {
        const foreign = Object.keys(query as object).filter((name) => known.has(name) && !own.has(name))
        if (foreign.length > 0) throw notFiltersHere(foreign, own)
      },
      ...[route.preValidation ?? []].flat(),
    ]
  })
}

/** The parameters of a paged list; undefined for any other route. */
function filtersOf({ schema }: RouteOptions): Set<string> | undefined {
  const { properties } = (schema?.querystring ?? {}) as { properties?: object }
  return properties && 'limit' in properties ? new Set(Object.keys(properties)) : undefined
}

function notFiltersHere(names: string[], own: ReadonlySet<string>) {
  const filters = [...own].filter((name) => !['limit', 'offset', 'cursor'].includes(name))
  const possible = filters.length === 0 ? 'it has none' : `its filters are ${filters.sort().join(', ')}`
  const message = `is no filter of this list: ${possible}`
  return validationError(Object.fromEntries(names.map((name) => [name, [message]])) satisfies FieldErrors)
}
