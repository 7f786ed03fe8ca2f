import { notFound } from '@printyard/server/kernel/errors'
import { readId } from '@printyard/server/kernel/ids'
import { workIn } from '@printyard/server/modules/events/work'
import { findAccountOfKey } from '@printyard/server/modules/people/api-keys/api-keys.queries'
import { revokeApiKey } from '@printyard/server/modules/people/api-keys/api-keys.service'
import type { Answer } from '../answer.ts'
import { type DataDirOption, withDatabase } from '../with-database.ts'

export async function revokeKey(typed: string, options: DataDirOption): Promise<Answer> {
  const key = await withDatabase(options, 'keys revoke', (db) =>
    db.begin(async (sql) => {
      const keyId = readId('apiKey', typed)
      const accountId = keyId && (await findAccountOfKey(sql, keyId))
      if (keyId === undefined || accountId === undefined) throw notFound('API key')
      return await revokeApiKey(workIn(sql, { accountId, actor: 'cli', now: new Date() }), keyId)
    }),
  )
  return {
    document: key,
    text: `The API key "${key.name}" (${key.id}) is revoked since ${key.revoked_at.toISOString()}.`,
  }
}
