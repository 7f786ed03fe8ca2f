import type { AccountId, ApiKeyId, MemberId, SessionId, UserId } from './ids.ts'
import type { Role } from './policy.ts'

export const scopes = ['read', 'write', 'control'] as const
/** What a caller may do: see, change data, move machines. */
export type Scope = (typeof scopes)[number]

/** Caller. `label` is what stands in records: `key:key_…`, `user:usr_…`, `system`, `hub:hub_…`,
 * `rule:arl_…`, `mqtt:mqb_…`. */
export interface Actor {
  accountId: AccountId
  label: string
  scopes: readonly Scope[]
  /** The API key that was sent; a person who is signed in has none. */
  apiKeyId?: ApiKeyId
  /** These four are there when a person who is signed in asks. */
  userId?: UserId
  memberId?: MemberId
  role?: Role
  sessionId?: SessionId
  /** True when the person has lately shown to be there, and until when that counts. */
  isProven?: boolean
  provenUntil?: Date | undefined
  /** Which state the printers of the account were in when the caller was let in; of requests alone. */
  printerMark?: string
}

/** A person who is signed in. */
export type Person = Actor & Required<Pick<Actor, 'userId' | 'memberId' | 'role' | 'sessionId'>>

/** The actor of a route that only people can call. */
export function personOf(actor: Actor): Person {
  const { userId, memberId, role, sessionId } = actor
  if (userId === undefined || memberId === undefined || role === undefined || sessionId === undefined) {
    throw new Error(`${actor.label} is no person who is signed in`)
  }
  return { ...actor, userId, memberId, role, sessionId }
}

/** Answers who uses up a limit and owns an Idempotency-Key: an API key, or a person over all their sessions. */
export function callerId({ apiKeyId, userId, label }: Actor): string {
  return apiKeyId ?? userId ?? label
}
