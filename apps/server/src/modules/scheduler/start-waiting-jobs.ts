import type { Context } from '../../context/context.ts'
import type { AccountId } from '../../kernel/ids.ts'
import { makeStartRounds } from '../../live/start-rounds.ts'
import { FreedPrinters, listReadyPrinters } from './ready-printers.ts'
import { Round, type SentStart } from './round.ts'
import { waitForTurn } from './scheduler.queries.ts'

/** Less than another process waits for the turn. */
const longestRoundMs = 4_500

/** Rounds follow one another for so long at most; what waits for the end of an account's rounds has its turn then. */
const longestRoundsMs = 20_000

/**
 * Gives the free printers of an account the jobs that are first in the queue for them. Rounds of one account wait for one another, so that
 * what is shared between printers, such as their supply, is counted once. A round that was too long is followed by another one, in which
 * printers that were freed meanwhile still come first.
 *
 * @param longestMs of a round
 */
export async function startWaitingJobs(
  context: Context,
  accountId: AccountId,
  longestMs = longestRoundMs,
): Promise<SentStart[]> {
  // Most events free nothing. While all printers of this process are busy that is known without a statement, else without a lock.
  if (!context.printers.hasIdle(accountId)) return []
  // What gives way to starts waits from here on: of a large farm the look takes as long as a page.
  return context.memory.hold(makeStartRounds, undefined).run(accountId, async () => {
    const ready = await listReadyPrinters(context, context.db.sql, accountId)
    return ready.length === 0 ? [] : runRounds(context, accountId, longestMs)
  })
}

async function runRounds(context: Context, accountId: AccountId, longestMs: number): Promise<SentStart[]> {
  const startedMs = performance.now()
  const sent: SentStart[] = []
  using freed = new FreedPrinters(context, accountId)
  let isCutShort: boolean
  do {
    // It holds the turn and writes nothing: what is to be sent is committed page by page beside it.
    isCutShort = await context.db.beginAround(async (turn) => {
      await waitForTurn(turn, accountId)
      return new Round(context, accountId, { turn, freed, sent, longestMs }).run()
    })
  } while (isCutShort && !context.isDraining() && performance.now() - startedMs < longestRoundsMs)
  return sent
}
