import type { CommandArguments } from '@printyard/protocol/commands'
import type { PrinterSettings } from '@printyard/protocol/messages'
import { withinBounds } from '@printyard/protocol/number-bounds'
import type { PrinterState } from '@printyard/protocol/printer-state'
import { unknownPrinterState } from '@printyard/protocol/unknown-printer-state'
import { fetchStill, ownCameraAddress } from '../drivers/camera/camera-http.ts'
import { StillError } from '../drivers/camera/still-error.ts'
import { joinProblems } from '../drivers/connection/down-state.ts'
import type { DeviceCommand, DriverContext } from '../drivers/driver.ts'
import { textIn } from '../drivers/wire/wire-values.ts'
import type { KnownAttempt } from '../journal/journal-state.ts'
import { createWaiter } from '../util/waiter.ts'
import { Attempt, type AttemptDeps } from './attempt/attempt.ts'
import { type CarriedOut, CommandRunner } from './command-runner.ts'
import { DriverLife } from './driver-life.ts'
import { PrinterAttempts } from './printer-attempts.ts'
import { asReported } from './reported-state.ts'
import type { PrinterWatch } from './run-watches.ts'
import { createStillTaker, type StillTaker } from './still-taker.ts'
import { TransferProgress } from './transfer-progress.ts'

interface PrinterDeps extends Omit<AttemptDeps, 'printer' | 'onTransfer'> {
  driverContext: DriverContext
  /** Milliseconds since 1970 by the service's clock. */
  serverNow(): number
  /** A new picture, as the service is to get it. */
  onState(printerId: string, state: PrinterState): void
  /** Knows what the printer printed last, over restarts of the hub. */
  watch: PrinterWatch
  /** Knowledge that the journal has of this printer's attempts, oldest first. */
  knownAttempts: readonly KnownAttempt[]
}

/** One printer of this hub: what it shows, and what is done with it from one set of settings to the next. */
export class Printer {
  readonly #deps: PrinterDeps
  readonly #waiter = createWaiter<PrinterState>()
  readonly #transfer = new TransferProgress()
  readonly #driver: DriverLife
  readonly #attempts: PrinterAttempts
  readonly #commands: CommandRunner
  readonly #stills: StillTaker
  #settings: PrinterSettings
  /** What the driver said last. */
  #seen = notReached()
  #state: PrinterState = { ...notReached(), run_mark: null, run_mark_reason: null }

  constructor(settings: PrinterSettings, deps: PrinterDeps) {
    this.#settings = settings
    this.#deps = deps
    this.#driver = new DriverLife({
      driverContext: deps.driverContext,
      log: deps.log,
      onPicture: (picture) => this.#show(picture),
      onProblems: () => this.lookAgain(),
    })
    this.#attempts = new PrinterAttempts(deps.knownAttempts, (known) => this.#createAttempt(known))
    this.#commands = new CommandRunner({
      findDriver: () => this.#driver.present,
      getState: () => this.#state,
      getLimits: () => this.#settings.limits,
      findAttempt: (attemptId) => this.#attempts.find(attemptId),
      waiter: this.#waiter,
      serverNow: deps.serverNow,
      timings: deps.timings,
    })
    this.#stills = createStillTaker({
      timeoutMs: deps.timings.stillTimeoutMs,
      ask: (signal) => this.#askForStill(signal),
    })
  }

  /** As the service gets it. */
  get state(): PrinterState {
    return asReported(this.#state)
  }

  /** The attempt that holds the printer; one whose start has an unknown fate holds it no more. */
  get holdingAttempt(): Attempt | undefined {
    return this.#attempts.holding
  }

  async start(): Promise<void> {
    for (const attempt of this.#attempts.open) attempt.begin(undefined)
    await this.#driver.start(this.#settings)
  }

  async stop(): Promise<void> {
    this.#driver.end()
    await Promise.all([this.#commands.close(), ...this.#attempts.open.map((attempt) => attempt.stop())])
    await this.#stopDriver()
    this.#deps.watch.leave()
  }

  async configure(next: PrinterSettings): Promise<void> {
    const previous = this.#settings
    this.#settings = next
    const driver = this.#driver.present
    if (driver?.adopt(next)) return
    if (driver && JSON.stringify(previous) === JSON.stringify(next)) return
    await this.#commands.close()
    await this.#stopDriver()
    this.#commands.open()
    this.#show(notReached())
    await this.#driver.start(next)
  }

  /** Takes over an attempt that was journalled just now and begins to carry it out. */
  async print(known: KnownAttempt, command: CommandArguments<'print'>): Promise<void> {
    for (const earlier of this.#attempts.open) if (earlier.isOpen) await earlier.abandon()
    this.#attempts.add(known).begin(command)
  }

  /** Takes over an attempt that the service asks about and that the journal did not hold: the printer may show its run. */
  recall(known: KnownAttempt): void {
    this.#attempts.retire(known)
    this.lookAgain()
  }

  /** Ends an attempt that is over for the service. */
  async release(attemptId: string): Promise<void> {
    await this.#attempts.find(attemptId)?.release()
  }

  /** Carries a command out; rejects with a `CommandError`. */
  carryOut(command: DeviceCommand, deadlineMs: number): Promise<CarriedOut> {
    return this.#commands.carryOut(command, deadlineMs)
  }

  /** A picture that is at most a second old; rejects as `PrinterDriver.takeStill`. */
  takeStill(): Promise<Buffer> {
    return this.#stills.take()
  }

  /** Judges its last picture again, because something else than the picture has changed. */
  lookAgain(): void {
    this.#show(this.#seen)
  }

  #createAttempt(known: KnownAttempt): Attempt {
    return new Attempt(known, {
      ...this.#deps,
      report: (report, identity) => this.#report(report, identity),
      onTransfer: (transfer) => {
        if (this.#transfer.update(transfer)) this.#tell({ ...this.#state, transfer })
      },
      printer: { findDriver: () => this.#driver.present, getState: () => this.#state, waiter: this.#waiter },
    })
  }

  async #report(...[report, identity]: Parameters<AttemptDeps['report']>): Promise<void> {
    await this.#deps.report(report, identity)
    const isFinished = report.phase === 'finished'
    if (isFinished) this.#attempts.retire({ report, identity })
    this.lookAgain()
    if (isFinished) this.#tidyUp(identity.file_name)
  }

  /** Printers' stores are small; what was printed goes. A file that stays does no harm. */
  #tidyUp(fileName: string): void {
    const signal = AbortSignal.timeout(this.#deps.timings.handshakeMs)
    this.#driver.present?.removeFile(fileName, signal).catch(() => undefined)
  }

  #show(shown: PrinterState): void {
    // One absurd number of one printer would make the service refuse the frames of all.
    const next = withinBounds(shown)
    this.#seen = next
    if (!this.#driver.isEnding) this.#attempts.bringBackSeen(next)
    const driver = this.#driver.present
    const { run, last_result: last } = next
    const state: PrinterState = {
      ...next,
      ...this.#deps.watch.see(next, driver?.capabilities.remembersLastRun ?? false),
      run: run && this.#attempts.name(run),
      last_result: last && { ...last, run: this.#attempts.name(last.run) },
      problems: joinProblems(next.problems ?? [], driver?.problems ?? []),
      transfer: this.#transfer.present,
    }
    this.#state = state
    this.#waiter.show(state)
    for (const attempt of this.#attempts.open) attempt.look(state)
    this.#tell(this.#state)
  }

  #tell(state: PrinterState): void {
    this.#state = state
    this.#deps.onState(this.#settings.printer_id, asReported(state))
  }

  async #stopDriver(): Promise<void> {
    this.#stills.reset()
    await this.#driver.stop()
  }

  #askForStill(signal: AbortSignal): Promise<Buffer> {
    // A camera that an operator named stands for the printer's own.
    const ownCamera = textIn(this.#settings.connection.camera_url, 2_000)
    if (ownCamera !== null) return fetchStill(ownCameraAddress(ownCamera), signal)
    const driver = this.#driver.present
    if (driver?.capabilities.camera) return driver.takeStill(signal)
    return Promise.reject(new StillError('NOT_SUPPORTED', 'pictures are not supported by this printer'))
  }
}

function notReached(): PrinterState {
  return unknownPrinterState('the printer was not reached yet')
}
