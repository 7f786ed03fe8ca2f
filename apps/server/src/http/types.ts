import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type {
  FastifyBaseLogger,
  FastifyInstance,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from 'fastify'
import type { Actor, Scope } from '../kernel/actor.ts'
import type { ApiKeyId } from '../kernel/ids.ts'
import type { Role } from '../kernel/policy.ts'
import type { Deprecated } from './deprecation.ts'

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
    /** The scope that an API key needs. Every guarded route names one, or does not start. */
    scope?: Scope
    /** Another scope that an API key needs besides, where one alone would give away more than it says. */
    alsoScope?: Scope
    /** The least role of a person who may call it below /app/v1. By default the least that may use the scope. */
    role?: Role
    /** Notice that it is on its way out. Its answers and the API description say so. */
    deprecated?: Deprecated
    /** The way in is neither an API key nor a session, but something in the request itself (a signed or secret address); says which. */
    credential?: 'upload_token' | 'none'
    /** A header that may bring the API key in place of `Authorization`. */
    keyHeader?: 'x-api-key'
    /** The holder of a key may also sign in by an HTTP digest, for programs that know no other way. */
    takesDigest?: boolean
    /** A person must have shown to be there within the last minutes. Keys are not asked. */
    needsProof?: boolean
    /** Open to members of an account that asks for a second factor before they have one. */
    beforeSecondFactor?: boolean
    /** Its answer waits for a hub, or has no end: it takes no turn among the reads of its account. */
    waitsForOthers?: boolean
    /** True when it answers a resource with an `ETag`. By default what `isTagged` says. */
    tagged?: boolean
  }
  interface FastifyRequest {
    /** What its route says of itself; without a `url` where there is none. */
    route: Partial<FastifyRequest['routeOptions']['config']>
    /** Caller; set for every route with a scope. */
    actor: Actor
    /** Ends its turn among the reads of its account, where it has one. */
    endTurn?: (() => void) | undefined
    /** The key that was sent, also where it is refused; for the log. */
    namedKeyId?: ApiKeyId
  }
}
