import type { AttemptReport } from '@printyard/protocol/attempt'
import { attemptFileName } from '@printyard/protocol/attempt-file-name'
import type { CommandArguments, PrinterCommand } from '@printyard/protocol/commands'
import type { DeviceCommand } from '../drivers/driver.ts'
import { canAppendTo } from '../files/ejecting-copy.ts'
import { type AttemptIdentity, type CommandResult, isOpen } from '../journal/journal-state.ts'
import { describeError } from '../util/log.ts'
import { admit, type CommandMessage, refusal } from './admission.ts'
import { CommandError } from './command-rules.ts'
import { commandRecord, type FleetJournal, yes } from './fleet-journal.ts'
import type { Printer } from './printer.ts'

interface CommandIntakeDeps {
  journal: FleetJournal
  /** Milliseconds since 1970 by the service's clock. */
  serverNow(): number
}

/** Takes commands in: journals each before anything is done, has it carried out, and answers it whatever becomes of it. */
export class CommandIntake {
  readonly #journal: FleetJournal
  readonly #serverNow: () => number
  readonly #running = new Set<Promise<void>>()

  constructor({ journal, serverNow }: CommandIntakeDeps) {
    this.#journal = journal
    this.#serverNow = serverNow
  }

  /** Resolves once the command is journalled or refused; a command other than a print goes on after that. */
  async take(message: CommandMessage, printer: Printer | undefined): Promise<void> {
    const present = { serverNowMs: this.#serverNow(), isPrinterKnown: printer !== undefined }
    const admission = admit(message, this.#journal.state, present)
    if (admission.act === 'repeat') {
      return this.#journal.answerOnce(admission.result.body, admission.result.message_id)
    }
    if (admission.act === 'refuse') return this.#journal.refuse(message, admission.code, admission.message)
    if (admission.act === 'await' || !printer) return
    // The arguments were checked against the kind at admission; the message itself cannot say so in types.
    const command = { kind: message.kind, args: message.args } as unknown as PrinterCommand
    return command.kind === 'print'
      ? this.#print(printer, message, command.args)
      : this.#carryOut(printer, message, command)
  }

  /** Resolves when nothing is being carried out any more. */
  async settled(): Promise<void> {
    await Promise.all(this.#running)
  }

  async #carryOut(printer: Printer, message: CommandMessage, command: DeviceCommand): Promise<void> {
    try {
      await this.#journal.commit(commandRecord(message))
    } catch (error) {
      return this.#journal.refuseUnjournalled(message, error)
    }
    const carrying = printer
      .carryOut(command, Date.parse(message.deadline))
      .then(
        ({ note, isPending }): CommandResult => ({
          ...yes(message),
          message: note,
          ...(isPending && { pending: true }),
        }),
        (error: unknown) =>
          refusal(message, error instanceof CommandError ? error.code : 'INTERNAL', describeError(error)),
      )
      .then((result) => this.#journal.conclude(result))
      .finally(() => this.#running.delete(carrying))
    this.#running.add(carrying)
  }

  async #print(printer: Printer, message: CommandMessage, args: CommandArguments<'print'>): Promise<void> {
    const journal = this.#journal
    const known = journal.state.attempts.get(args.attempt_id)
    if (known && !isOpen(known.report)) return journal.refuse(message, 'WRONG_STATE', 'the attempt is already over')
    if (args.ejection_gcode !== undefined && !canAppendTo(args.file.format)) {
      const text = `an ejection cannot be appended to a ${args.file.format} file`
      return journal.refuse(message, 'NOT_SUPPORTED', text)
    }
    const holding = known ? undefined : printer.holdingAttempt
    if (holding) return journal.refuse(message, 'PRINTER_BUSY', `attempt ${holding.id} holds the printer`)
    const accepted = [commandRecord(message), journal.resultRecord(yes(message))]
    const report = this.#firstReport(message, args)
    const identity: AttemptIdentity = {
      file_name: attemptFileName(args.file, args.attempt_id),
      run_id: null,
      run_before: null,
    }
    // The same attempt under another command ID is in hand, and is not started twice.
    const records = known ? accepted : [...accepted, journal.attemptRecord(report, identity)]
    try {
      await journal.commit(...records)
    } catch (error) {
      return journal.refuseUnjournalled(message, error)
    }
    if (!known) await printer.print({ report, identity }, args)
  }

  #firstReport(message: CommandMessage, args: CommandArguments<'print'>): AttemptReport {
    return {
      attempt_id: args.attempt_id,
      printer_id: message.printer_id,
      fence: message.fence,
      phase: 'transferring',
      outcome: null,
      evidence: { kind: 'journal', run_id: null, detail: null },
      happened_at: this.#journal.timestamp(),
      reason_code: null,
      ...(args.ejection_gcode !== undefined && { with_ejection: true }),
    }
  }
}
