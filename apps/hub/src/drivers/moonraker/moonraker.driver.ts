import type { PrinterSettings } from '@printyard/protocol/messages'
import { wait } from '../../util/clock.ts'
import { cameraAddress, fetchStill } from '../camera/camera-http.ts'
import { ConnectionProblemError } from '../connection/connection-problem-error.ts'
import { CredentialsRefusedError } from '../connection/keep-connected.ts'
import { createStateFeed } from '../connection/state-feed.ts'
import {
  type DeviceCommand,
  type DriverContext,
  DriverError,
  type DriverErrorCode,
  type PrinterDriver,
} from '../driver.ts'
import type { PrintToStart } from '../print/filament-map.ts'
import { addressAtPort, createPrinterHttp, printerAddress } from '../wire/printer-http.ts'
import { memberOf, textIn } from '../wire/wire-values.ts'
import { isKeyRefused } from './is-key-refused.ts'
import { type JsonRpcSocket, openJsonRpcSocket, RpcError } from './json-rpc-socket.ts'
import { gateMapScript, gatesOf, requireGateMap } from './mmu-gates.ts'
import { commandsOf, requestFor } from './moonraker-commands.ts'
import { lacksItsJob } from './moonraker-history.ts'
import {
  emptyPicture,
  fileNameOf,
  HISTORY_LENGTH,
  historyIn,
  loadedRun,
  mergeJob,
  mergeObjects,
} from './moonraker-picture.ts'
import { isKlippyReady, moonrakerState } from './moonraker-state.ts'
import { uploadToMoonraker } from './moonraker-upload.ts'
import { snapshotAddress } from './moonraker-webcam.ts'
import { createWaitingCommands } from './waiting-commands.ts'
import { watchKlipper } from './watch-klipper.ts'

const DEFAULT_PORT = 7125
/** Port at which the web front end serves what webcams are named relative to. */
const FRONT_END_PORT = 80
const QUESTION_TIMEOUT_MS = 10_000
/** Macros that load filament heat and feed first. */
const MACRO_TIMEOUT_MS = 60_000
/** Pause and cancel are answered when the G-code that runs ends; a large chamber takes long to heat. */
const QUEUED_TIMEOUT_MS = 60 * 60_000
const SILENCE_MS = 20_000
const STARTUP_POLL_MS = 2_000
/** Time that a run may go on before the history names it. Moonraker needs milliseconds for it, a busy one more. */
const HISTORY_MS = 5_000

const subscribed =
  /^(webhooks|print_stats|virtual_sdcard|display_status|idle_timeout|extruder|heater_bed|mmu)$|^(heater_generic|temperature_fan|temperature_sensor) .*(chamber|enclosure)|^(output_pin|led|neopixel) .*(light|led)/i

/** Drives a Klipper printer through Moonraker: one WebSocket for everything but uploads. */
export function createMoonrakerDriver(settings: PrinterSettings, context: DriverContext): PrinterDriver {
  const { connection } = settings
  const apiKey = textIn(connection.api_key)
  const headers: Record<string, string> = apiKey === null ? {} : { 'x-api-key': apiKey }
  const http = createPrinterHttp(printerAddress(connection, DEFAULT_PORT), headers)
  const silenceMs = SILENCE_MS * context.waitFactor
  /** What the printer has, by the object list of the present connection. */
  let objectNames = new Set<string>()
  let picture = emptyPicture()
  let socket: JsonRpcSocket | undefined
  /** Aborts when the driver stops. */
  let connected: AbortSignal | undefined
  let historyTimer: NodeJS.Timeout | undefined
  /** Moonraker can be set up without one. */
  let keepsHistory = true
  /** Set while Klipper is asked for everything: what it says is worth nothing if it goes away meanwhile. */
  let reading: JsonRpcSocket | undefined
  let heardOfKlipperMs = performance.now()
  /** Lines that Klipper said while a script runs: an unknown command is answered with ok. */
  const scriptLines = new Set<string[]>()

  const change = (next: typeof picture) => {
    picture = withHistoryWait(next)
    show()
  }

  const show = () => {
    waitingCommands.look(moonrakerState(picture))
    picture = { ...picture, commandNote: waitingCommands.noteOf(picture) }
    feed.show(moonrakerState(picture))
  }

  const waitingCommands = createWaitingCommands({
    waitFactor: context.waitFactor,
    getPicture: () => picture,
    onChange: show,
    log: context.log,
  })

  const withHistoryWait = (next: typeof picture): typeof picture => {
    if (next.history && lacksItsJob(next)) {
      if (next.historyWait !== 'none') return next
      const waitMs = HISTORY_MS * context.waitFactor
      historyTimer = setTimeout(() => change({ ...picture, historyWait: 'over' }), waitMs)
      return { ...next, historyWait: 'waiting' }
    }
    clearTimeout(historyTimer)
    return { ...next, historyWait: 'none' }
  }

  const requireSocket = (): JsonRpcSocket => {
    if (!socket) throw new DriverError('UNREACHABLE', 'Moonraker does not answer')
    return socket
  }

  const call = async (
    method: string,
    params: Record<string, unknown>,
    signal: AbortSignal,
    timeoutMs = QUESTION_TIMEOUT_MS,
  ) => {
    try {
      return await requireSocket().call(method, params, timeoutMs, signal)
    } catch (error) {
      throw error instanceof RpcError ? asDriverError(error) : error
    }
  }

  const runScript = async (script: string, signal: AbortSignal, timeoutMs: number) => {
    const lines: string[] = []
    scriptLines.add(lines)
    try {
      await call('printer.gcode.script', { script }, signal, timeoutMs)
    } finally {
      scriptLines.delete(lines)
    }
    const complaint = lines.find((line) => line.startsWith('!!') || /^\/\/ Unknown command/i.test(line))
    if (complaint !== undefined) throw new DriverError('REFUSED', complaint.slice(0, 300))
  }

  const carryOut = async (command: DeviceCommand, signal: AbortSignal, timeoutMs: number) => {
    // Klipper that is ready has nothing left of an error but its words, which a cancel would leave there.
    const isOver = command.kind === 'stop' && loadedRun(picture)?.state === 'error'
    const request = isOver ? { scripts: ['SDCARD_RESET_FILE'] } : requestFor(command, objectNames)
    if ('method' in request) await call(request.method, {}, signal, timeoutMs)
    else for (const script of request.scripts) await runScript(script, signal, timeoutMs)
  }

  /** Sends the map of a changer and reads it back: nothing else would show that it was not taken. */
  const mapGates = async (print: PrintToStart, signal: AbortSignal) => {
    const script = gateMapScript(print, picture.objects.mmu)
    await runScript(script, signal, QUESTION_TIMEOUT_MS)
    const answer = await call('printer.objects.query', { objects: { mmu: ['ttg_map'] } }, signal)
    requireGateMap(print, memberOf(answer, 'status', 'mmu', 'ttg_map'))
  }

  const connect = async (signal: AbortSignal, isUp: () => void) => {
    const address = new URL('websocket', http.base)
    address.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:'
    picture = emptyPicture()
    objectNames = new Set()
    connected = signal
    const opened = await openJsonRpcSocket({
      address,
      headers,
      onNotification,
      silenceMs,
      signal,
    })
    const failed = introduce(opened, signal).then(
      () => isUp(),
      (error: unknown) => {
        opened.close()
        throw error
      },
    )
    const silent = new AbortController()
    heardOfKlipperMs = performance.now()
    const onHeard = () => {
      heardOfKlipperMs = performance.now()
    }
    const watch = watchKlipper({
      socket: opened,
      silenceMs,
      heardAtMs: () => (picture.klippy === 'ready' ? heardOfKlipperMs : undefined),
      onHeard,
      signal: AbortSignal.any([signal, silent.signal]),
    }).finally(() => opened.close())
    try {
      await Promise.all([failed, opened.closed.then(() => silent.abort()), watch])
    } finally {
      clearTimeout(historyTimer)
      socket = undefined
      reading = undefined
      silent.abort()
      opened.close()
    }
  }

  /** Says who we are, waits for Klipper and asks for everything; from then on changes arrive by themselves. */
  const introduce = async (opened: JsonRpcSocket, signal: AbortSignal) => {
    const ask = (method: string, params: Record<string, unknown> = {}) =>
      opened.call(method, params, QUESTION_TIMEOUT_MS, signal)
    await ask('server.connection.identify', {
      client_name: `printyard ${settings.printer_id}`,
      version: '1',
      // Of an `agent` of one name Moonraker admits one: a connection that died unnoticed would keep us out.
      type: 'other',
      url: 'https://localhost',
      ...(apiKey === null ? {} : { api_key: apiKey }),
    }).catch(async (error: unknown) => {
      if (error instanceof RpcError && (await isKeyRefused(http, signal))) {
        throw new CredentialsRefusedError('credentials refused')
      }
      throw error
    })
    for (;;) {
      const info = await ask('server.info')
      if (isKlippyReady(info)) break
      const klippy = textIn(memberOf(info, 'klippy_state')) ?? 'disconnected'
      socket = opened
      change({ ...picture, klippy, klippyMessage: await klippyMessage(ask, klippy) })
      await Promise.race([wait(STARTUP_POLL_MS * context.waitFactor, signal), opened.closed])
    }
    reading = opened
    const info = await ask('printer.info')
    const list = memberOf(await ask('printer.objects.list'), 'objects')
    objectNames = new Set(Array.isArray(list) ? list.flatMap((name) => textIn(name) ?? []) : [])
    const wanted = [...objectNames].filter((name) => subscribed.test(name))
    const full = await ask('printer.objects.subscribe', {
      objects: Object.fromEntries(wanted.map((name) => [name, null])),
    })
    const history = await ask('server.history.list', { limit: HISTORY_LENGTH, order: 'desc' }).then(
      historyIn,
      (error: unknown) => {
        if (error instanceof RpcError) return null
        throw error
      },
    )
    keepsHistory = history !== null
    reading = undefined
    socket = opened
    const firmware = textIn(memberOf(info, 'software_version'), 100)
    const beginning = { ...picture, klippy: 'ready', klippyMessage: null, firmware, history }
    change(mergeObjects(beginning, memberOf(full, 'status')))
    readMetadata(opened, signal)
  }

  /** What the running file says about itself; without it only the remaining time is less exact. */
  const readMetadata = (from: JsonRpcSocket, signal: AbortSignal) => {
    const fileName = fileNameOf(picture)
    if (fileName === null || picture.metadata?.fileName === fileName) return
    picture = { ...picture, metadata: { fileName, facts: undefined } }
    from.call('server.files.metadata', { filename: fileName }, QUESTION_TIMEOUT_MS, signal).then(
      (facts) => change({ ...picture, metadata: { fileName, facts } }),
      () => undefined,
    )
  }

  const onNotification = (method: string, params: unknown) => {
    switch (method) {
      case 'notify_status_update':
        heardOfKlipperMs = performance.now()
        change(mergeObjects(picture, memberOf(params, 0)))
        if (socket && connected) readMetadata(socket, connected)
        return
      case 'notify_history_changed':
        return change(mergeJob(picture, memberOf(params, 0, 'job')))
      case 'notify_gcode_response': {
        const line = textIn(memberOf(params, 0), 1_000)
        if (line !== null) for (const lines of scriptLines) if (lines.length < 100) lines.push(line)
        return
      }
      case 'notify_klippy_shutdown':
        reading?.close()
        return change({ ...picture, klippy: 'shutdown' })
      case 'notify_klippy_disconnected':
        reading?.close()
        return change({ ...picture, klippy: 'disconnected' })
      case 'notify_klippy_ready':
        // Everything may have changed, its objects included: start over.
        socket?.close()
    }
  }

  const feed = createStateFeed({ settings, context, connect })

  return {
    capabilities: {
      get commands() {
        return commandsOf(objectNames)
      },
      // Its history does, but a start is not answered with the number of the run.
      keepsRunIdentity: false,
      get remembersLastRun() {
        return keepsHistory
      },
      // Moonraker answers with an error when Klipper takes too long over its start macro, and reconnects within ten seconds.
      refusalWatchMs: 15_000 * context.waitFactor,
      // What it tells is the filament that the running file asks for.
      tellsLoadedFilament: false,
      // Without a map in the command a changer goes by the map that a person made at the printer.
      get filamentMap() {
        return gatesOf(picture.objects.mmu) ? 'optional' : 'none'
      },
      camera: true,
    },
    start: feed.start,
    stop: feed.stop,
    onState: feed.onState,
    adopt: feed.adopt,
    async upload(file, signal) {
      requireSocket()
      await uploadToMoonraker(http, file, signal)
    },
    async startPrint(fileName, print, signal) {
      if (print.filament_map) await mapGates(print, signal)
      await call('printer.print.start', { filename: fileName }, signal)
      return { run_id: null }
    },
    async run(command, signal) {
      const isOfFilament = command.kind === 'load_filament' || command.kind === 'unload_filament'
      if (isOfFilament) await carryOut(command, signal, MACRO_TIMEOUT_MS)
      else
        return waitingCommands.send(
          command.kind,
          () => carryOut(command, connected ?? signal, QUEUED_TIMEOUT_MS),
          signal,
        )
    },
    async removeFile(fileName, signal) {
      await call('server.files.delete_file', { path: `gcodes/${fileName}` }, signal).catch((error: unknown) => {
        if (!(error instanceof DriverError && error.code === 'REFUSED')) throw error
      })
    },
    async takeStill(signal) {
      const address = snapshotAddress(await call('server.webcams.list', {}, signal))
      const frontEnd = addressAtPort(http.base, connection.camera_port, FRONT_END_PORT)
      return fetchStill(cameraAddress(address, frontEnd), signal)
    },
  }
}

async function klippyMessage(ask: (method: string) => Promise<unknown>, klippy: string): Promise<string | null> {
  if (klippy !== 'error' && klippy !== 'shutdown') return null
  return textIn(memberOf(await ask('printer.info').catch(() => undefined), 'state_message'), 500)
}

function asDriverError(error: RpcError): DriverError {
  if (error.status === 401 || error.status === 403) {
    return new ConnectionProblemError('commands_refused', {
      message: `Moonraker refuses the command: ${error.message}`,
    })
  }
  const code: DriverErrorCode = /busy/i.test(error.message) ? 'BUSY' : 'REFUSED'
  return new DriverError(code, error.status === 503 ? 'Klipper is not ready' : error.message, { cause: error })
}
