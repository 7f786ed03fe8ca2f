import type { HubMessageBody } from '@printyard/protocol/messages'
import type { Context } from '../../../context/context.ts'
import { endCommandOfHub } from '../../commands/commands.queries.ts'
import { settleAttemptIn } from './attempts.service.ts'
import { followPrinter } from './follow-printer.ts'

/**
 * What came of an order, told when nobody waits for it any more. A start that was refused in the end never happened: its
 * job goes back to the queue and its printer is free again.
 */
export async function recordLateResult(
  context: Context,
  accountId: string,
  hubId: string,
  result: HubMessageBody<'result'>,
  at: Date,
): Promise<void> {
  let isTurn = false
  const isSettled = await context.db.begin(async (sql) => {
    const command = await endCommandOfHub(sql, accountId, hubId, result.command_id, {
      state: result.ok ? 'succeeded' : result.code === 'UNKNOWN_OUTCOME' ? 'unknown' : 'failed',
      error_code: result.code,
      error_message: result.message,
      at,
    })
    isTurn = command?.kind === 'pause' || command?.kind === 'resume'
    const isRefused = !result.ok && result.code !== 'UNKNOWN_OUTCOME'
    if (command?.kind !== 'print' || command.attempt_id === null || !isRefused) return false
    return settleAttemptIn(context, sql, accountId, command.attempt_id, {
      phase: 'finished',
      outcome: 'not_started',
      reason_code: result.code,
      evidence: { kind: 'refusal', run_id: null, detail: result.message },
      actor: `hub:${hubId}`,
    })
  })
  // What the printer showed while the command counted as under way was not followed.
  if (isSettled || isTurn) await followPrinter(context, result.printer_id)
}
