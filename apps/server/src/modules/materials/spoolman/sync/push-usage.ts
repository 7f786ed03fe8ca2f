import type { Context } from '../../../../context/context.ts'
import type { Work } from '../../../events/work.ts'
import type { OpenSendings } from './open-sendings.ts'
import { settleUsage } from './settle-usage.ts'
import { type SpoolmanClient, SpoolmanProblem } from './spoolman-client.ts'
import { beginSending, endSending, type HeldConnection, type LinkedSpool, listSpoolsToTell } from './sync.queries.ts'

/** Spools that are told of in one turn, so that Spoolman is read in between. */
const spoolsInTurn = 100

/** Writes in one transaction, as long as the lease is held. */
export type WriteHeld = <T>(write: (work: Work) => Promise<T>) => Promise<T>

/**
 * Tells Spoolman what was used. What is about to be told is written down first, with what the spool had been used by then: after a lost
 * answer, or the death of this process, the spool itself says whether it came in, and nothing is told twice.
 *
 * @throws SpoolmanProblem for what is no matter of one spool
 */
export async function pushUsage(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  held: HeldConnection,
  client: SpoolmanClient,
  write: WriteHeld,
  open: OpenSendings,
): Promise<void> {
  const { account_id: accountId } = held
  for (const spool of await listSpoolsToTell(db.sql, accountId, spoolsInTurn)) {
    if (open.mayStillArrive(accountId, spool, clock.now())) continue
    try {
      const { used } = await client.findSpool(spool.spool_id)
      if (!(await conclude(spool, used, write))) continue
      if (spool.sending_at !== null) open.end(accountId, spool.spool_id, spool.sending_at)
      const sending = await write(async (work) => ({
        at: work.now,
        milligrams: await beginSending(work, spool.spool_id, used),
      }))
      if (sending.milligrams === undefined) continue
      open.begin(accountId, spool.spool_id, sending.at)
      await client.useSpool(spool.spool_id, sending.milligrams)
      await write((work) => endSending(work, spool.spool_id, { state: 'took' }))
      open.end(accountId, spool.spool_id, sending.at)
    } catch (error) {
      if (!(error instanceof SpoolmanProblem) || (error.kind !== 'missing' && error.kind !== 'refused')) throw error
      const { message: problem } = error
      await write(async (work) => {
        await beginSending(work, spool.spool_id, 0)
        await endSending(work, spool.spool_id, { state: 'refused', problem })
      })
    }
  }
}

/** True when there may be more to tell of a spool, now that it is known what came of the last time. */
async function conclude(spool: LinkedSpool, usedNow: number, write: WriteHeld): Promise<boolean> {
  const { spool_id: spoolId, sending_from: from, sending_milligrams: milligrams } = spool
  if (from === null || milligrams === null) return true
  const outcome = settleUsage({ from, milligrams }, usedNow)
  if (outcome === 'unclear') {
    const problem = `The spool had been used ${from / 1_000} g when ${milligrams / 1_000} g were told, and is used ${usedNow / 1_000} g now.`
    await write((work) => endSending(work, spoolId, { state: 'unclear', problem }))
    return false
  }
  await write((work) => endSending(work, spoolId, { state: outcome === 'took' ? 'took' : 'again' }))
  return true
}
