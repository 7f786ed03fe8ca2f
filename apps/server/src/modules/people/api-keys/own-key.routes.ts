import type { Context } from '../../../context/context.ts'
import { envelope, failures, ok } from '../../../http/schema.ts'
import type { App } from '../../../http/types.ts'
import { AppError } from '../../../kernel/errors.ts'
import { findAccount } from '../accounts/accounts.queries.ts'
import { findKey } from './api-keys.queries.ts'
import { OwnKey } from './api-keys.schema.ts'

/** Routes for what a key may learn about itself, so that a program offers only what it may do. */
export function ownKeyRoutes(app: App, context: Context): void {
  app.get(
    '/key',
    {
      config: { scope: 'read' },
      schema: {
        tags: ['Account'],
        summary: 'Get the API key of the request',
        description: 'Its name, its scopes and its account. The key itself is never answered.',
        response: { 200: envelope(OwnKey), ...failures() },
      },
    },
    async ({ actor: { accountId, apiKeyId, scopes } }) => {
      const sql = context.db.sql
      const [account, key] = await Promise.all([
        findAccount(sql, accountId),
        apiKeyId === undefined ? null : findKey(sql, accountId, apiKeyId),
      ])
      if (!account || key === undefined) throw new AppError('TOKEN_INVALID')
      return ok({
        id: key?.id ?? null,
        name: key?.name ?? null,
        scopes: [...scopes],
        account_id: accountId,
        account_name: account.name,
        expires_at: key?.expires_at?.toISOString() ?? null,
      })
    },
  )
}
