import type { PrinterSettings } from '@printyard/protocol/messages'
import type { PrinterState } from '@printyard/protocol/printer-state'
import { type DeviceCommand, DriverError, type PendingEffect, type PrinterDriver } from '../drivers/driver.ts'
import type { Timings } from '../timings.ts'
import { createCommandQueue, OvertakenError, QueueClosedError } from '../util/command-queue.ts'
import { describeError } from '../util/log.ts'
import { type Waiter, WaitTimeoutError } from '../util/waiter.ts'
import type { Attempt } from './attempt/attempt.ts'
import { assertFits, CommandError, showsEffect, withinLimits } from './command-rules.ts'

/** Outcome of a command that was carried out. */
export interface CarriedOut {
  /** For people. */
  note: string | null
  /** The printer has taken the command and carries it out later, see `PendingEffect`; the note says when. */
  isPending: boolean
}

interface CommandRunnerDeps {
  findDriver(): PrinterDriver | undefined
  getState(): PrinterState
  getLimits(): PrinterSettings['limits']
  findAttempt(attemptId: string | null): Attempt | undefined
  waiter: Waiter<PrinterState>
  /** Milliseconds since 1970 by the service's clock. */
  serverNow(): number
  timings: Timings
}

/** Carries out the commands of one printer, one after the other, each until its effect shows. */
export class CommandRunner {
  readonly #deps: CommandRunnerDeps
  #queue = createCommandQueue()

  constructor(deps: CommandRunnerDeps) {
    this.#deps = deps
  }

  /** Rejects with a `CommandError`. */
  async carryOut(command: DeviceCommand, deadlineMs: number): Promise<CarriedOut> {
    const task = (signal: AbortSignal) => this.#execute(command, deadlineMs, signal)
    try {
      return await (command.kind === 'stop' ? this.#queue.runUrgently(task) : this.#queue.run(task))
    } catch (error) {
      if (error instanceof CommandError) throw error
      if (error instanceof OvertakenError) throw new CommandError('UNKNOWN_OUTCOME', 'it was overtaken by a stop')
      if (error instanceof QueueClosedError) throw new CommandError('UNKNOWN_OUTCOME', 'the hub stopped meanwhile')
      throw new CommandError('INTERNAL', describeError(error), { cause: error })
    }
  }

  /** Ends what runs and what waits. */
  close(): Promise<void> {
    return this.#queue.close()
  }

  /** Takes commands again after `close`. */
  open(): void {
    this.#queue = createCommandQueue()
  }

  async #execute(asked: DeviceCommand, deadlineMs: number, signal: AbortSignal): Promise<CarriedOut> {
    const { findDriver, getState, getLimits, serverNow } = this.#deps
    const driver = findDriver()
    if (serverNow() >= deadlineMs) throw new CommandError('EXPIRED', 'its deadline passed while it waited its turn')
    if (!driver) {
      throw new CommandError('NOT_SUPPORTED', getState().status_reason ?? 'the hub has no driver for the printer')
    }
    if (!driver.capabilities.commands.has(asked.kind)) {
      throw new CommandError('NOT_SUPPORTED', `${asked.kind} is not supported by this printer`)
    }
    if (asked.kind === 'stop' && (await this.#takeBack(asked.args.attempt_id, signal))) {
      return { note: 'nothing had been started', isPending: false }
    }
    const { command, note } = withinLimits(asked, getLimits())
    assertFits(command, getState())
    const before = getState()
    const { tellsLoadedFilament } = driver.capabilities
    const answer = await ask(driver, command, signal)
    if (typeof answer === 'object' && !showsEffect(command, before, getState())) {
      return { note: answer.pending, isPending: true }
    }
    const isAnswered = answer !== 'no_answer'
    if (isOfFilament(command) && !tellsLoadedFilament) {
      if (!isAnswered) throw unknownOutcome(command)
    } else await this.#untilEffect(command, before, isAnswered, signal)
    return { note, isPending: false }
  }

  async #untilEffect(
    command: DeviceCommand,
    before: PrinterState,
    isAnswered: boolean,
    signal: AbortSignal,
  ): Promise<void> {
    const { waiter, getState, timings } = this.#deps
    try {
      await waiter.until((now) => showsEffect(command, before, now), {
        awaited: `the effect of ${command.kind}`,
        timeoutMs: timings.effectTimeoutMs,
        signal,
      })
    } catch (error) {
      if (!(error instanceof WaitTimeoutError)) throw error
      // Its yes together with the old state, seen for so long, is a no. Without a yes the question may still be on its way.
      if (isAnswered && getState().status !== 'offline') {
        throw new CommandError('PRINTER_REFUSED', `the printer said yes to ${command.kind} and did nothing`)
      }
      throw unknownOutcome(command)
    }
  }

  /** True when the attempt was taken back before its start. One that is just starting is waited for, to be stopped. */
  async #takeBack(attemptId: string | null, signal: AbortSignal): Promise<boolean> {
    const { findAttempt, waiter, timings } = this.#deps
    const attempt = findAttempt(attemptId)
    if (!attempt?.isOpen) return false
    if (await attempt.cancel()) return true
    if (attempt.report.phase === 'starting') {
      await waiter
        .until((now) => now.run?.attempt_id === attempt.id || !attempt.isOpen, {
          awaited: 'the run that is starting',
          timeoutMs: timings.effectTimeoutMs,
          signal,
        })
        .catch((error: unknown) => {
          if (!(error instanceof WaitTimeoutError)) throw error
        })
    }
    return false
  }
}

/** `no_answer`: the printer may have got the command or not. */
async function ask(
  driver: PrinterDriver,
  command: DeviceCommand,
  signal: AbortSignal,
): Promise<'yes' | 'no_answer' | PendingEffect> {
  try {
    return (await driver.run(command, signal)) ?? 'yes'
  } catch (error) {
    if (!(error instanceof DriverError)) throw error
    if (error.code === 'NO_ANSWER') return 'no_answer'
    throw new CommandError(answerCodes[error.code], error.message, { cause: error })
  }
}

const isOfFilament = ({ kind }: DeviceCommand) => kind === 'load_filament' || kind === 'unload_filament'

const unknownOutcome = ({ kind }: DeviceCommand) =>
  new CommandError('UNKNOWN_OUTCOME', `${kind} was sent, and its outcome is unknown`)

const answerCodes = {
  NOT_SUPPORTED: 'NOT_SUPPORTED',
  UNREACHABLE: 'PRINTER_UNREACHABLE',
  REFUSED: 'PRINTER_REFUSED',
  BUSY: 'PRINTER_BUSY',
  WRONG_STATE: 'WRONG_STATE',
  UPLOAD_BROKEN: 'PRINTER_REFUSED',
  NOT_MAPPED: 'PRINTER_REFUSED',
} as const
