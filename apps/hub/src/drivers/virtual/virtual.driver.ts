import { join } from 'node:path'
import { type CommandKind, commandKinds } from '@printyard/protocol/command-kinds'
import type { PrinterSettings } from '@printyard/protocol/messages'
import type { PrinterState } from '@printyard/protocol/printer-state'
import { createVirtualPrinter } from '@printyard/virtual-printers/create-virtual-printer'
import { drawStill } from '@printyard/virtual-printers/draw-still'
import {
  type Fault,
  faults,
  VirtualPrinterError,
  type VirtualReport,
} from '@printyard/virtual-printers/virtual-printer'
import { wait } from '../../util/clock.ts'
import { describeError } from '../../util/log.ts'
import { ConnectionProblemError } from '../connection/connection-problem-error.ts'
import {
  type DeviceCommand,
  type DriverContext,
  DriverError,
  type FileToUpload,
  type PrinterDriver,
} from '../driver.ts'
import { chosenPlaces, onlyPlace, type PrintToStart, refuseFilamentMap } from '../print/filament-map.ts'
import { readCounted } from '../wire/counted-file.ts'
import { readSlots, reportedSlots, type VirtualSlot } from './virtual-slots.ts'
import { virtualState } from './virtual-state.ts'

/** A printer answers a question, or refuses it, within this; the rule for all drivers. */
const ACK_TIMEOUT_MS = 10_000
/** An upload that is not over by then is given up. A slow file store takes half a minute. */
const UPLOAD_TIMEOUT_MS = 15 * 60_000
/** A printer that neither reports nor answers for this long is offline. Our choice; the simulation has no latency. */
const SILENCE_MS = 5_000
const WATCH_INTERVAL_MS = 1_000
/** Nothing moves at a simulated printer after a refusal but by the fault of that name. */
const REFUSAL_WATCH_MS = 500
const LATE_START_MS = 200

/** What `connection` may hold for a virtual printer; anything else in it is ignored. */
interface VirtualConnection {
  speed: number
  faults: Fault[]
  seed: number | undefined
  /** Rate at which it takes files in; as fast as it can when left out. */
  uploadBytesPerSecond: number | undefined
  /** True when it shows its last run after a power cut. */
  remembersLastRun: boolean
  /** Time after its refusal at which a start of the fault `refusal_after_effect` takes effect. */
  lateStartMs: number
  /** A change of this value means that a person took the print off the simulated plate. */
  plateClearedAt: string | undefined
  /** The places of its changer; empty without one. */
  slots: VirtualSlot[]
}

/** Drives a simulated printer that lives in this process and whose memory is a file of the hub. */
export function createVirtualDriver(initial: PrinterSettings, context: DriverContext): PrinterDriver {
  const { log, dataDir, simulatedPrinters, waitFactor } = context
  const ackTimeoutMs = ACK_TIMEOUT_MS * waitFactor
  const watchIntervalMs = WATCH_INTERVAL_MS * waitFactor
  let settings = initial
  let connection = readConnection(settings, context)
  const printer = createVirtualPrinter({
    id: settings.printer_id,
    model: settings.model,
    speed: connection.speed,
    ...(connection.seed === undefined ? {} : { seed: connection.seed }),
    now: context.clock,
    stateFile: join(dataDir, 'virtual', `${settings.printer_id.replace(/[^A-Za-z0-9_-]/g, '_')}.jsonl`),
    faults: connection.faults,
    remembersLastRun: connection.remembersLastRun,
    lateStartMs: connection.lateStartMs,
    ...(settings.filament_type
      ? { filament: { type: settings.filament_type, colorHex: settings.filament_color_hex ?? '#808080' } }
      : {}),
    onError: (error, what) =>
      log.warn('a virtual printer reports trouble', {
        printer_id: initial.printer_id,
        what,
        problem: describeError(error),
      }),
  })
  const listeners = new Set<(state: PrinterState) => void>()
  let heardAtMs = 0
  /** Time of the first question since then. */
  let askedAtMs: number | undefined
  let isReachable = false
  let stopWatching: (() => void) | undefined
  /** Aborted when the printer is given up, so that no upload waits for it. */
  let contact = new AbortController()
  /** The place that it printed from last. */
  let activeSlot: number | undefined = connection.slots.find(({ isEmpty }) => !isEmpty)?.number
  /** What it said last: of a printer that cannot be reached nothing newer is known. */
  let heard = stateOf(printer.report())

  const emit = (state: PrinterState) => {
    for (const listener of [...listeners]) listener(state)
  }

  const hear = (report: VirtualReport = printer.report()) => {
    heardAtMs = performance.now()
    askedAtMs = undefined
    isReachable = true
    heard = stateOf(report)
  }

  /** Any answer shows that the link lives: that there is no such file is one. */
  const ping = async () => {
    try {
      await printer.deleteFile('.ping', AbortSignal.timeout(watchIntervalMs))
    } catch (error) {
      if (!(error instanceof VirtualPrinterError)) return
    }
    if (!stopWatching) return
    const wasReachable = isReachable
    hear()
    if (!wasReachable) emit(heard)
  }

  const watch = () => {
    const now = performance.now()
    if (now - heardAtMs <= watchIntervalMs) return
    // Silence counts from a question: a hub that stood still itself, as on a machine that slept, has heard nothing of anyone.
    askedAtMs ??= now
    void ping()
    if (now - askedAtMs <= SILENCE_MS * waitFactor || !isReachable) return
    isReachable = false
    contact.abort(new DriverError('UPLOAD_BROKEN', 'the printer does not answer any more'))
    contact = new AbortController()
    emit({ ...heard, ...offlineFields() })
  }

  /** Reports come a few times a second; after an answer the printer is read at once. */
  const readAgain = () => {
    hear()
    if (stopWatching) emit(heard)
  }

  /** One question, bounded in time; a time-out says that the fate of the question is not known. */
  const ask = async <T>(timeoutMs: number, signal: AbortSignal, question: (signal: AbortSignal) => Promise<T>) => {
    if (!isReachable) throw new DriverError('UNREACHABLE', 'the printer does not answer')
    signal.throwIfAborted()
    try {
      return await question(AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]))
    } catch (error) {
      throw asDriverError(error, timeoutMs, signal)
    }
  }

  return {
    capabilities: {
      commands: new Set<CommandKind>(commandKinds),
      keepsRunIdentity: connection.remembersLastRun,
      remembersLastRun: connection.remembersLastRun,
      // It reports several times a second.
      refusalWatchMs: REFUSAL_WATCH_MS,
      tellsLoadedFilament: true,
      get filamentMap() {
        return connection.slots.length > 0 ? 'needed' : 'none'
      },
      camera: true,
    },
    async start(signal) {
      signal.throwIfAborted()
      if (stopWatching) return
      await printer.powerOn()
      const stopReports = printer.onReport((report) => {
        hear(report)
        emit(heard)
      })
      simulatedPrinters?.set(initial.printer_id, printer)
      const timer = setInterval(watch, watchIntervalMs)
      stopWatching = () => {
        clearInterval(timer)
        stopReports()
        simulatedPrinters?.delete(initial.printer_id)
      }
      await ping()
    },
    async stop() {
      stopWatching?.()
      stopWatching = undefined
      isReachable = false
      await printer.powerOff()
    },
    onState(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    async upload(file, signal) {
      const { size_bytes, file_name } = file
      const reachable = AbortSignal.any([signal, contact.signal])
      await ask(UPLOAD_TIMEOUT_MS, reachable, (bounded) =>
        printer.upload(file_name, size_bytes, slowed(file, connection.uploadBytesPerSecond, bounded), bounded),
      ).catch(async (error: unknown) => {
        await printer.deleteFile(file_name, AbortSignal.timeout(watchIntervalMs)).catch(() => undefined)
        throw error
      })
    },
    async startPrint(fileName, file, signal) {
      const place = placeToPrintFrom(file)
      // A file that does not say how it prints is given a plan, as its true one is inside the file that a printer reads.
      const plan = {
        printTimeSeconds: file.print_time_seconds ?? 3600,
        layerCount: file.layer_count ?? 100,
        nozzleTemp: file.nozzle_temp ?? 215,
        bedTemp: file.bed_temp ?? 60,
      }
      const { runId } = await ask(ackTimeoutMs, signal, (bounded) => printer.startPrint(fileName, plan, bounded))
      activeSlot = place ?? activeSlot
      readAgain()
      return { run_id: runId }
    },
    async run(command, signal) {
      await ask(ackTimeoutMs, signal, (bounded) => send(command, bounded))
      readAgain()
    },
    removeFile: (fileName, signal) => ask(ackTimeoutMs, signal, (bounded) => printer.deleteFile(fileName, bounded)),
    async takeStill(signal) {
      // The picture is drawn here, but a printer that cannot be reached shows none.
      await ask(ackTimeoutMs, signal, (bounded) => printer.listFiles(bounded))
      return drawStill(printer)
    },
    adopt(changed) {
      if (changed.connection_type !== 'virtual' || changed.model !== settings.model) return false
      const next = readConnection(changed, context)
      if (next.seed !== connection.seed || next.lateStartMs !== connection.lateStartMs) return false
      if (next.remembersLastRun !== connection.remembersLastRun) return false
      if (next.speed !== connection.speed) printer.setSpeed(next.speed)
      if (next.faults.join() !== connection.faults.join()) printer.setFaults(next.faults)
      putSpool(changed)
      // Absent means that the plate is not clear at present, which no one's hand has done anything about.
      if (
        !simulatedPrinters &&
        next.plateClearedAt !== undefined &&
        next.plateClearedAt !== connection.plateClearedAt
      ) {
        try {
          printer.takePrintOff()
        } catch (error) {
          log.warn('the simulated plate was not cleared', {
            printer_id: initial.printer_id,
            problem: describeError(error),
          })
        }
      }
      settings = changed
      connection = next
      return true
    },
  }

  /** The whole picture, with the changer as it is described. */
  function stateOf(report: VirtualReport): PrinterState {
    const state = virtualState(report)
    const slots = reportedSlots(connection.slots, activeSlot)
    if (slots === null) return state
    const active = slots.find(({ is_active }) => is_active)
    const { filament_type = null, filament_color_hex = null } = active ?? {}
    return { ...state, slots, filament_type, filament_color_hex }
  }

  /** The place that the first filament of a print comes from; undefined without a changer. */
  function placeToPrintFrom(file: PrintToStart): number | undefined {
    if (connection.slots.length === 0) {
      refuseFilamentMap(file)
      return undefined
    }
    const [first] = chosenPlaces(file, connection.slots) ?? onlyPlace(file, connection.slots)
    return first?.place.number
  }

  /** A person entered other filament: anyone who did has put it in. */
  function putSpool(changed: PrinterSettings): void {
    const { filament_type: type, filament_color_hex: hex } = changed
    if (!type || (type === settings.filament_type && hex === settings.filament_color_hex)) return
    try {
      printer.putSpool({ type, colorHex: hex ?? '#808080' })
    } catch (error) {
      log.warn('the simulated spool was not changed', {
        printer_id: initial.printer_id,
        problem: describeError(error),
      })
    }
  }

  function send(command: DeviceCommand, signal: AbortSignal): Promise<void> {
    switch (command.kind) {
      case 'pause':
        return printer.pause(signal)
      case 'resume':
        return printer.resume(signal)
      case 'stop':
        return printer.stop(signal)
      case 'heaters':
        return printer.setTargets(command.args, signal)
      case 'light':
        return printer.setLight(command.args.on, signal)
      case 'load_filament':
        return printer.loadFilament(signal)
      case 'unload_filament':
        return printer.unloadFilament(signal)
    }
  }
}

/** A file as a printer reads it that is no faster than that. */
async function* slowed(file: FileToUpload, bytesPerSecond: number | undefined, signal: AbortSignal) {
  for await (const piece of readCounted(file)) {
    if (bytesPerSecond !== undefined) await wait((piece.length / bytesPerSecond) * 1_000, signal)
    yield piece
  }
}

function offlineFields(): Pick<PrinterState, 'status' | 'status_reason' | 'problems'> {
  return {
    status: 'offline',
    status_reason: 'the printer does not answer',
    problems: [{ reason: 'no_answer', message: null }],
  }
}

const codes = {
  REFUSED: 'REFUSED',
  NO_SUCH_FILE: 'REFUSED',
  BUSY: 'BUSY',
  WRONG_STATE: 'WRONG_STATE',
  UPLOAD_BROKEN: 'UPLOAD_BROKEN',
  NOT_SUPPORTED: 'NOT_SUPPORTED',
} as const

function asDriverError(error: unknown, timeoutMs: number, signal: AbortSignal): unknown {
  if (error instanceof VirtualPrinterError) {
    if (error.code === 'STORAGE_FULL') return new ConnectionProblemError('storage_full', {}, { cause: error })
    return new DriverError(codes[error.code], error.message, { cause: error })
  }
  if (signal.aborted) return signal.reason
  if (error instanceof DOMException && error.name === 'TimeoutError') {
    return new DriverError('NO_ANSWER', `no answer within ${timeoutMs} ms`, { cause: error })
  }
  return error
}

function readConnection({ connection }: PrinterSettings, { virtualSpeed }: DriverContext): VirtualConnection {
  const { speed, seed, upload_bytes_per_second: rate, late_start_ms: lateStart } = connection
  const wanted = Array.isArray(connection.faults) ? connection.faults : []
  const cleared = connection.plate_cleared_at
  return {
    speed: typeof speed === 'number' && speed > 0 && speed <= 100_000 ? speed : virtualSpeed,
    faults: faults.filter((fault) => wanted.includes(fault)),
    seed: typeof seed === 'number' && Number.isFinite(seed) ? seed : undefined,
    uploadBytesPerSecond: typeof rate === 'number' && rate >= 1_000 ? rate : undefined,
    remembersLastRun: connection.remembers_last_run !== false,
    lateStartMs: typeof lateStart === 'number' && lateStart >= 0 ? lateStart : LATE_START_MS,
    plateClearedAt: typeof cleared === 'string' ? cleared : undefined,
    slots: readSlots(connection.slots),
  }
}
