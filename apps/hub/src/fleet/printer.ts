import type { CommandArguments } from '@printyard/protocol/commands'
import type { PrinterSettings } from '@printyard/protocol/messages'
import { withinBounds } from '@printyard/protocol/number-bounds'
import type { FileTransfer, PrinterState, RunIdentity } from '@printyard/protocol/printer-state'
import { unknownPrinterState } from '@printyard/protocol/unknown-printer-state'
import { fetchStill, ownCameraAddress } from '../drivers/camera/camera-http.ts'
import { StillError } from '../drivers/camera/still-error.ts'
import { downState, joinProblems } from '../drivers/connection/down-state.ts'
import { createDriver } from '../drivers/create-driver.ts'
import {
  type DeviceCommand,
  type DriverContext,
  DriverError,
  type PendingEffect,
  type PrinterDriver,
} from '../drivers/driver.ts'
import { textIn } from '../drivers/wire/wire-values.ts'
import { isOpen, type KnownAttempt, mayComeBack } from '../journal/journal-state.ts'
import { createCommandQueue, OvertakenError, QueueClosedError } from '../util/command-queue.ts'
import { describeError } from '../util/log.ts'
import { createWaiter, WaitTimeoutError } from '../util/waiter.ts'
import { type Attempt, type AttemptDeps, createAttempt } from './attempt.ts'
import { isOurRun } from './attempt-rules.ts'
import { assertFits, CommandError, showsEffect, withinLimits } from './command-rules.ts'
import { type WatchedDriver, watchOperations } from './operation-problems.ts'
import type { PrinterWatch } from './run-watches.ts'
import { createStillTaker } from './still-taker.ts'

export interface PrinterDeps extends Omit<AttemptDeps, 'printer' | 'onTransfer'> {
  driverContext: DriverContext
  /** Milliseconds since 1970 by the service's clock. */
  serverNow(): number
  onState(printerId: string, state: PrinterState): void
  /** Knows what the printer printed last, over restarts of the hub. */
  watch: PrinterWatch
  /** What the journal knows of this printer's attempts, oldest first. */
  knownAttempts: readonly KnownAttempt[]
}

/** How a command was carried out. */
export interface CarriedOut {
  /** For people. */
  note: string | null
  /** The printer has taken the command and carries it out later, see `PendingEffect`; the note says when. */
  isPending: boolean
}

/** One printer of this hub: its driver, the order of its commands, its last picture, and its attempts. */
export interface Printer {
  readonly settings: PrinterSettings
  readonly state: PrinterState
  /** The attempt that holds the printer; one whose start has an unknown fate holds it no more. */
  readonly holdingAttempt: Attempt | undefined
  start(): Promise<void>
  stop(): Promise<void>
  configure(settings: PrinterSettings): Promise<void>
  /** Takes over an attempt that was journalled just now and begins to carry it out. */
  print(known: KnownAttempt, order: CommandArguments<'print'>): Promise<void>
  /** Ends an attempt that is over for the service. */
  release(attemptId: string): Promise<void>
  /** Carries a command out; rejects with a `CommandError`. */
  carryOut(command: DeviceCommand, deadlineMs: number): Promise<CarriedOut>
  /** A picture that is at most a second old; rejects as `PrinterDriver.takeStill`. */
  takeStill(): Promise<Buffer>
  /** Judges its last picture again, because the hub itself did not watch for a while. */
  lookAgain(): void
}

/** Finished attempts by which the last result at the printer is recognised. */
const REMEMBERED_ATTEMPTS = 20
const TRANSFER_INTERVAL_MS = 250

export function createPrinter(initial: PrinterSettings, deps: PrinterDeps): Printer {
  const { driverContext, log, timings, serverNow } = deps
  let settings = initial
  let driver: WatchedDriver | undefined
  let stopListening: (() => void) | undefined
  let seen = unknownPrinterState('the printer was not reached yet')
  let state: PrinterState = { ...seen, run_mark: null, run_mark_reason: null }
  let transfer: FileTransfer | null = null
  let transferShownAtMs = Number.NEGATIVE_INFINITY
  let queue = createCommandQueue()
  const waiter = createWaiter<PrinterState>()
  const starting = new AbortController()

  /** The bytes run fast, and nothing but eyes follows them. */
  const showTransfer = (next: FileTransfer | null) => {
    const isTurn = next === null || transfer === null
    transfer = next
    const nowMs = performance.now()
    if (!isTurn && nowMs < transferShownAtMs + TRANSFER_INTERVAL_MS) return
    transferShownAtMs = nowMs
    state = { ...state, transfer }
    deps.onState(settings.printer_id, state)
  }

  const attemptPrinter = { findDriver: () => driver, getState: () => state, waiter }
  const createOwn = (known: KnownAttempt) =>
    createAttempt(known, { ...deps, report: reportAndShow, onTransfer: showTransfer, printer: attemptPrinter })
  const takenBack = new Set<string>()
  const attempts: Attempt[] = deps.knownAttempts.filter(({ report }) => isOpen(report)).map(createOwn)
  /** Oldest first, and no more of each than tells its run: what carried it out holds some kilobytes. */
  const finished: KnownAttempt[] = deps.knownAttempts
    .filter(({ report }) => !isOpen(report))
    .slice(-REMEMBERED_ATTEMPTS)

  async function reportAndShow(...[report, identity]: Parameters<AttemptDeps['report']>) {
    await deps.report(report, identity)
    if (report.phase === 'finished') retire({ report, identity })
    show(seen)
    if (report.phase === 'finished') tidyUp(identity.file_name)
  }

  const retire = (known: KnownAttempt) => {
    const index = attempts.findIndex(({ id }) => id === known.report.attempt_id)
    if (index >= 0) attempts.splice(index, 1)
    finished.push(known)
    if (finished.length > REMEMBERED_ATTEMPTS) finished.shift()
  }

  /** Names our attempt wherever the printer's own words match its run. */
  const withAttempt = (run: RunIdentity): RunIdentity => {
    const ours = [...finished, ...attempts].findLast(
      ({ identity, report }) => report.phase !== 'transferring' && isOurRun(run, identity),
    )
    return { ...run, attempt_id: ours?.report.attempt_id ?? null }
  }

  /**
   * Our own file runs although it was said that it never began: the attempt goes on. Not while another one is open, which then
   * finds the printer busy; and once in the life of this process, for the service may have ended it for good.
   */
  const takeBackSeenRun = (next: PrinterState) => {
    const run = next.run ?? (next.last_result?.result === 'completed' ? next.last_result.run : null)
    if (!run || next.status === 'offline' || attempts.length > 0 || starting.signal.aborted) return
    const known = finished.findLast((each) => isOurRun(run, each.identity))
    if (!known || !mayComeBack(known) || takenBack.has(known.report.attempt_id)) return
    takenBack.add(known.report.attempt_id)
    finished.splice(finished.indexOf(known), 1)
    const { sighting: _, ...identity } = known.identity
    const attempt = createOwn({ report: { ...known.report, phase: 'starting', outcome: null }, identity })
    attempts.push(attempt)
    attempt.takeBack()
  }

  const show = (shown: PrinterState) => {
    // One absurd number of one printer would make the service refuse the frames of all.
    const next = withinBounds(shown)
    seen = next
    takeBackSeenRun(next)
    state = {
      ...next,
      ...deps.watch.see(next, driver?.capabilities.remembersLastRun ?? false),
      run: next.run && withAttempt(next.run),
      last_result: next.last_result && { ...next.last_result, run: withAttempt(next.last_result.run) },
      problems: joinProblems(next.problems ?? [], driver?.problems ?? []),
      transfer,
    }
    waiter.show(state)
    for (const attempt of [...attempts]) attempt.look(state)
    deps.onState(settings.printer_id, state)
  }

  const startDriver = async () => {
    try {
      driver = watchOperations(await createDriver(settings, driverContext), () => show(seen))
    } catch (error) {
      driver = undefined
      log.warn('a printer cannot be run', { printer_id: settings.printer_id, problem: describeError(error) })
      show(downState(error))
      return
    }
    stopListening = driver.onState((next) => {
      try {
        show(next)
      } catch (error) {
        log.error('a picture of a printer was lost', { printer_id: settings.printer_id, problem: describeError(error) })
      }
    })
    try {
      await driver.start(starting.signal)
    } catch (error) {
      if (starting.signal.aborted) return
      log.warn('a printer cannot be watched', { printer_id: settings.printer_id, problem: describeError(error) })
      show(downState(error))
    }
  }

  const stills = createStillTaker({
    timeoutMs: timings.stillTimeoutMs,
    async ask(signal) {
      // A camera that an operator named stands for the printer's own.
      const ownCamera = textIn(settings.connection.camera_url, 2_000)
      if (ownCamera !== null) return fetchStill(ownCameraAddress(ownCamera), signal)
      if (driver?.capabilities.camera) return driver.takeStill(signal)
      throw new StillError('NOT_SUPPORTED', 'pictures are not supported by this printer')
    },
  })

  const stopDriver = async () => {
    stills.reset()
    stopListening?.()
    stopListening = undefined
    const stopped = driver
    driver = undefined
    await stopped?.stop()
  }

  /** Printers' stores are small; what was printed goes. A file that stays does no harm. */
  const tidyUp = (fileName: string) => {
    driver?.removeFile(fileName, AbortSignal.timeout(timings.handshakeMs)).catch(() => undefined)
  }

  const execute = async (asked: DeviceCommand, deadlineMs: number, signal: AbortSignal): Promise<CarriedOut> => {
    if (serverNow() >= deadlineMs) throw new CommandError('EXPIRED', 'its deadline passed while it waited its turn')
    if (!driver) throw new CommandError('NOT_SUPPORTED', state.status_reason ?? 'the hub has no driver for the printer')
    if (!driver.capabilities.commands.has(asked.kind)) {
      throw new CommandError('NOT_SUPPORTED', `${asked.kind} is not supported by this printer`)
    }
    const done = (note: string | null) => ({ note, isPending: false })
    if (asked.kind === 'stop' && (await takeBack(asked.args.attempt_id, signal)))
      return done('nothing had been started')
    const { command, note } = withinLimits(asked, settings.limits)
    assertFits(command, state)
    const before = state
    const { tellsLoadedFilament } = driver.capabilities
    const answer = await ask(driver, command, signal)
    if (typeof answer === 'object' && !showsEffect(command, before, state)) {
      return { note: answer.pending, isPending: true }
    }
    const isAnswered = answer !== 'no_answer'
    if (isOfFilament(command) && !tellsLoadedFilament) {
      if (isAnswered) return done(note)
      throw unknownOutcome(command)
    }
    try {
      await waiter.until((now) => showsEffect(command, before, now), {
        awaited: `the effect of ${command.kind}`,
        timeoutMs: timings.effectTimeoutMs,
        signal,
      })
      return done(note)
    } catch (error) {
      if (!(error instanceof WaitTimeoutError)) throw error
      // Its yes together with the old state, seen for so long, is a no. Without a yes the question may still be on its way.
      if (isAnswered && state.status !== 'offline') {
        throw new CommandError('PRINTER_REFUSED', `the printer said yes to ${command.kind} and did nothing`)
      }
      throw unknownOutcome(command)
    }
  }

  /** True when the attempt was taken back before its start. One that is just starting is waited for, to be stopped. */
  const takeBack = async (attemptId: string | null, signal: AbortSignal): Promise<boolean> => {
    const attempt = attempts.find(({ id, isOpen }) => isOpen && id === attemptId)
    if (!attempt) return false
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

  /** `no_answer`: the command may or may not have been heard. */
  const ask = async (
    asked: PrinterDriver,
    command: DeviceCommand,
    signal: AbortSignal,
  ): Promise<'yes' | 'no_answer' | PendingEffect> => {
    try {
      return (await asked.run(command, signal)) ?? 'yes'
    } catch (error) {
      if (!(error instanceof DriverError)) throw error
      if (error.code === 'NO_ANSWER') return 'no_answer'
      throw new CommandError(answerCodes[error.code], error.message, { cause: error })
    }
  }

  return {
    get settings() {
      return settings
    },
    get state() {
      return state
    },
    get holdingAttempt() {
      return attempts.find(({ isOpen, report }) => isOpen && report.outcome !== 'unknown')
    },
    async start() {
      for (const attempt of [...attempts]) attempt.begin(undefined)
      await startDriver()
    },
    async stop() {
      starting.abort(new Error('the hub stops'))
      await Promise.all([queue.close(), ...attempts.map((attempt) => attempt.stop())])
      await stopDriver()
      deps.watch.leave()
    },
    async configure(next) {
      const previous = settings
      settings = next
      if (driver?.adopt(next)) return
      if (driver && JSON.stringify(previous) === JSON.stringify(next)) return
      await queue.close()
      await stopDriver()
      queue = createCommandQueue()
      seen = unknownPrinterState('the printer was not reached yet')
      show(seen)
      await startDriver()
    },
    takeStill: stills.take,
    lookAgain: () => show(seen),
    async print(known, order) {
      for (const earlier of [...attempts]) if (earlier.isOpen) await earlier.abandon()
      const attempt = createOwn(known)
      attempts.push(attempt)
      attempt.begin(order)
    },
    async release(attemptId) {
      await attempts.find(({ id }) => id === attemptId)?.release()
    },
    async carryOut(command, deadlineMs) {
      const task = (signal: AbortSignal) => execute(command, deadlineMs, signal)
      try {
        return await (command.kind === 'stop' ? queue.runUrgently(task) : queue.run(task))
      } catch (error) {
        if (error instanceof CommandError) throw error
        if (error instanceof OvertakenError) throw new CommandError('UNKNOWN_OUTCOME', 'it was overtaken by a stop')
        if (error instanceof QueueClosedError) throw new CommandError('UNKNOWN_OUTCOME', 'the hub stopped meanwhile')
        throw new CommandError('INTERNAL', describeError(error), { cause: error })
      }
    },
  }
}

const isOfFilament = ({ kind }: DeviceCommand) => kind === 'load_filament' || kind === 'unload_filament'

const unknownOutcome = ({ kind }: DeviceCommand) =>
  new CommandError('UNKNOWN_OUTCOME', `${kind} was sent, and nothing shows what became of it`)

const answerCodes = {
  NOT_SUPPORTED: 'NOT_SUPPORTED',
  UNREACHABLE: 'PRINTER_UNREACHABLE',
  REFUSED: 'PRINTER_REFUSED',
  BUSY: 'PRINTER_BUSY',
  WRONG_STATE: 'WRONG_STATE',
  UPLOAD_BROKEN: 'PRINTER_REFUSED',
} as const
