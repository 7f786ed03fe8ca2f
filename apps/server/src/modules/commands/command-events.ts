import type { CommandRow } from '../../db/rows.generated.ts'
import { type Work, workBy } from '../events/work.ts'
import type { EndedCommand } from './commands.queries.ts'

/** Outcome of a command, for readers of events. `pending`: the printer carries it out later. */
type ToldOutcome = Exclude<CommandRow['state'], 'sent'> | 'pending'

/**
 * Records a command to the machine itself, with who gave it; what becomes of the print of a job is recorded with the job. A
 * command that was refused did nothing and leaves no event, unless it was told before that its outcome is unknown.
 */
export async function recordCommandEvent(work: Work, command: EndedCommand, outcome: ToldOutcome): Promise<void> {
  const { id, printer_id, job_id, attempt_id, kind, actor, state_before } = command
  if (job_id !== null || attempt_id !== null) return
  if (outcome === 'failed' && state_before !== 'unknown') return
  // Written by `insertCommand` alone, from the arguments of a kind.
  const { attempt_id: _, ...args } = command.args as Record<string, unknown>
  await workBy(work, actor).record({
    type: 'printer.commanded',
    subjectId: printer_id,
    data: { ...args, command: kind, outcome, command_id: id },
  })
}
