import { randomBytes } from 'node:crypto'
import type { Scope } from '../../../kernel/actor.ts'
import { notFound } from '../../../kernel/errors.ts'
import { hashSecret } from '../../../kernel/hash-secret.ts'
import { type ApiKeyId, newId, type UserId } from '../../../kernel/ids.ts'
import { requireMayMakeKey } from '../../../kernel/policy.ts'
import type { Work } from '../../events/work.ts'
import { findRoleHeld } from '../accounts/members.queries.ts'
import { insertKey, revokeKeyById } from './api-keys.queries.ts'

const keyPrefix = 'printyard_live_'

export interface NewApiKey {
  name: string
  scopes: readonly Scope[]
  expiresAt: Date | null
  /** The member of the account who makes it; left out where who runs the machine does. */
  maker?: UserId
}

/**
 * Makes a key. The returned text is the only time that it is seen: the database holds its hash. Call it in a transaction.
 *
 * @throws AppError `FORBIDDEN` when a member makes it whose role does not allow that
 */
export async function createApiKey(
  work: Work,
  { name, scopes: wanted, expiresAt, maker }: NewApiKey,
): Promise<{ id: ApiKeyId; key: string; name: string; scopes: Scope[]; expires_at: Date | null }> {
  if (maker !== undefined) requireMayMakeKey(await findRoleHeld(work.sql, work.accountId, maker), wanted)
  const key = keyPrefix + randomBytes(32).toString('hex')
  const id = newId('apiKey', work.now.getTime())
  const scopes = [...new Set(wanted)]
  await insertKey(work, {
    id,
    name,
    key_hash: hashSecret(key),
    key_prefix: key.slice(0, keyPrefix.length + 8),
    last_four: key.slice(-4),
    scopes,
    expires_at: expiresAt,
  })
  await work.record({ type: 'api_key.created', subjectId: id, data: { name, scopes } })
  return { id, key, name, scopes, expires_at: expiresAt }
}

/**
 * Ends a key for good; it counts for the very next request. Doing it twice changes nothing. Call it in a transaction.
 *
 * @throws AppError `NOT_FOUND`
 */
export async function revokeApiKey(
  work: Work,
  keyId: ApiKeyId,
): Promise<{ id: ApiKeyId; name: string; revoked_at: Date }> {
  const key = await revokeKeyById(work, keyId)
  if (!key) throw notFound('API key')
  const { name, revoked_at, is_new } = key
  if (is_new) await work.record({ type: 'api_key.revoked', subjectId: keyId, data: { name } })
  return { id: keyId, name, revoked_at }
}
