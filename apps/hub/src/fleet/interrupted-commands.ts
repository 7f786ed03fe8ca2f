import { randomUUID } from 'node:crypto'
import type { Journal } from '../journal/journal.ts'
import type { CommandResult, JournalRecord, JournalState, KnownCommand } from '../journal/journal-state.ts'
import type { Clock } from '../util/clock.ts'
import { yes } from './fleet-journal.ts'

/**
 * Commands that the journal holds without an answer were being carried out when the hub was killed. Nothing is repeated:
 * a print lives on as its attempt, of any other the outcome is not known.
 */
export async function answerInterrupted(journal: Journal, clock: Clock): Promise<void> {
  const ts = new Date(clock()).toISOString()
  const records = [...journal.state.commands.values()]
    .filter(({ result }) => result === null)
    .map((command): JournalRecord => {
      return { t: 'result', message_id: randomUUID(), ts, result: resultOf(command, journal.state) }
    })
  if (records.length > 0) await journal.append(...records)
}

function resultOf(command: KnownCommand, { attempts }: Pick<JournalState, 'attempts'>): CommandResult {
  const { command_id, printer_id, kind, attempt_id } = command
  const no = { command_id, printer_id, ok: false, message: 'the hub was restarted' } as const
  if (kind !== 'print') return { ...no, code: 'UNKNOWN_OUTCOME' }
  return attempt_id !== null && attempts.has(attempt_id) ? yes(command) : { ...no, code: 'JOURNAL_FAILED' }
}
