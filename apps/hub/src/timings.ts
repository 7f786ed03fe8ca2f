import { HEARTBEAT_INTERVAL_MS, TELEMETRY_INTERVAL_MS } from '@printyard/protocol/version'
import { SHORTEST_PRINT_MS } from './fleet/run-mark.ts'

/** Every wait of the hub that is not a driver's, so that a test of hours takes seconds. */
export interface Timings {
  heartbeatMs: number
  telemetryMs: number
  /** A connection on which nothing is heard for this long is given up; the hub asks by ping in between. */
  silenceMs: number
  handshakeMs: number
  firstRetryMs: number
  /** The longest wait before the next try: two in a row keep a hub away for less than half a minute. */
  maxRetryMs: number
  /** A connection that has lasted this long was a good one: the next retry starts over. */
  steadyMs: number
  /** Time to wait after the service refused the hub's token. */
  refusedRetryMs: number
  /** The same where another hub with the same token took over: two that pull at the connection in turns would serve no one. */
  replacedRetryMs: number
  /** Time that a printer that is offline or busy with itself may take to become ready for an upload. */
  readyTimeoutMs: number
  /** A printer shows our run within this after a start. Large files take it a while to unpack. */
  confirmTimeoutMs: number
  /** A printer shows the effect of a command within this. */
  effectTimeoutMs: number
  /** Between two tries of an upload, and of a journal that cannot be written. */
  retryPauseMs: number
  /** Between two records that the hub watches its printers, from which it knows after a kill for how long it did not. */
  aliveMs: number
  /** A forgetful printer may have printed something unseen in any time out of sight that is not shorter. */
  shortestPrintMs: number
  /** A camera gives a whole picture within this. */
  stillTimeoutMs: number
}

export const defaultTimings: Timings = {
  heartbeatMs: HEARTBEAT_INTERVAL_MS,
  telemetryMs: TELEMETRY_INTERVAL_MS,
  silenceMs: 45_000,
  handshakeMs: 10_000,
  firstRetryMs: 500,
  maxRetryMs: 10_000,
  steadyMs: 10_000,
  refusedRetryMs: 5 * 60_000,
  replacedRetryMs: 30_000,
  readyTimeoutMs: 30_000,
  confirmTimeoutMs: 90_000,
  effectTimeoutMs: 25_000,
  retryPauseMs: 2_000,
  aliveMs: 10_000,
  shortestPrintMs: SHORTEST_PRINT_MS,
  stillTimeoutMs: 10_000,
}
