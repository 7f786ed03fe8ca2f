import { type ConnectionProblem, connectionProblem } from '@printyard/protocol/connection-problems'
import type { PrinterSettings, ProbedPrinter } from '@printyard/protocol/messages'
import { describeError, type Log } from '../util/log.ts'
import { ConnectionProblemError } from './connection/connection-problem-error.ts'
import { problemOf } from './connection/problem-of.ts'
import { nothingSeen, type Probe } from './probe.ts'
import { printerAddress } from './wire/printer-http.ts'

export interface ProbeAnswer {
  printer: ProbedPrinter
  /** Null when the connection works. */
  problem: ConnectionProblem | null
}

interface ProbeOptions {
  connection_type: PrinterSettings['connection_type']
  connection: Record<string, unknown>
  dataDir: string
  log: Log
  /** However slowly the printer answers, the probe is over by then. */
  timeoutMs: number
  signal: AbortSignal
}

/** Tries a connection and says what the printer is, or what is wrong. Rejects only when the signal aborts. */
export async function probePrinter(options: ProbeOptions): Promise<ProbeAnswer> {
  const { connection_type, connection, dataDir, timeoutMs, signal } = options
  const printer = { ...nothingSeen }
  const bounded = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
  try {
    if (connection_type !== 'virtual') assertAddress(connection)
    const probe = await loadProbe(connection_type)
    await probe({ connection, dataDir, signal: bounded, report: (seen) => void Object.assign(printer, seen) })
    return { printer, problem: null }
  } catch (error) {
    if (signal.aborted) throw signal.reason
    const problem = bounded.aborted ? connectionProblem('no_answer') : problemOf(error)
    if (problem.reason === 'unknown') {
      options.log.warn('a connection was tested and failed in an unknown way', { problem: describeError(error) })
    }
    return { printer, problem }
  }
}

function assertAddress(connection: Record<string, unknown>): void {
  try {
    printerAddress(connection, 80)
  } catch (cause) {
    throw new ConnectionProblemError('address_invalid', {}, { cause })
  }
}

async function loadProbe(type: PrinterSettings['connection_type']): Promise<Probe> {
  switch (type) {
    case 'virtual':
      // It lives in the hub itself: nothing can be wrong with the way to it.
      return async ({ report }) => report({ firmware_version: 'simulated' })
    case 'octoprint':
      return (await import('./octoprint/probe.ts')).probeOctoPrint
    case 'moonraker':
      return (await import('./moonraker/probe.ts')).probeMoonraker
    case 'prusalink':
      return (await import('./prusalink/probe.ts')).probePrusaLink
    case 'bambu':
      return (await import('./bambu/probe.ts')).probeBambu
    case 'elegoo':
      return (await import('./elegoo/probe.ts')).probeElegoo
    case 'creality':
      return (await import('./creality/probe.ts')).probeCreality
  }
}
