import { timingSafeEqual } from 'node:crypto'
import { FOLLOWS_HEADER } from '@printyard/protocol/version'
import type { Context } from '../../context/context.ts'
import { connectionsOf } from '../../http/connections/open-connections.ts'
import type { App } from '../../http/types.ts'
import { AppError } from '../../kernel/errors.ts'
import { type AccountId, type FileVersionId, type HubId, readId } from '../../kernel/ids.ts'
import { findContentForHub } from './files.queries.ts'
import { sendContent } from './send-content.ts'

/**
 * Path and query where one hub may pull the bytes of one version until `expiresAt`, which counts in whole seconds. It
 * needs no other credential. It also ends when the hub loses its token.
 */
export function signFileUrl(
  context: Context,
  accountId: AccountId,
  versionId: FileVersionId,
  hubId: HubId,
  expiresAt: Date,
): string {
  const expires = String(Math.floor(expiresAt.getTime() / 1000))
  const signature = context.secrets.sign(signedText(accountId, versionId, hubId, expires))
  const query = new URLSearchParams({ account: accountId, hub: hubId, expires, signature })
  return `/hub/v1/files/${versionId}?${query}`
}

function signedText(...parts: [account: string, version: string, hub: string, expires: string]): string {
  return JSON.stringify(['hub file', ...parts])
}

/** True when we gave this address out, by the present key or by one of before a rotation. */
function isSigned({ secrets }: Context, signature: string, text: string): boolean {
  return [secrets.sign(text), ...secrets.formerSigns(text)].some((expected) => isSame(signature, expected))
}

/** Routes by which hubs pull what they print: ranged, so that a broken transfer goes on where it broke. The ETag is the SHA-256. */
export function hubFileRoutes(app: App, context: Context): void {
  app.get<{ Params: { versionId: FileVersionId }; Querystring: Record<string, unknown> }>(
    '/hub/v1/files/:versionId',
    { config: { credential: 'none' } },
    async (request, reply) => {
      const { account, hub, expires, signature } = request.query
      const { versionId } = request.params
      if (![account, hub, expires, signature].every((value) => typeof value === 'string')) throw invalidLink()
      const link = { account, hub, expires, signature } as Record<'account' | 'hub' | 'expires' | 'signature', string>
      const text = signedText(link.account, versionId, link.hub, link.expires)
      if (!isSigned(context, link.signature, text) || Number(link.expires) * 1000 <= context.clock.now().getTime()) {
        throw invalidLink()
      }
      const accountId = readId('account', link.account)
      const hubId = readId('hub', link.hub)
      const content = accountId && hubId && (await findContentForHub(context.db.sql, accountId, versionId, hubId))
      if (!content) throw invalidLink()
      connectionsOf(context).know(request.raw.socket, accountId)
      const canRedirect = request.headers[FOLLOWS_HEADER] !== undefined
      return sendContent(context, request, reply, content, { etag: `"${content.sha256}"`, canRedirect })
    },
  )
}

function invalidLink(): AppError {
  return new AppError('FILE_LINK_INVALID')
}

function isSame(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}
