import { DriverError } from '../driver.ts'
import type { TextSocket } from '../wire/text-socket.ts'
import { askEverything } from './creality-commands.ts'

const QUESTION_TIMEOUT_MS = 10_000

/** Those who wait for the next whole report, which is also the only sign that the printer has heard what was sent before. */
export class WholeReports {
  /** Called with true for the next report, with false once there will be none. */
  readonly #waiting = new Set<(isHere: boolean) => void>()

  /** Asks for everything and waits for it. Rejects with a `DriverError` `NO_ANSWER`, or with the signal's reason. */
  ask(socket: TextSocket, signal: AbortSignal): Promise<void> {
    return new Promise<void>((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason)
      const end = (settle: () => void) => {
        clearTimeout(timer)
        this.#waiting.delete(onReport)
        signal.removeEventListener('abort', onAbort)
        settle()
      }
      const fail = (why: string) => end(() => reject(new DriverError('NO_ANSWER', why)))
      const onReport = (isHere: boolean) =>
        isHere ? end(resolve) : fail('the connection broke before the printer reported')
      const onAbort = () => end(() => reject(signal.reason))
      const timer = setTimeout(() => fail(`no report within ${QUESTION_TIMEOUT_MS} ms`), QUESTION_TIMEOUT_MS)
      this.#waiting.add(onReport)
      signal.addEventListener('abort', onAbort, { once: true })
      socket.send(askEverything).catch((error: unknown) => end(() => reject(asUnanswered(error))))
    })
  }

  /** The printer has reported everything. */
  recordReport(): void {
    for (const tell of [...this.#waiting]) tell(true)
  }

  /** The connection is over. */
  recordEnd(): void {
    for (const tell of [...this.#waiting]) tell(false)
  }
}

/** What went before on this connection may have arrived although this question was not sent. */
function asUnanswered(error: unknown): DriverError {
  return new DriverError('NO_ANSWER', 'the connection broke before the printer reported', { cause: error })
}
