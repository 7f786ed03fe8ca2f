import type { Context } from '../../../context/context.ts'
import type { AccountId, HubId } from '../../../kernel/ids.ts'
import type { AttemptReport } from '../../../live/hub-messages.ts'
import { listEndedOf } from '../../attempts/attempts.queries.ts'

/**
 * Tells a hub which of the attempts that it holds open are over here, so that none holds its printer for ever. Not one that
 * was believed not to have started and that the hub sees running: its report takes it back.
 */
export async function releaseEnded(
  context: Pick<Context, 'db' | 'hubs'>,
  { accountId, hubId }: { accountId: AccountId; hubId: HubId },
  open: readonly AttemptReport[],
): Promise<void> {
  if (open.length === 0) return
  const ids = open.map(({ attempt_id }) => attempt_id)
  const ended = await listEndedOf(context.db.sql, accountId, hubId, ids)
  const attempts = ended
    .filter(({ attempt_id, outcome }) => {
      const held = open.find((report) => report.attempt_id === attempt_id)
      return outcome !== 'not_started' || held?.phase !== 'confirmed' || held.outcome !== null
    })
    .map(({ attempt_id, printer_id }) => ({ attempt_id, printer_id }))
  if (attempts.length > 0) context.hubs.send(hubId, 'release', { attempts })
}
