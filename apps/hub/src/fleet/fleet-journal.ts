import { randomUUID } from 'node:crypto'
import type { AttemptReport } from '@printyard/protocol/attempt'
import type { CommandErrorCode } from '@printyard/protocol/commands'
import type { Journal } from '../journal/journal.ts'
import type { AttemptIdentity, CommandResult, JournalRecord, JournalState } from '../journal/journal-state.ts'
import type { Clock } from '../util/clock.ts'
import { describeError, type Log } from '../util/log.ts'
import { type CommandMessage, refusal } from './admission.ts'

interface FleetJournalDeps {
  journal: Journal
  clock: Clock
  log: Log
  /** The journal's outbox has grown. */
  onOutbox(): void
  /** Tells the service a result once, without keeping it: an answer given before, or one that cannot be journalled. */
  answer(messageId: string, result: CommandResult): void
}

/** What the fleet writes down: commands, their results and reports of attempts, the latter two to be told to the service. */
export class FleetJournal {
  readonly #deps: FleetJournalDeps

  constructor(deps: FleetJournalDeps) {
    this.#deps = deps
  }

  get state(): Readonly<JournalState> {
    return this.#deps.journal.state
  }

  /** The hub's own clock, ISO 8601. */
  timestamp(): string {
    return new Date(this.#deps.clock()).toISOString()
  }

  /** Rejects with a `JournalWriteError` when the disk does not take it; nothing is told then. */
  async commit(...records: JournalRecord[]): Promise<void> {
    await this.#deps.journal.append(...records)
    this.#deps.onOutbox()
  }

  report(report: AttemptReport, identity: AttemptIdentity): Promise<void> {
    return this.commit(this.attemptRecord(report, identity))
  }

  /** True when a report waits for the service to take it. */
  isOwed(report: AttemptReport): boolean {
    return [...this.state.outbox.values()].some((owed) => owed.type === 'attempt' && owed.report === report)
  }

  /** Journals the answer; when the journal does not take it, gives it at once, for what is done is done. */
  async conclude(result: CommandResult): Promise<void> {
    try {
      await this.commit(this.resultRecord(result))
    } catch {
      this.answerOnce(result)
    }
  }

  /** Journals a command together with the no to it. */
  async refuse(message: CommandMessage, code: CommandErrorCode, text: string): Promise<void> {
    const { command_id, kind } = message
    this.#deps.log.warn('a command was refused', { command_id, kind, code, reason: text })
    const result = refusal(message, code, text)
    try {
      await this.commit(commandRecord(message), this.resultRecord(result))
    } catch {
      this.answerOnce(result)
    }
  }

  /** The journal did not take the command, so nothing is done. */
  refuseUnjournalled(message: CommandMessage, error: unknown): void {
    this.answerOnce(refusal(message, 'JOURNAL_FAILED', describeError(error)))
  }

  answerOnce(result: CommandResult, messageId: string = randomUUID()): void {
    this.#deps.answer(messageId, result)
  }

  attemptRecord(report: AttemptReport, identity: AttemptIdentity): JournalRecord {
    return { t: 'attempt', message_id: randomUUID(), ts: this.timestamp(), report, identity }
  }

  resultRecord(result: CommandResult): JournalRecord {
    return { t: 'result', message_id: randomUUID(), ts: this.timestamp(), result }
  }
}

export function commandRecord({ command_id, printer_id, fence, kind, args }: CommandMessage): JournalRecord {
  const attempt_id = typeof args.attempt_id === 'string' ? args.attempt_id : null
  return { t: 'command', command_id, printer_id, fence, kind, attempt_id }
}

/** The yes to a command. */
export function yes({ command_id, printer_id }: Pick<CommandMessage, 'command_id' | 'printer_id'>): CommandResult {
  return { command_id, printer_id, ok: true, code: null, message: null }
}
