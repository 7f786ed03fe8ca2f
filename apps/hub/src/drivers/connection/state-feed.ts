import type { PrinterSettings } from '@printyard/protocol/messages'
import type { PrinterState } from '@printyard/protocol/printer-state'
import { describeError } from '../../util/log.ts'
import type { DriverContext, PrinterDriver } from '../driver.ts'
import { downState } from './down-state.ts'
import { type KeepConnectedOptions, keepConnected } from './keep-connected.ts'

/** Printers speak several times a second; people and the service look once. */
const EMIT_INTERVAL_MS = 500

interface StateFeedOptions {
  settings: PrinterSettings
  context: DriverContext
  connect: KeepConnectedOptions['connect']
}

/** The listening half of a driver that keeps one connection open: `start`, `stop` and `onState` as the contract has them. */
export interface StateFeed extends Pick<PrinterDriver, 'start' | 'stop' | 'onState' | 'adopt'> {
  /** A new picture: told at once when something turned, at intervals while only numbers run. */
  show(state: PrinterState): void
}

export function createStateFeed({ settings, context, connect }: StateFeedOptions): StateFeed {
  const listeners = new Set<(state: PrinterState) => void>()
  const emitIntervalMs = EMIT_INTERVAL_MS * context.waitFactor
  let watching: AbortController | undefined
  let watched: Promise<void> = Promise.resolve()
  let latest: PrinterState | undefined
  let told: PrinterState | undefined
  let toldAtMs = Number.NEGATIVE_INFINITY
  let timer: NodeJS.Timeout | undefined

  const emit = () => {
    clearTimeout(timer)
    timer = undefined
    if (!latest) return
    told = latest
    toldAtMs = performance.now()
    for (const listener of [...listeners]) listener(latest)
  }

  return {
    async start(signal) {
      signal.throwIfAborted()
      if (watching) return
      const stopping = new AbortController()
      watching = stopping
      watched = keepConnected({
        signal: AbortSignal.any([stopping.signal, signal]),
        waitFactor: context.waitFactor,
        connect,
        onDown(error) {
          latest = downState(error)
          emit()
        },
      }).catch((error: unknown) =>
        context.log.error('a printer is watched no more', {
          printer_id: settings.printer_id,
          problem: describeError(error),
        }),
      )
    },
    async stop() {
      watching?.abort(new Error('the driver stops'))
      watching = undefined
      await watched
      clearTimeout(timer)
      timer = undefined
    },
    onState(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    adopt(changed) {
      // Name and loaded filament mean nothing to a driver; everything else is about the connection.
      return (
        changed.connection_type === settings.connection_type &&
        JSON.stringify(changed.connection) === JSON.stringify(settings.connection)
      )
    },
    show(state) {
      if (!watching) return
      latest = state
      const restMs = toldAtMs + emitIntervalMs - performance.now()
      if (!told || turnOf(told) !== turnOf(state) || restMs <= 0) emit()
      else timer ??= setTimeout(emit, restMs)
    },
  }
}

/** Answers what no one should have to wait for. */
function turnOf({ status, status_reason, run, last_result, problems, run_mark }: PrinterState): string {
  return JSON.stringify([status, status_reason, run, last_result, problems, run_mark])
}
