import type { PrinterSettings } from '@printyard/protocol/messages'
import type { PrinterState } from '@printyard/protocol/printer-state'
import { downState } from '../drivers/connection/down-state.ts'
import { createDriver } from '../drivers/create-driver.ts'
import type { DriverContext } from '../drivers/driver.ts'
import { describeError, type Log } from '../util/log.ts'
import { type WatchedDriver, watchOperations } from './operation-problems.ts'

interface DriverLifeDeps {
  driverContext: DriverContext
  log: Log
  /** A new picture, from the driver or of why there is none. */
  onPicture(picture: PrinterState): void
  /** The list of what operations met has changed. */
  onProblems(): void
}

/** The driver of one printer, one at a time: made from settings, started, listened to and stopped. */
export class DriverLife {
  readonly #deps: DriverLifeDeps
  readonly #ending = new AbortController()
  #present: WatchedDriver | undefined
  #stopListening: (() => void) | undefined

  constructor(deps: DriverLifeDeps) {
    this.#deps = deps
  }

  /** Undefined while there is none for the printer. */
  get present(): WatchedDriver | undefined {
    return this.#present
  }

  get isEnding(): boolean {
    return this.#ending.signal.aborted
  }

  /** Never rejects: a driver that cannot be made or started shows as a printer that is out of reach. */
  async start(settings: PrinterSettings): Promise<void> {
    const { driverContext, log, onPicture, onProblems } = this.#deps
    const { printer_id } = settings
    try {
      this.#present = watchOperations(await createDriver(settings, driverContext), onProblems)
    } catch (error) {
      this.#present = undefined
      log.warn('a printer cannot be run', { printer_id, problem: describeError(error) })
      return onPicture(downState(error))
    }
    this.#stopListening = this.#present.onState((picture) => {
      try {
        onPicture(picture)
      } catch (error) {
        log.error('a picture of a printer was lost', { printer_id, problem: describeError(error) })
      }
    })
    try {
      await this.#present.start(this.#ending.signal)
    } catch (error) {
      if (this.isEnding) return
      log.warn('a printer cannot be watched', { printer_id, problem: describeError(error) })
      onPicture(downState(error))
    }
  }

  /** Lets go of the driver; another one may be started after it. */
  async stop(): Promise<void> {
    this.#stopListening?.()
    this.#stopListening = undefined
    const stopped = this.#present
    this.#present = undefined
    await stopped?.stop()
  }

  /** From now on no start of a driver is waited for. */
  end(): void {
    this.#ending.abort(new Error('the hub stops'))
  }
}
