import type { ReportedProblem } from '@printyard/protocol/reported-problem'
import { ConnectionProblemError } from '../drivers/connection/connection-problem-error.ts'
import { reportedProblem } from '../drivers/connection/down-state.ts'
import { DriverError, type PrinterDriver } from '../drivers/driver.ts'

/** What is told by the state of the connection, and says nothing more when a command meets it. */
const ofConnection: ReadonlySet<string> = new Set(['unreachable', 'refused', 'no_answer', 'busy', 'not_supported'])

/** A driver that also knows what went wrong when something was asked of the printer. */
export interface WatchedDriver extends PrinterDriver {
  /** What only showed when it was asked, such as a full storage. */
  readonly problems: readonly ReportedProblem[]
}

/**
 * Keeps the problem that an upload or a command met until the next one of that kind succeeds: no report of the printer
 * tells of it, and none tells when it is over. `onChange` is told whenever the list is another one.
 */
export function watchOperations(driver: PrinterDriver, onChange: () => void): WatchedDriver {
  const met = new Map<'upload' | 'command', ReportedProblem>()

  const watch = async <T>(kind: 'upload' | 'command', work: Promise<T>): Promise<T> => {
    try {
      const result = await work
      if (met.delete(kind)) onChange()
      return result
    } catch (error) {
      if (error instanceof ConnectionProblemError && !ofConnection.has(error.problem.reason)) {
        const before = met.get(kind)
        met.set(kind, reportedProblem(error))
        if (before?.reason !== error.problem.reason) onChange()
      }
      throw error
    }
  }

  /** Ends the uploads of a driver that stops; without this its printer would be held as long as the slowest of them. */
  let stopping = new AbortController()

  const upload = async (...[file, signal]: Parameters<PrinterDriver['upload']>) => {
    const stopped = stopping.signal
    try {
      await driver.upload(file, AbortSignal.any([signal, stopped]))
    } catch (error) {
      if (!stopped.aborted || signal.aborted) throw error
      throw new DriverError('UPLOAD_BROKEN', 'the connection to the printer was set up again', { cause: error })
    }
  }

  return {
    get capabilities() {
      return driver.capabilities
    },
    get problems() {
      return [...met.values()]
    },
    start(signal) {
      stopping = new AbortController()
      return driver.start(signal)
    },
    stop() {
      stopping.abort(new Error('the driver stops'))
      return driver.stop()
    },
    onState: (listener) => driver.onState(listener),
    upload: (file, signal) => watch('upload', upload(file, signal)),
    startPrint: (fileName, file, signal) => watch('command', driver.startPrint(fileName, file, signal)),
    run: (command, signal) => watch('command', driver.run(command, signal)),
    takeStill: (signal) => driver.takeStill(signal),
    removeFile: (fileName, signal) => driver.removeFile(fileName, signal),
    adopt: (settings) => driver.adopt(settings),
  }
}
