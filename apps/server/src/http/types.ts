import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type {
  FastifyBaseLogger,
  FastifyInstance,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from 'fastify'
import type { Actor, Scope } from '../actor.ts'

/** The application as modules see it: routes whose inputs are typed by their schemas. */
export type App = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The scope that an API key needs. Every route under /public/v1 names one, or does not start. */
    scope?: Scope
    /** The way in is not an API key but something in the request itself (a signed or secret address); says which. */
    credential?: 'upload_token' | 'none'
    /** Whether it answers a resource with an `ETag`. By default what `isTagged` says. */
    tagged?: boolean
  }
  interface FastifyRequest {
    /** Who asks; set for every route with a scope. */
    actor: Actor
  }
}
