import { type ApiKeyRow, listKeys as findKeys } from '@printyard/server/modules/people/api-keys/api-keys.queries'
import { type Answer, formatTable } from '../answer.ts'
import { getAccountId } from '../known-account.ts'
import { type DataDirOption, withDatabase } from '../with-database.ts'

export interface ListKeysOptions extends DataDirOption {
  account: string
}

export async function listKeys(options: ListKeysOptions): Promise<Answer> {
  const keys = await withDatabase(options, 'keys list', async ({ sql }) => {
    return await findKeys(sql, await getAccountId(sql, options.account))
  })
  const now = new Date()
  const rows = keys.map((key) => [
    key.id,
    key.name,
    `${key.key_prefix}…${key.last_four}`,
    key.scopes.join(','),
    stateOf(key, now),
    key.last_used_at?.toISOString() ?? 'never',
  ])
  return {
    document: keys.map(({ account_id, created_by, ...shown }) => ({ ...shown, state: stateOf(shown, now) })),
    text:
      keys.length === 0
        ? 'This account has no API key.'
        : formatTable(['ID', 'NAME', 'KEY', 'SCOPES', 'STATE', 'LAST USED'], rows),
  }
}

function stateOf({ revoked_at, expires_at }: Pick<ApiKeyRow, 'revoked_at' | 'expires_at'>, now: Date): string {
  if (revoked_at !== null) return 'revoked'
  return expires_at !== null && expires_at <= now ? 'expired' : 'active'
}
