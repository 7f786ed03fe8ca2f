import { createSealer } from '@printyard/protocol/sealed-connection'
import { TOKEN_RENEWAL_CAPABILITY } from '@printyard/protocol/version'
import type { Context } from '../../context/context.ts'
import { hashSecret } from '../../kernel/hash-secret.ts'
import type { AccountId, HubId } from '../../kernel/ids.ts'
import type { HubConnection } from '../../live/hubs.ts'
import { workIn } from '../events/work.ts'
import { makeHubToken } from './hub-token.ts'
import { adoptNextToken, findDueKey, findHubByTokenHash, lockHub, offerNextToken } from './hubs.queries.ts'
import { beginReported } from './state/begin-reported.ts'

/** A token that is older than this is replaced as soon as its hub is connected. */
export const tokenLifeMs = 30 * 24 * 3_600_000

interface Renewed {
  accountId: AccountId
  hubId: HubId
}

/**
 * Sends a hub another token when its own is due, sealed for the key of the hub. Its own counts until the hub has shown that it keeps
 * the other one; a hub that never does is sent another one next time. Hubs that have told no key, or do not keep their token
 * themselves, keep what they have.
 *
 * @throws StaleConnectionError when a newer connection of the hub was let in
 */
export async function renewTokenIfDue(context: Context, connection: HubConnection): Promise<void> {
  const { accountId, hubId, capabilities } = connection
  if (!capabilities?.has(TOKEN_RENEWAL_CAPABILITY)) return
  const oldest = new Date(context.clock.now().getTime() - tokenLifeMs)
  // Most are not due: a hub that comes back, and a thousand that do at once, cost one read each.
  if ((await findDueKey(context.db.sql, accountId, hubId, oldest)) === undefined) return
  const token = makeHubToken()
  const publicKey = await beginReported(context, connection, async (sql) => {
    await lockHub(sql, accountId, hubId)
    const key = await findDueKey(sql, accountId, hubId, oldest)
    if (key !== undefined) await offerNextToken(sql, accountId, hubId, hashSecret(token))
    return key
  })
  if (publicKey === undefined || context.hubs.findHere(hubId) !== connection) return
  context.hubs.send(hubId, 'renew_token', { sealed_token: createSealer(publicKey)(token, hubId) })
}

/** A hub says that it keeps its next token. What it says of any other one counts for nothing. */
export async function takeKeptToken(context: Context, renewed: Renewed, tokenHashHex: string): Promise<void> {
  await adopt(context, renewed, Buffer.from(tokenHashHex, 'hex'))
}

/** True when the token that a hub connected with still counts. The next one replaces its own by being used. */
export async function confirmToken(context: Context, renewed: Renewed, tokenHash: Buffer): Promise<boolean> {
  const hub = await findHubByTokenHash(context.db.sql, tokenHash)
  if (!hub) return false
  if (hub.is_next) await adopt(context, renewed, tokenHash)
  return true
}

async function adopt(context: Context, renewed: Renewed, tokenHash: Buffer): Promise<void> {
  const { accountId, hubId } = renewed
  await beginReported(context, renewed, async (sql) => {
    const work = workIn(sql, { accountId, actor: `hub:${hubId}`, now: context.clock.now() })
    if (!(await adoptNextToken(work, hubId, tokenHash))) return
    await work.record({ type: 'hub.token_renewed', data: {}, subjectId: hubId })
  })
}
