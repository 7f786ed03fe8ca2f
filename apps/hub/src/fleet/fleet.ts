import type { PrinterSettings } from '@printyard/protocol/messages'
import type { PrinterState } from '@printyard/protocol/printer-state'
import { StillError } from '../drivers/camera/still-error.ts'
import type { DriverContext } from '../drivers/driver.ts'
import type { EjectingCopies } from '../files/ejecting-copy.ts'
import type { FileCache } from '../files/file-cache.ts'
import type { Journal } from '../journal/journal.ts'
import type { CommandResult } from '../journal/journal-state.ts'
import type { Timings } from '../timings.ts'
import type { Clock } from '../util/clock.ts'
import type { Log } from '../util/log.ts'
import type { CommandMessage } from './admission.ts'
import { CommandIntake } from './command-intake.ts'
import { FleetJournal } from './fleet-journal.ts'
import { Printer } from './printer.ts'
import { PrinterTurns } from './printer-turns.ts'
import { createRunWatches, type RunWatches } from './run-watches.ts'
import { type ReleaseRequest, release, type SettleRequest, settle } from './settlements.ts'

interface FleetDeps {
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
export class Fleet {
  readonly #deps: FleetDeps
  readonly #journal: FleetJournal
  readonly #commands: CommandIntake
  readonly #turns: PrinterTurns
  readonly #watches: RunWatches
  readonly #printers = new Map<string, Printer>()
  readonly #states = new Map<string, PrinterState>()

  constructor(deps: FleetDeps) {
    const { journal, clock, timings, log } = deps
    this.#deps = deps
    this.#journal = new FleetJournal(deps)
    this.#commands = new CommandIntake({ journal: this.#journal, serverNow: deps.serverNow })
    this.#turns = new PrinterTurns(log)
    this.#watches = createRunWatches({
      journal,
      clock,
      aliveMs: timings.aliveMs,
      shortestPrintMs: timings.shortestPrintMs,
      onMissed: () => {
        for (const printer of this.#printers.values()) printer.lookAgain()
      },
    })
  }

  get states(): ReadonlyMap<string, PrinterState> {
    return this.#states
  }

  /** Makes the printers exactly these: adds, changes and removes. Each change holds the commands of its own printer only. */
  async configure(settings: readonly PrinterSettings[]): Promise<void> {
    const ids = new Set(settings.map(({ printer_id }) => printer_id))
    const removed = this.#turns.printerIds.filter((id) => !ids.has(id))
    await Promise.all([...removed.map((id) => this.#remove(id)), ...settings.map((each) => this.#setUp(each))])
  }

  /** Takes a command; whatever becomes of it is answered, by the outbox or at once. */
  command(message: CommandMessage): Promise<void> {
    const { printer_id, command_id } = message
    // The journal must hold a command before the next is compared with its fence.
    return this.#turns.work(
      printer_id,
      () => this.#commands.take(message, this.#printers.get(printer_id)),
      'a command was lost',
      { command_id },
    )
  }

  /**
   * Answers what became of each attempt. In turn with the commands of each printer: a command that is just being journalled is
   * not one that never came, and one that comes after its settlement finds it in the journal.
   */
  async settle(requests: readonly SettleRequest[]): Promise<void> {
    await this.#inTurn(requests, 'an attempt could not be settled', settle)
  }

  /** Ends attempts that are over for the service, so that they hold no printer any more. */
  async release(requests: readonly ReleaseRequest[]): Promise<void> {
    await this.#inTurn(requests, 'an attempt could not be released', release)
  }

  /** A picture of a printer, at most a second old; rejects as `PrinterDriver.takeStill`. */
  async takeStill(printerId: string): Promise<Buffer> {
    await this.#turns.afterChanges(printerId)
    const printer = this.#printers.get(printerId)
    if (!printer) throw new StillError('UNKNOWN_PRINTER', 'the hub does not run this printer')
    return printer.takeStill()
  }

  async stop(): Promise<void> {
    await this.#turns.stop()
    await Promise.all([...this.#printers.values()].map((printer) => printer.stop()))
    await this.#commands.settled()
    this.#watches.stop()
  }

  #inTurn<R extends { attempt_id: string; printer_id: string }>(
    requests: readonly R[],
    failure: string,
    carryOut: (request: R, journal: FleetJournal, printer: Printer | undefined) => Promise<void>,
  ) {
    return Promise.all(
      requests.map((request) => {
        const { attempt_id, printer_id } = request
        const act = () => carryOut(request, this.#journal, this.#printers.get(printer_id))
        return this.#turns.work(printer_id, act, failure, { attempt_id })
      }),
    )
  }

  #setUp(settings: PrinterSettings): Promise<void> {
    const { printer_id } = settings
    return this.#turns.change(printer_id, () => {
      const present = this.#printers.get(printer_id)
      if (present) return present.configure(settings)
      const printer = this.#create(settings)
      this.#printers.set(printer_id, printer)
      this.#states.set(printer_id, printer.state)
      return printer.start()
    })
  }

  #remove(printerId: string): Promise<void> {
    return this.#turns.change(printerId, () => {
      const printer = this.#printers.get(printerId)
      this.#printers.delete(printerId)
      this.#states.delete(printerId)
      return printer?.stop()
    })
  }

  #create(settings: PrinterSettings): Printer {
    const { journal } = this.#deps
    const { printer_id } = settings
    return new Printer(settings, {
      ...this.#deps,
      knownAttempts: [...journal.state.attempts.values()].filter(({ report }) => report.printer_id === printer_id),
      report: (report, identity) => this.#journal.report(report, identity),
      recordRun: (attempt_id, run_id) => this.#journal.commit({ t: 'run', attempt_id, run_id }),
      recordSighting: (attempt_id, sighting) => journal.appendLazily({ t: 'sighting', attempt_id, sighting }),
      watch: this.#watches.of(printer_id),
      onState: (printerId, state) => {
        this.#states.set(printerId, state)
        this.#deps.onState(printerId, state)
      },
    })
  }
}
