import type { Context } from '../../../context/context.ts'
import type { AccountId, HubId } from '../../../kernel/ids.ts'
import type { HubMessageBody } from '../../../live/hub-messages.ts'
import { recordCommandEvent } from '../../commands/command-events.ts'
import { endCommand } from '../../commands/commands.queries.ts'
import { workIn } from '../../events/work.ts'
import { beginReported } from '../../hubs/state/begin-reported.ts'
import { settleAttemptIn } from './attempts.service.ts'
import { followPrinter } from './follow-printer.ts'

/**
 * Records what came of a command, told when no one waits for it any more. A start that was refused in the end never happened: its
 * job goes back to the queue and its printer is free again.
 */
export async function recordLateResult(
  context: Context,
  accountId: AccountId,
  hubId: HubId,
  result: HubMessageBody<'result'>,
  at: Date,
): Promise<void> {
  let isTurn = false
  const isSettled = await beginReported(context, { accountId, hubId }, async (sql) => {
    const work = workIn(sql, { accountId, actor: `hub:${hubId}`, now: at })
    const state = result.ok ? 'succeeded' : result.code === 'UNKNOWN_OUTCOME' ? 'unknown' : 'failed'
    const { code: error_code, message: error_message } = result
    const command = await endCommand(sql, accountId, result.command_id, { hubId, state, error_code, error_message, at })
    if (command) await recordCommandEvent(work, command, result.pending ? 'pending' : state)
    isTurn = command?.kind === 'pause' || command?.kind === 'resume'
    const isRefused = !result.ok && result.code !== 'UNKNOWN_OUTCOME'
    if (command?.kind !== 'print' || command.attempt_id === null || !isRefused) return false
    return settleAttemptIn(context, work, command.attempt_id, {
      phase: 'finished',
      outcome: 'not_started',
      reason_code: result.code,
      evidence: { kind: 'refusal', run_id: null, detail: result.message },
    })
  })
  // What the printer showed while the command counted as under way was not followed.
  if (isSettled || isTurn) await followPrinter(context, result.printer_id)
}
