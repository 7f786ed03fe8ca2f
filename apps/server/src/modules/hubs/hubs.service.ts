import type { Static } from 'typebox'
import type { Context } from '../../context/context.ts'
import type { Database, Sql } from '../../db/database.ts'
import { isForeignKeyViolation, isUniqueViolation } from '../../db/database-errors.ts'
import type { Actor } from '../../kernel/actor.ts'
import { AppError, notFound } from '../../kernel/errors.ts'
import { hashSecret } from '../../kernel/hash-secret.ts'
import { type AccountId, type HubId, newId } from '../../kernel/ids.ts'
import { type Work, workIn, workOf } from '../events/work.ts'
import { type FleetAsker, rememberFleets } from '../printers/fleet-memory.ts'
import { statusNow } from '../printers/live-printer.ts'
import { listAttachedPrinters } from '../printers/printers.queries.ts'
import { hubPresence } from './hub-presence.ts'
import { makeHubToken } from './hub-token.ts'
import {
  claimJoinCode,
  deleteHubRow,
  findHub,
  findJoinCode,
  type HubRow,
  hasPrinters,
  insertHub,
  lockHub,
  renameHub,
  replaceHubToken,
  replaceJoinCode,
} from './hubs.queries.ts'
import { type Hub, type PrinterOnHub, presentHub } from './hubs.schema.ts'
import { joinCodeLifetimeMs, makeJoinCode, normalizeJoinCode } from './join-code.ts'
import { elsewhereUnreachable, hubAway } from './state/hub-away.ts'
import { takeEpoch } from './state/hub-connections.queries.ts'
import { writeHubKey } from './state/hub-key.queries.ts'

/** A code as it is shown once. */
interface FreshJoinCode {
  join_code: string
  join_code_expires_at: string
}

/** Makes a hub that nothing runs yet, with the code by which one joins. */
export async function createHub(work: Work, name: string): Promise<{ hub: HubRow; code: FreshJoinCode }> {
  const hub = await insertNamedHub(work, { name, token_hash: null, claimed_at: null })
  return { hub, code: await makeCode(work, hub.id) }
}

/** Makes a hub that connects with the returned token: the only time that it is seen. */
export async function createHubWithToken(work: Work, name: string): Promise<{ id: HubId; token: string }> {
  const token = makeHubToken()
  const { id } = await insertNamedHub(work, { name, token_hash: hashSecret(token), claimed_at: work.now })
  return { id, token }
}

async function insertNamedHub(
  work: Work,
  hub: { name: string; token_hash: Buffer | null; claimed_at: Date | null },
): Promise<HubRow> {
  const id = newId('hub', work.now.getTime())
  const row = await refuseTakenName(() => insertHub(work, { id, ...hub }))
  await work.record({ type: 'hub.created', subjectId: id, data: { name: hub.name } })
  return row
}

async function refuseTakenName<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    if (!isUniqueViolation(error, 'hubs_name_key')) throw error
    throw new AppError('DUPLICATE_NAME', { resource: 'hub' }, { cause: error })
  }
}

/** A new code for a hub; the one before works no longer. The hub that runs it stays connected until another joins. */
export async function renewJoinCode(work: Work, hubId: HubId): Promise<FreshJoinCode & { hub_id: HubId }> {
  if (!(await lockHub(work.sql, work.accountId, hubId))) throw notFound('hub')
  const code = await makeCode(work, hubId)
  await work.record({
    type: 'hub.join_code_made',
    subjectId: hubId,
    data: { expires_at: code.join_code_expires_at },
  })
  return { hub_id: hubId, ...code }
}

async function makeCode(work: Work, hubId: HubId): Promise<FreshJoinCode> {
  const join_code = makeJoinCode()
  const expires_at = new Date(work.now.getTime() + joinCodeLifetimeMs)
  const id = newId('joinCode', work.now.getTime())
  await replaceJoinCode(work, { id, hub_id: hubId, code_hash: hashSecret(join_code), expires_at })
  return { join_code, join_code_expires_at: expires_at.toISOString() }
}

/** Swaps a code for a token. Whatever connected with the token before is put out: its device is no longer the hub. */
export async function joinHub(
  context: Context,
  { code, public_key: publicKey }: { code: string; public_key?: string | undefined },
): Promise<{ hub_id: HubId; name: string; token: string }> {
  const now = context.clock.now()
  const token = makeHubToken()
  const hub = await context.db.begin(async (sql) => {
    const codeHash = hashSecret(normalizeJoinCode(code))
    const place = await findJoinCode(sql, codeHash)
    if (!place) throw new AppError('JOIN_CODE_INVALID')
    // Before the hub itself, as where reports are written: a connection with the former token counts no more, wherever it is.
    await takeEpoch(sql, place.account_id, place.hub_id, null)
    // The hub before its code, as everywhere: two transactions that lock them in turns would wait for each other.
    await lockHub(sql, place.account_id, place.hub_id)
    const work = workIn(sql, { accountId: place.account_id, actor: `hub:${place.hub_id}`, now })
    if (!(await claimJoinCode(work, codeHash))) throw new AppError('JOIN_CODE_INVALID')
    const hub = await replaceHubToken(work, place.hub_id, hashSecret(token))
    await writeHubKey(sql, place.account_id, place.hub_id, publicKey ?? null)
    const data = {
      name: hub.name,
      has_key: publicKey !== undefined,
      was_online: context.hubs.isOnline(place.hub_id),
    }
    await work.record({ type: 'hub.joined', subjectId: hub.id, data })
    return hub
  })
  putOut(context, hub.id, 'Another device joined as this hub.')
  return { hub_id: hub.id, name: hub.name, token }
}

/** Ends a connection whose token is void. It counts for nothing from here on, even if its peer never lets go. */
function putOut(context: Context, hubId: HubId, message: string): void {
  const connection = context.hubs.findHere(hubId)
  if (!connection) return
  context.hubs.disconnect(hubId, { reason: 'revoked', message, retry_after_ms: 0 })
  context.hubs.detach(connection, context.clock.now())
}

/** Its printers are read from memory when the asker tells the state that they were in. */
export async function getHub(context: Context, sql: Sql, asker: FleetAsker, hubId: HubId): Promise<Static<typeof Hub>> {
  const hub = await findHub(sql, asker.accountId, hubId)
  if (!hub) throw notFound('hub')
  const [presented] = await presentHubsNow(context, sql, asker, [hub])
  return presented as Static<typeof Hub>
}

/** Hubs as answered, with their printers by one query for all, or from memory. */
export async function presentHubsNow(
  context: Context,
  sql: Sql,
  asker: FleetAsker,
  rows: HubRow[],
): Promise<Static<typeof Hub>[]> {
  if (rows.length === 0) return []
  const { accountId } = asker
  const byHub = new Map<HubId, PrinterOnHub[]>(rows.map((hub) => [hub.id, []]))
  const hubIds = [...byHub.keys()]
  const fleet = context.memory.hold(rememberFleets, context)
  const attached = await fleet.listAttached(asker, hubIds, () => listAttachedPrinters(sql, accountId, hubIds))
  for (const printer of attached) {
    byHub.get(printer.hub_id)?.push({ ...printer, status: statusNow(context, accountId, printer) })
  }
  const now = context.clock.now()
  return rows.map((hub) => presentHub(hub, hubPresence(context.hubs, accountId, hub, now), byHub.get(hub.id) ?? []))
}

export async function changeHub(
  context: Context,
  actor: Actor,
  hubId: HubId,
  name: string,
  begin: Database['begin'],
): Promise<Static<typeof Hub>> {
  await begin(async (sql) => {
    const work = workOf(context, actor, sql)
    const hub = await lockHub(sql, actor.accountId, hubId)
    if (!hub) throw notFound('hub')
    if (hub.name === name) return
    await refuseTakenName(() => renameHub(work, hubId, name))
    await work.record({ type: 'hub.updated', subjectId: hubId, data: { fields: ['name'], name } })
  })
  const { accountId } = actor
  return getHub(context, context.db.sql, { accountId }, hubId)
}

/** Deletes a hub without printers and history, and puts out whatever is connected as it. */
export async function deleteHub(context: Context, actor: Actor, hubId: HubId): Promise<void> {
  const { accountId } = actor
  const inUse = (why: string, cause?: unknown) => new AppError('RESOURCE_IN_USE', { resource: 'hub', why }, { cause })
  await context.db
    .beginFor(actor.accountId, async (sql) => {
      // Before the hub itself, as where reports are written: whatever is connected as it counts no more.
      await takeEpoch(sql, accountId, hubId, null)
      const hub = await lockHub(sql, accountId, hubId)
      if (!hub) throw notFound('hub')
      if (await hasPrinters(sql, accountId, hubId)) throw inUse('printers are attached to it')
      await deleteHubRow(sql, accountId, hubId)
      await workOf(context, actor, sql).record({ type: 'hub.deleted', subjectId: hubId, data: { name: hub.name } })
    })
    .catch((error: unknown) => {
      if (!isForeignKeyViolation(error)) throw error
      throw inUse('the history of its prints names it', error)
    })
  putOut(context, hubId, 'This hub was deleted.')
}

/** Has a connected hub look for printers on its network. It moves nothing. */
export async function startDiscovery(
  context: Context,
  accountId: AccountId,
  hubId: HubId,
  address?: string,
): Promise<{ hub_id: HubId; started_at: string }> {
  if (!(await findHub(context.db.sql, accountId, hubId))) throw notFound('hub')
  const asked = await context.hubs.discover(hubId, address)
  if (asked.kind === 'offline') throw asked.isElsewhere ? elsewhereUnreachable() : hubAway(context)
  return { hub_id: hubId, started_at: context.clock.now().toISOString() }
}
