import { randomBytes } from 'node:crypto'
import type { Sql } from '../../../db/database.ts'
import type { Scope } from '../../../kernel/actor.ts'
import { notFound } from '../../../kernel/errors.ts'
import { hashSecret } from '../../../kernel/hash-secret.ts'
import { type AccountId, type ApiKeyId, newId, type UserId } from '../../../kernel/ids.ts'
import { requireMayMakeKey } from '../../../kernel/policy.ts'
import { workIn } from '../../events/work.ts'
import { findRoleHeld } from '../accounts/members.queries.ts'
import { insertKey, revokeKeyById } from './api-keys.queries.ts'

const keyPrefix = 'printyard_live_'

export interface NewApiKey {
  name: string
  scopes: readonly Scope[]
  expiresAt: Date | null
  /** Who makes it: a member of the account, by their user ID, or in a word anyone who runs the machine itself. */
  createdBy: string | { userId: UserId }
}

/**
 * Makes a key. The returned text is the only time that it is seen: the database holds its hash. Call it in a transaction.
 *
 * @throws AppError `FORBIDDEN` when a member makes it whose role does not allow that
 */
export async function createApiKey(
  sql: Sql,
  accountId: AccountId,
  input: NewApiKey,
  now: Date,
): Promise<{ id: ApiKeyId; key: string; name: string; scopes: Scope[]; expires_at: Date | null }> {
  const createdBy = await nameMaker(sql, accountId, input)
  const key = keyPrefix + randomBytes(32).toString('hex')
  const id = newId('apiKey', now.getTime())
  const scopes = [...new Set(input.scopes)]
  await insertKey(sql, {
    account_id: accountId,
    id,
    name: input.name,
    key_hash: hashSecret(key),
    key_prefix: key.slice(0, keyPrefix.length + 8),
    last_four: key.slice(-4),
    scopes,
    created_by: createdBy,
    expires_at: input.expiresAt,
    created_at: now,
  })
  const work = workIn(sql, { accountId, actor: createdBy, now })
  await work.record({ type: 'api_key.created', subjectId: id, data: { name: input.name, scopes } })
  return { id, key, name: input.name, scopes, expires_at: input.expiresAt }
}

async function nameMaker(sql: Sql, accountId: AccountId, { createdBy, scopes }: NewApiKey): Promise<string> {
  if (typeof createdBy === 'string') return createdBy
  requireMayMakeKey(await findRoleHeld(sql, accountId, createdBy.userId), scopes)
  return `user:${createdBy.userId}`
}

/**
 * Ends a key for good; it counts for the very next request. Doing it twice changes nothing. Call it in a transaction.
 *
 * @throws AppError `NOT_FOUND`
 */
export async function revokeApiKey(
  sql: Sql,
  accountId: AccountId,
  keyId: ApiKeyId,
  actor: string,
  now: Date,
): Promise<{ id: ApiKeyId; name: string; revoked_at: Date }> {
  const key = await revokeKeyById(sql, accountId, keyId, now)
  if (!key) throw notFound('API key')
  const { name, revoked_at, is_new } = key
  if (is_new) {
    await workIn(sql, { accountId, actor, now }).record({ type: 'api_key.revoked', subjectId: keyId, data: { name } })
  }
  return { id: keyId, name, revoked_at }
}
