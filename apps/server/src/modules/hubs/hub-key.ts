import type { Context } from '../../context/context.ts'
import type { AccountId, HubId } from '../../kernel/ids.ts'
import { workIn } from '../events/work.ts'
import { lockHub } from './hubs.queries.ts'
import { findHubKey, hasCredentials, writeHubKey } from './state/hub-key.queries.ts'

/** Interval at which the same refusal is recorded, at most: a machine that is refused comes again and again. */
const recordEveryMs = 3_600_000

const makeRecorded = () => new Map<string, number>()

/**
 * Takes the key that a hub tells when it connects; false when it may not connect with it. A token alone reads no credentials: while the
 * hub has printers with some, another key than the one before takes a new join code, and so does none at all.
 */
export async function admitHubKey(
  context: Context,
  { accountId, hubId }: { accountId: AccountId; hubId: HubId },
  given: string | undefined,
): Promise<boolean> {
  // Nearly all come with the key of the last time: for them one read does.
  if (((await findHubKey(context.db.sql, accountId, hubId)) ?? undefined) === given) return true
  return context.db.beginFor(accountId, async (sql) => {
    await lockHub(sql, accountId, hubId)
    const stored = (await findHubKey(sql, accountId, hubId)) ?? undefined
    if (stored === given) return true
    const work = workIn(sql, { accountId, actor: `hub:${hubId}`, now: context.clock.now() })
    if (stored !== undefined && (await hasCredentials(sql, accountId, hubId))) {
      if (isDueToRecord(context, hubId)) {
        const data = { has_key: given !== undefined }
        await work.record({ type: 'hub.key_refused', data, subjectId: hubId })
      }
      return false
    }
    if (given === undefined) return true
    await writeHubKey(sql, accountId, hubId, given)
    const type = stored === undefined ? ('hub.key_registered' as const) : ('hub.key_replaced' as const)
    await work.record({ type, data: {}, subjectId: hubId })
    return true
  })
}

function isDueToRecord({ memory, clock }: Pick<Context, 'memory' | 'clock'>, hubId: HubId): boolean {
  const recorded = memory.hold(makeRecorded, undefined)
  const nowMs = clock.now().getTime()
  if (nowMs - (recorded.get(hubId) ?? Number.NEGATIVE_INFINITY) < recordEveryMs) return false
  recorded.set(hubId, nowMs)
  return true
}
