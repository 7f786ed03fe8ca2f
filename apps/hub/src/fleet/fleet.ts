import { randomUUID } from 'node:crypto'
import type { AttemptReport } from '@printyard/protocol/attempt'
import { attemptFileName } from '@printyard/protocol/attempt-file-name'
import type { CommandErrorCode, PrinterCommand } from '@printyard/protocol/commands'
import type { PrinterSettings, ServiceMessageBody } from '@printyard/protocol/messages'
import type { PrinterState } from '@printyard/protocol/printer-state'
import { StillError } from '../drivers/camera/still-error.ts'
import type { DriverContext } from '../drivers/driver.ts'
import { canAppendTo, type EjectingCopies } from '../files/ejecting-copy.ts'
import type { FileCache } from '../files/file-cache.ts'
import type { Journal } from '../journal/journal.ts'
import {
  type AttemptIdentity,
  type CommandResult,
  isOpen,
  type JournalRecord,
  RELEASED,
} from '../journal/journal-state.ts'
import type { Timings } from '../timings.ts'
import type { Clock } from '../util/clock.ts'
import { describeError, type Log } from '../util/log.ts'
import { admit, type CommandMessage, refusal } from './admission.ts'
import { CommandError } from './command-rules.ts'
import { createPrinter, type Printer } from './printer.ts'
import { createRunWatches } from './run-watches.ts'

export interface FleetDeps {
  journal: Journal
  files: FileCache
  ejectingCopies: EjectingCopies
  driverContext: DriverContext
  /** Milliseconds since 1970 by the service's clock. */
  serverNow(): number
  /** The journal's outbox has grown. */
  onOutbox(): void
  /** Tells the service a result once, without keeping it: an answer given before, or one that cannot be journalled. */
  answer(messageId: string, result: CommandResult): void
  onState(printerId: string, state: PrinterState): void
  clock: Clock
  timings: Timings
  log: Log
}

/** All printers of this hub. */
export interface Fleet {
  readonly states: ReadonlyMap<string, PrinterState>
  /** Makes the printers exactly these: adds, changes and removes. Each change holds the commands of its own printer only. */
  configure(settings: readonly PrinterSettings[]): Promise<void>
  /** Takes a command; whatever becomes of it is answered, by the outbox or at once. */
  command(message: CommandMessage): Promise<void>
  /** Answers each with what the journal holds; of what it does not hold, nothing was ever begun. */
  settle(requests: ServiceMessageBody<'welcome'>['settle']): Promise<void>
  /** Ends attempts that are over for the service, so that they hold no printer any more. */
  release(requests: ServiceMessageBody<'release'>['attempts']): Promise<void>
  /** A picture of a printer, at most a second old; rejects as `PrinterDriver.takeStill`. */
  takeStill(printerId: string): Promise<Buffer>
  stop(): Promise<void>
}

type SettleRequest = ServiceMessageBody<'welcome'>['settle'][number]
type ReleaseRequest = ServiceMessageBody<'release'>['attempts'][number]

export function createFleet(deps: FleetDeps): Fleet {
  const { journal, clock, log, serverNow } = deps
  const printers = new Map<string, Printer>()
  const states = new Map<string, PrinterState>()
  const admissions = new Map<string, Promise<void>>()
  const running = new Set<Promise<void>>()
  /** The change of each printer that is under way or was the last; one that cannot end holds no other printer. */
  const configurations = new Map<string, Promise<void>>()
  let isStopped = false
  const watches = createRunWatches({
    journal,
    clock,
    aliveMs: deps.timings.aliveMs,
    shortestPrintMs: deps.timings.shortestPrintMs,
    onMissed() {
      for (const printer of printers.values()) printer.lookAgain()
    },
  })

  const timestamp = () => new Date(clock()).toISOString()

  const commit = async (...records: JournalRecord[]) => {
    await journal.append(...records)
    deps.onOutbox()
  }

  const attemptRecord = (report: AttemptReport, identity: AttemptIdentity): JournalRecord => ({
    t: 'attempt',
    message_id: randomUUID(),
    ts: timestamp(),
    report,
    identity,
  })

  const resultRecord = (result: CommandResult): JournalRecord => ({
    t: 'result',
    message_id: randomUUID(),
    ts: timestamp(),
    result,
  })

  const commandRecord = (message: CommandMessage): JournalRecord => {
    const { command_id, printer_id, fence, kind, args } = message
    const attempt_id = typeof args.attempt_id === 'string' ? args.attempt_id : null
    return { t: 'command', command_id, printer_id, fence, kind, attempt_id }
  }

  /** Journals the answer; when the journal does not take it, gives it at once, for what is done is done. */
  const conclude = async (result: CommandResult) => {
    try {
      await commit(resultRecord(result))
    } catch {
      deps.answer(randomUUID(), result)
    }
  }

  const refuse = async (message: CommandMessage, code: CommandErrorCode, text: string) => {
    log.warn('a command was refused', { command_id: message.command_id, kind: message.kind, code, reason: text })
    const result = refusal(message, code, text)
    try {
      await commit(commandRecord(message), resultRecord(result))
    } catch {
      deps.answer(randomUUID(), result)
    }
  }

  const createOne = (settings: PrinterSettings): Printer =>
    createPrinter(settings, {
      ...deps,
      knownAttempts: [...journal.state.attempts.values()].filter(
        ({ report }) => report.printer_id === settings.printer_id,
      ),
      report: (report, identity) => commit(attemptRecord(report, identity)),
      recordRun: (attemptId, runId) => commit({ t: 'run', attempt_id: attemptId, run_id: runId }),
      recordSighting: (attemptId, sighting) => journal.appendLazily({ t: 'sighting', attempt_id: attemptId, sighting }),
      watch: watches.of(settings.printer_id),
      onState(printerId, state) {
        states.set(printerId, state)
        deps.onState(printerId, state)
      },
    })

  const admitOne = async (message: CommandMessage) => {
    const printer = printers.get(message.printer_id)
    const admission = admit(message, journal.state, { serverNowMs: serverNow(), isPrinterKnown: printer !== undefined })
    if (admission.act === 'repeat') return deps.answer(admission.result.message_id, admission.result.body)
    if (admission.act === 'await') return
    if (admission.act === 'refuse') return refuse(message, admission.code, admission.message)
    if (!printer) return
    // The arguments were checked against the kind at admission; the message itself cannot say so in types.
    const command = { kind: message.kind, args: message.args } as unknown as PrinterCommand
    if (command.kind === 'print') return acceptPrint(printer, message, command.args)
    try {
      await commit(commandRecord(message))
    } catch (error) {
      return deps.answer(randomUUID(), refusal(message, 'JOURNAL_FAILED', describeError(error)))
    }
    const carrying = printer
      .carryOut(command, Date.parse(message.deadline))
      .then(
        ({ note, isPending }): CommandResult => ({
          command_id: message.command_id,
          printer_id: message.printer_id,
          ok: true,
          code: null,
          message: note,
          ...(isPending && { pending: true }),
        }),
        (error: unknown) =>
          refusal(message, error instanceof CommandError ? error.code : 'INTERNAL', describeError(error)),
      )
      .then(conclude)
      .finally(() => running.delete(carrying))
    running.add(carrying)
  }

  const acceptPrint = async (
    printer: Printer,
    message: CommandMessage,
    args: (PrinterCommand & { kind: 'print' })['args'],
  ) => {
    const known = journal.state.attempts.get(args.attempt_id)
    if (known && !isOpen(known.report)) return refuse(message, 'WRONG_STATE', 'the attempt is already over')
    if (args.ejection_gcode !== undefined && !canAppendTo(args.file.format)) {
      return refuse(message, 'NOT_SUPPORTED', `an ejection cannot be appended to a ${args.file.format} file`)
    }
    const result: CommandResult = {
      command_id: message.command_id,
      printer_id: message.printer_id,
      ok: true,
      code: null,
      message: null,
    }
    const accepted = [commandRecord(message), resultRecord(result)]
    const orRefuse = (error: unknown) => {
      deps.answer(randomUUID(), refusal(message, 'JOURNAL_FAILED', describeError(error)))
      return 'refused' as const
    }
    // The same order under another command id: it is in hand, and is not begun twice.
    if (known) return void (await commit(...accepted).catch(orRefuse))
    const holding = printer.holdingAttempt
    if (holding) return refuse(message, 'PRINTER_BUSY', `attempt ${holding.id} holds the printer`)
    const report: AttemptReport = {
      attempt_id: args.attempt_id,
      printer_id: message.printer_id,
      fence: message.fence,
      phase: 'transferring',
      outcome: null,
      evidence: { kind: 'journal', run_id: null, detail: null },
      happened_at: timestamp(),
      reason_code: null,
      ...(args.ejection_gcode !== undefined && { with_ejection: true }),
    }
    const file_name = attemptFileName(args.file, args.attempt_id)
    const identity: AttemptIdentity = { file_name, run_id: null, run_before: null }
    if ((await commit(...accepted, attemptRecord(report, identity)).catch(orRefuse)) === 'refused') return
    await printer.print({ report, identity }, args)
  }

  const settleOne = async ({ attempt_id, printer_id, fence }: SettleRequest) => {
    const known = journal.state.attempts.get(attempt_id)
    const report: AttemptReport = known?.report ?? {
      attempt_id,
      printer_id,
      fence,
      phase: 'finished',
      outcome: 'not_started',
      evidence: { kind: 'journal', run_id: null, detail: 'the order never reached the hub' },
      happened_at: timestamp(),
      reason_code: 'ORDER_LOST',
    }
    const identity = known?.identity ?? { file_name: '', run_id: null, run_before: null }
    const isOwed = [...journal.state.outbox.values()].some((owed) => owed.type === 'attempt' && owed.report === report)
    if (!isOwed) await commit(attemptRecord(report, identity))
  }

  const releaseOne = async ({ attempt_id, printer_id }: ReleaseRequest) => {
    const known = journal.state.attempts.get(attempt_id)
    if (!known || !isOpen(known.report)) return
    const printer = printers.get(printer_id)
    if (printer) return printer.release(attempt_id)
    // This hub does not run its printer any more: nobody else would ever end it.
    const report: AttemptReport = {
      ...known.report,
      phase: 'finished',
      outcome: 'unknown',
      evidence: { kind: 'journal', run_id: known.identity.run_id, detail: 'it is over for the service' },
      happened_at: timestamp(),
      reason_code: RELEASED,
    }
    await commit(attemptRecord(report, known.identity))
  }

  /** In line with the commands of each printer, so that none is judged by what is about to change. */
  const inTurn = <R extends { attempt_id: string; printer_id: string }>(
    requests: readonly R[],
    what: string,
    carryOut: (request: R) => Promise<void>,
  ) =>
    Promise.all(
      requests.map((request) => {
        const turn = Promise.all([configurations.get(request.printer_id), admissions.get(request.printer_id)])
          .then(() => (isStopped ? undefined : carryOut(request)))
          .catch((error) => log.error(what, { attempt_id: request.attempt_id, problem: describeError(error) }))
        admissions.set(request.printer_id, turn)
        return turn
      }),
    )

  /** Changes one printer when its changes before are over. */
  const change = (printerId: string, apply: () => Promise<void> | undefined) => {
    const changed = Promise.resolve(configurations.get(printerId))
      .then(() => (isStopped ? undefined : apply()))
      .catch((error: unknown) =>
        log.error('a printer was not configured', { printer_id: printerId, problem: describeError(error) }),
      )
    configurations.set(printerId, changed)
    return changed
  }

  const setUp = (settings: PrinterSettings) =>
    change(settings.printer_id, () => {
      const present = printers.get(settings.printer_id)
      if (present) return present.configure(settings)
      const printer = createOne(settings)
      printers.set(settings.printer_id, printer)
      states.set(settings.printer_id, printer.state)
      return printer.start()
    })

  const remove = (printerId: string) =>
    change(printerId, () => {
      const printer = printers.get(printerId)
      printers.delete(printerId)
      states.delete(printerId)
      return printer?.stop()
    })

  return {
    states,
    async configure(settings) {
      const ids = new Set(settings.map(({ printer_id }) => printer_id))
      const removed = [...configurations.keys()].filter((id) => !ids.has(id))
      await Promise.all([...removed.map(remove), ...settings.map(setUp)])
    },
    command(message) {
      if (isStopped) return Promise.resolve()
      // One after the other per printer: the journal must hold a command before the next is compared with its fence.
      const admission = Promise.all([configurations.get(message.printer_id), admissions.get(message.printer_id)])
        .then(() => (isStopped ? undefined : admitOne(message)))
        .catch((error) =>
          log.error('a command was lost', { command_id: message.command_id, problem: describeError(error) }),
        )
      admissions.set(message.printer_id, admission)
      return admission
    },
    async settle(requests) {
      // In line with the commands of each printer: an order that is just being journalled is not one that never came, and
      // one that comes after its settlement finds it in the journal.
      await inTurn(requests, 'an attempt could not be settled', settleOne)
    },
    async release(requests) {
      await inTurn(requests, 'an attempt could not be released', releaseOne)
    },
    async takeStill(printerId) {
      await configurations.get(printerId)
      const printer = printers.get(printerId)
      if (!printer) throw new StillError('UNKNOWN_PRINTER', 'the hub does not run this printer')
      return printer.takeStill()
    },
    async stop() {
      isStopped = true
      await Promise.all([...configurations.values()])
      await Promise.all([...admissions.values()])
      await Promise.all([...printers.values()].map((printer) => printer.stop()))
      await Promise.all([...running])
      watches.stop()
    },
  }
}

/**
 * Commands that the journal holds without an answer were being carried out when the hub was killed. Nothing is repeated:
 * a print lives on as its attempt, of any other the outcome is not known.
 */
export function answerInterrupted(journal: Journal, clock: Clock): Promise<void> {
  const records = [...journal.state.commands.values()]
    .filter(({ result }) => result === null)
    .map(({ command_id, printer_id, kind, attempt_id }): JournalRecord => {
      const refused = {
        command_id,
        printer_id,
        ok: false,
        code: 'UNKNOWN_OUTCOME',
        message: 'the hub was restarted',
      } as const
      const isAccepted = attempt_id !== null && journal.state.attempts.has(attempt_id)
      const result: CommandResult =
        kind !== 'print'
          ? refused
          : isAccepted
            ? { command_id, printer_id, ok: true, code: null, message: null }
            : { ...refused, code: 'JOURNAL_FAILED' }
      return { t: 'result', message_id: randomUUID(), ts: new Date(clock()).toISOString(), result }
    })
  return records.length > 0 ? journal.append(...records) : Promise.resolve()
}
