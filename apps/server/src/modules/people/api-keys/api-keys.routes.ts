import type { Context } from '../../../context/context.ts'
import { readPage } from '../../../http/cursor.ts'
import { answerOnce } from '../../../http/idempotency.ts'
import { envelope, failures, idParams, ok, page, pageEnvelope, postFailures } from '../../../http/schema.ts'
import type { App } from '../../../http/types.ts'
import { personOf } from '../../../kernel/actor.ts'
import { workOf } from '../../events/work.ts'
import { requireRoom } from '../../quotas/quotas.service.ts'
import { findKey, type ListedKey, listKeyPage } from './api-keys.queries.ts'
import { ApiKey, ApiKeyBody, ApiKeysQuery, NewApiKey, RevokedApiKey } from './api-keys.schema.ts'
import { createApiKey, revokeApiKey } from './api-keys.service.ts'

const dayMs = 24 * 60 * 60 * 1000

/** The keys of the account, for the people who may make them. */
export function apiKeyRoutes(routes: App, context: Context): void {
  routes.get(
    '/api-keys',
    {
      config: { scope: 'read', role: 'admin' },
      schema: {
        summary: 'List the API keys, the newest first',
        description: 'Includes keys that were revoked or have expired.',
        querystring: ApiKeysQuery,
        response: { 200: pageEnvelope(ApiKey), ...failures('FORBIDDEN') },
      },
    },
    async (incoming) => {
      const { rows, meta } = await readPage(context, incoming, (bounds) =>
        listKeyPage(context.db.sql, incoming.actor.accountId, bounds),
      )
      return page(rows.map(presentKey), meta)
    },
  )

  routes.post(
    '/api-keys',
    {
      config: { scope: 'write', role: 'admin', needsProof: true },
      schema: {
        summary: 'Make an API key',
        description: 'The key itself is shown only in this answer.',
        body: ApiKeyBody,
        response: {
          201: envelope(NewApiKey),
          ...failures('FORBIDDEN', 'PROOF_REQUIRED', 'ORIGIN_REFUSED', 'QUOTA_EXCEEDED', ...postFailures),
        },
      },
    },
    (incoming, reply) =>
      answerOnce(context, incoming, reply, 201, async (sql) => {
        const person = personOf(incoming.actor)
        const { name, scopes, expires_in_days: days } = incoming.body
        const work = workOf(context, person, sql)
        await requireRoom(context, sql, person.accountId, 'api_keys')
        const expiresAt = days == null ? null : new Date(work.now.getTime() + days * dayMs)
        const { id, key } = await createApiKey(work, { name, scopes, expiresAt, maker: person.userId })
        const made = await findKey(sql, person.accountId, id)
        if (!made) throw new Error('An API key was made and is not there.')
        return ok({ ...presentKey(made), key })
      }),
  )

  routes.delete(
    '/api-keys/:id',
    {
      config: { scope: 'write', role: 'admin' },
      schema: {
        summary: 'Revoke an API key',
        description: 'It counts for the very next request. Doing it twice changes nothing.',
        params: idParams('apiKey'),
        response: { 200: envelope(RevokedApiKey), ...failures('NOT_FOUND', 'FORBIDDEN', 'ORIGIN_REFUSED') },
      },
    },
    async ({ actor, params }) => {
      const revoked = await context.db.beginFor(actor.accountId, (sql) =>
        revokeApiKey(workOf(context, actor, sql), params.id),
      )
      return ok({ ...revoked, revoked_at: revoked.revoked_at.toISOString() })
    },
  )
}

function presentKey(row: Omit<ListedKey, 'account_id'>) {
  return {
    id: row.id,
    name: row.name,
    scopes: row.scopes,
    prefix: row.key_prefix,
    last_four: row.last_four,
    created_by: row.created_by,
    created_by_name: row.created_by_name,
    created_at: row.created_at.toISOString(),
    last_used_at: row.last_used_at?.toISOString() ?? null,
    expires_at: row.expires_at?.toISOString() ?? null,
    revoked_at: row.revoked_at?.toISOString() ?? null,
  }
}
