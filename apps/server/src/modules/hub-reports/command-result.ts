import type { Context } from '../../context/context.ts'
import type { Named } from '../../live/hub-messages.ts'
import type { CommandAnswer } from '../../live/pending.ts'
import { recordLateResult } from '../jobs/life/late-result.ts'
import type { ReportingHub } from './reactions.ts'

/** Hands the result of a command to the request that waits for it, or records it where none waits any more. */
export async function takeResult(
  context: Context,
  { connection: { accountId, hubId } }: Pick<ReportingHub, 'connection'>,
  result: Named<'result'>,
  at: Date,
): Promise<void> {
  if (context.pending.answer('command', hubId, result.command_id, answerOf(result))) return
  await recordLateResult(context, accountId, hubId, result, at)
}

function answerOf({ ok, pending, code, message }: Named<'result'>): CommandAnswer {
  if (!ok) return { kind: 'refused', code: code ?? 'INTERNAL', message: message ?? 'no reason given' }
  return { kind: 'succeeded', ...(pending && { pending: message ?? 'will happen later' }) }
}
