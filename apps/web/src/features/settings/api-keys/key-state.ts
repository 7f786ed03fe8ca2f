import type { ApiKey } from '../../../lib/api/api-schema.generated.ts'
import { t } from '../../../lib/i18n/t.ts'
import { actorWords } from '../../../lib/words/actor-words.ts'

/** Whether the service still takes the key. */
export function keyState(
  { revoked_at, expires_at }: Pick<ApiKey, 'revoked_at' | 'expires_at'>,
  nowMs: number,
): 'works' | 'ended' | 'revoked' {
  if (revoked_at !== null) return 'revoked'
  return expires_at !== null && Date.parse(expires_at) <= nowMs ? 'ended' : 'works'
}

/** Who made the key: a person by name, also one who has left. */
export function keyMaker({ created_by, created_by_name }: Pick<ApiKey, 'created_by' | 'created_by_name'>): string {
  if (created_by_name !== null) return created_by_name
  return created_by === null ? t('Not known') : actorWords(created_by, null)
}

/** What becomes of a member's keys when they go, for the question before; `names` are of those that still work. */
export function keysThatStay(names: readonly string[]): string {
  const [first] = names
  if (first === undefined) return t('No API key that they made is still in use.')
  const stays = t('belongs to the account and stays: revoke it under API keys if it should not.')
  if (names.length === 1) return t('The API key {first}, which they made, {stays}', { first, stays })
  const shown = names.slice(0, 3).join(', ')
  const more = names.length > 3 ? t(' and {count} more', { count: names.length - 3 }) : ''
  return t(
    '{count} API keys that they made ({shown}{more}) belong to the account and stay: revoke them under API keys if they should not.',
    { count: names.length, shown, more },
  )
}
