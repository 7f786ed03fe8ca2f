import type { onRequestHookHandler } from 'fastify'
import type { App } from './types.ts'

/** A route that is on its way out. */
export interface Deprecated {
  /** Since when it should not be used in new work; a day or a point in time. */
  since: string
  /** Time when it may stop answering. */
  sunset?: string
  /** Path or address of what takes its place. */
  successor?: string
}

/**
 * Answers what the answers of such a route say: `Deprecation` (RFC 9745), `Sunset` (RFC 8594) and the successor as a link.
 *
 * @throws Error when a date is none, or the end comes before the beginning
 */
export function deprecationHeaders({ since, sunset, successor }: Deprecated): Record<string, string> {
  const [from, until] = [since, sunset ?? since].map((text) => {
    const date = new Date(text)
    if (Number.isNaN(date.getTime())) throw new Error(`"${text}" is no date`)
    return date
  }) as [Date, Date]
  if (until < from) throw new Error(`sunset (${sunset}) is before since (${since})`)
  return {
    Deprecation: `@${Math.floor(from.getTime() / 1000)}`,
    ...(sunset !== undefined && { Sunset: until.toUTCString() }),
    ...(successor !== undefined && { Link: `<${successor}>; rel="successor-version"` }),
  }
}

/** Every answer of a deprecated route says so, refusals too: `config.deprecated` is all that a route has to say. */
export function announceDeprecations(app: App): void {
  app.addHook('onRoute', (route) => {
    const { deprecated } = route.config ?? {}
    if (!deprecated) return
    let headers: Record<string, string>
    try {
      headers = deprecationHeaders(deprecated)
    } catch (error) {
      throw new Error(`${route.method} ${route.url} cannot be deprecated like that`, { cause: error })
    }
    const say: onRequestHookHandler = (_request, reply, done) => {
      reply.headers(headers)
      done()
    }
    route.onRequest = [say, ...[route.onRequest ?? []].flat()]
  })
}
