import { createBackoff } from '../../util/backoff.ts'
import { wait } from '../../util/clock.ts'
import { DriverError } from '../driver.ts'

/** The printer does not take our credentials: asking again soon would only lock us out. */
export class CredentialsRefusedError extends Error {}

export interface KeepConnectedOptions {
  /** One connection, from its beginning to its end; resolves or rejects when it is over. `isUp` is called once it works. */
  connect(signal: AbortSignal, isUp: () => void): Promise<void>
  /** Told why there is no connection: what made or kept it from being made. */
  onDown(error: unknown): void
  signal: AbortSignal
  /** See `DriverContext`. */
  waitFactor: number
}

const FIRST_RETRY_MS = 1_000
const MAX_RETRY_MS = 60_000
const REFUSED_RETRY_MS = 5 * 60_000

/** Keeps one connection to a printer until the signal aborts: exponential with jitter, slowly when credentials are refused. */
export async function keepConnected({ connect, onDown, signal, waitFactor }: KeepConnectedOptions): Promise<void> {
  const backoff = createBackoff({ firstMs: FIRST_RETRY_MS * waitFactor, maxMs: MAX_RETRY_MS * waitFactor })
  while (!signal.aborted) {
    let reason: unknown = new DriverError('UNREACHABLE', 'the connection was closed')
    let pauseMs: number | undefined
    try {
      await connect(signal, backoff.reset)
    } catch (error) {
      if (signal.aborted) return
      if (error instanceof CredentialsRefusedError) pauseMs = REFUSED_RETRY_MS * waitFactor
      reason = error
    }
    if (signal.aborted) return
    onDown(reason)
    await wait(pauseMs ?? Math.max(50, backoff.next()), signal).catch(() => undefined)
  }
}
