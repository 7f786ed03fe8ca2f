import type { CommandArguments } from '@printyard/protocol/commands'
import type { FileTransfer } from '@printyard/protocol/printer-state'
import { DriverError, type PrinterDriver } from '../../drivers/driver.ts'
import type { PrintToStart } from '../../drivers/print/filament-map.ts'
import type { EjectingCopies } from '../../files/ejecting-copy.ts'
import type { FileCache, HeldFile } from '../../files/file-cache.ts'
import type { Timings } from '../../timings.ts'
import { wait } from '../../util/clock.ts'
import { describeError } from '../../util/log.ts'
import { WaitTimeoutError } from '../../util/waiter.ts'
import type { AttemptPrinter } from './attempt-printer.ts'
import { NotStartedError } from './not-started.ts'
import { withFilaments } from './print-filaments.ts'
import { isDecided, refuseUnlessReady } from './start-readiness.ts'

/** What the service says of the print beside which attempt it is. */
export type PrintCommand = Pick<CommandArguments<'print'>, 'file' | 'filament_map' | 'ejection_gcode' | 'run_mark'>

export interface PrintTransferDeps {
  printer: AttemptPrinter
  files: FileCache
  ejectingCopies: EjectingCopies
  /** Called with how far the file is on its way to the printer; null when it is not on its way any more. */
  onTransfer(transfer: FileTransfer | null): void
  timings: Timings
}

const UPLOAD_TRIES = 3

/** The file of one attempt from the service to its printer, once; it moves nothing there and starts nothing. */
export class PrintTransfer {
  readonly #deps: PrintTransferDeps
  readonly #command: PrintCommand
  readonly #names: { attempt_id: string; file_name: string }
  readonly #signal: AbortSignal
  #held: HeldFile | undefined
  #copy: HeldFile | undefined

  /** `file_name`: the name that the file gets at the printer. */
  constructor(
    deps: PrintTransferDeps,
    command: PrintCommand,
    names: { attempt_id: string; file_name: string },
    signal: AbortSignal,
  ) {
    this.#deps = deps
    this.#command = command
    this.#names = names
    this.#signal = signal
  }

  /**
   * Resolves when the printer has the file and is still ready for it. Rejects with what `whyNotStarted` knows, or with the
   * signal's reason.
   */
  async carry(): Promise<PrintToStart> {
    const { printer, files, ejectingCopies } = this.#deps
    const { file, ejection_gcode: ejection } = this.#command
    this.#held = await files.acquire(file, this.#signal)
    await this.#becomeReady()
    const print = await withFilaments({
      command: this.#command,
      path: this.#held.path,
      capability: this.#requireDriver().capabilities.filamentMap,
      slots: printer.getState().slots,
      signal: this.#signal,
    })
    if (ejection !== undefined) {
      this.#copy = await ejectingCopies.make(file, this.#held, this.#names.attempt_id, ejection, this.#signal)
      await this.#becomeReady()
    }
    await this.#upload(this.#copy ?? this.#held)
    await this.#becomeReady()
    return print
  }

  /** Lets go of the files on the hub's disk, however far it came. */
  release(): void {
    this.#copy?.release()
    this.#held?.release()
  }

  /**
   * Waits until the printer is idle and says what it printed last, and refuses when that is not what it had printed when its
   * plate was cleared: what ran meanwhile, and ended again, lies there.
   */
  async #becomeReady(): Promise<void> {
    const { printer, timings } = this.#deps
    const state = await printer.waiter
      .until(isDecided, {
        awaited: 'the printer to be ready',
        timeoutMs: timings.readyTimeoutMs,
        signal: this.#signal,
      })
      .catch((error: unknown) => {
        if (error instanceof WaitTimeoutError) return printer.getState()
        throw error
      })
    refuseUnlessReady(state, this.#command.run_mark)
  }

  /** An upload moves nothing, so it may be repeated. */
  async #upload(held: HeldFile): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.#uploadOnce(held)
      } catch (error) {
        this.#signal.throwIfAborted()
        const isBroken = error instanceof DriverError && (error.code === 'UPLOAD_BROKEN' || error.code === 'NO_ANSWER')
        if (!isBroken) throw error
        if (tries === UPLOAD_TRIES) throw new NotStartedError('UPLOAD_FAILED', describeError(error))
      } finally {
        this.#deps.onTransfer(null)
      }
      await wait(this.#deps.timings.retryPauseMs, this.#signal)
      // What broke the upload may have been the end of its connection, and another one takes a moment.
      await this.#becomeReady()
    }
  }

  async #uploadOnce({ path, sizeBytes }: HeldFile): Promise<void> {
    const { attempt_id, file_name } = this.#names
    const onSent = (sentBytes: number) =>
      this.#deps.onTransfer({ attempt_id, sent_bytes: Math.min(sentBytes, sizeBytes), total_bytes: sizeBytes })
    onSent(0)
    await this.#requireDriver().upload({ path, size_bytes: sizeBytes, file_name, onSent }, this.#signal)
  }

  #requireDriver(): PrinterDriver {
    const driver = this.#deps.printer.findDriver()
    if (!driver) throw new DriverError('NOT_SUPPORTED', 'the hub has no driver for the printer')
    return driver
  }
}
