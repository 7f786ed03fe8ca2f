import type { CommandKind } from '@printyard/protocol/command-kinds'
import type { PrinterSettings } from '@printyard/protocol/messages'
import { fetchStill } from '../camera/camera-http.ts'
import { ConnectionProblemError } from '../connection/connection-problem-error.ts'
import { createStateFeed } from '../connection/state-feed.ts'
import { type DeviceCommand, type DriverContext, DriverError, type PrinterDriver } from '../driver.ts'
import {
  chosenPlaces,
  onlyFilament,
  type PlacedFilament,
  type PrintToStart,
  refuseFilamentMap,
} from '../print/filament-map.ts'
import { createUnseenStart } from '../print/unseen-start.ts'
import { formBody } from '../wire/file-body.ts'
import { addressAtPort, createPrinterHttp, isFull, printerAddress } from '../wire/printer-http.ts'
import { openTextSocket, parseFrame, type TextSocket } from '../wire/text-socket.ts'
import { memberOf, numberIn, textIn } from '../wire/wire-values.ts'
import { type CrealityFields, crealityState, follow, freshMemory, isWhole, mergeFields } from './creality-state.ts'
import { colorMatchOf, hasMaterialBox, isFromHolder, type MaterialSlot, slotsOf } from './material-boxes.ts'

const DEFAULT_PORT = 9999
const DEFAULT_HTTP_PORT = 80
const CAMERA_PORT = 8080
/** Not everything is pushed. */
const ASK_INTERVAL_MS = 5_000
const SILENCE_MS = 30_000
const QUESTION_TIMEOUT_MS = 10_000
const UPLOAD_BYTES_PER_SECOND = 100_000
const UPLOAD_LEAST_MS = 60_000
/** Names that were given to the printer and that it writes otherwise; the oldest is forgotten. */
const MOST_RENAMED = 100
/** Longer than a printer takes to show a run that it was asked for. */
const START_UNSEEN_MS = 120_000

const askEverything = JSON.stringify({ method: 'get', params: { ReqPrinterPara: 1 } })
const askBoxes = JSON.stringify({ method: 'get', params: { boxsInfo: 1 } })

/** Folder in which the models keep their files; the K2 family by the codes that it announces. */
const gcodeFolder = '/usr/data/printer_data/gcodes'
const gcodeFolderOfK2 = '/mnt/UDISK/printer_data/gcodes'
const modelsOfK2 = /F008|F012|F021|\bK2\b/i

/**
 * Drives a printer of Creality's K series with its own firmware: one WebSocket for everything but uploads. It answers no
 * command, so the driver looks at its picture before it asks, and asks for a new one after it.
 */
export function createCrealityDriver(settings: PrinterSettings, context: DriverContext): PrinterDriver {
  const { connection } = settings
  const base = printerAddress(connection, DEFAULT_PORT)
  const http = createPrinterHttp(addressAtPort(base, connection.http_port, DEFAULT_HTTP_PORT), {})
  const gcode = (name: string) => textIn(connection[name], 1_000)
  const commands = new Set<CommandKind>(['print', 'pause', 'resume', 'stop', 'heaters', 'light'])
  if (gcode('load_gcode') !== null) commands.add('load_filament')
  if (gcode('unload_gcode') !== null) commands.add('unload_filament')

  const renamed = new Map<string, string>()
  /** Called with the next whole report, or once there will be none. */
  const awaitingReport = new Set<(isHere: boolean) => void>()
  let fields: CrealityFields = {}
  let memory = freshMemory
  let socket: TextSocket | undefined
  const start = createUnseenStart(START_UNSEEN_MS * context.waitFactor)

  const stateOf = () =>
    start.withoutStaleResult(crealityState(fields, memory, (fileName) => renamed.get(fileName) ?? fileName))
  const feed = createStateFeed({ settings, context, connect })

  async function connect(signal: AbortSignal, isUp: () => void): Promise<void> {
    fields = {}
    // Only what a person has acknowledged holds for longer than a connection.
    memory = { ...freshMemory, acknowledged: memory.acknowledged }
    const address = new URL(base)
    address.protocol = 'ws:'
    const opened = await openTextSocket({
      address,
      question: { text: askEverything, everyMs: ASK_INTERVAL_MS * context.waitFactor },
      silenceMs: SILENCE_MS * context.waitFactor,
      signal,
      onText(text, own) {
        const frame = parseFrame(text)
        // Without this answer the printer closes the connection.
        if (memberOf(frame, 'ModeCode') === 'heart_beat') return void own.send('ok').catch(own.close)
        fields = mergeFields(fields, frame)
        // Until it has said what it is doing there is no picture to show.
        if (fields.state === undefined) return
        if (isWhole(fields)) memory = follow(memory, fields)
        if (!socket) {
          socket = own
          isUp()
        }
        if (memberOf(frame, 'model') !== undefined) for (const tell of [...awaitingReport]) tell(true)
        feed.show(stateOf())
      },
    })
    // A spool that is changed is not pushed either.
    const askingBoxes = setInterval(() => {
      if (hasMaterialBox(fields.boxsInfo)) opened.send(askBoxes).catch(opened.close)
    }, ASK_INTERVAL_MS * context.waitFactor)
    try {
      await opened.send(askEverything)
      await opened.send(askBoxes)
      await opened.closed
    } finally {
      clearInterval(askingBoxes)
      socket = undefined
      opened.close()
      for (const tell of [...awaitingReport]) tell(false)
    }
  }

  const requireSocket = (): TextSocket => {
    if (!socket) throw new DriverError('UNREACHABLE', 'the printer does not answer')
    return socket
  }

  /** Asks for everything and waits for it; also the only sign that the printer has heard what was sent before. */
  const refresh = (opened: TextSocket, signal: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason)
      const end = (settle: () => void) => {
        clearTimeout(timer)
        awaitingReport.delete(onReport)
        signal.removeEventListener('abort', onAbort)
        settle()
      }
      const fail = (why: string) => end(() => reject(new DriverError('NO_ANSWER', why)))
      const onReport = (isHere: boolean) =>
        isHere ? end(resolve) : fail('the connection broke before the printer reported')
      const onAbort = () => end(() => reject(signal.reason))
      const timer = setTimeout(() => fail(`no report within ${QUESTION_TIMEOUT_MS} ms`), QUESTION_TIMEOUT_MS)
      awaitingReport.add(onReport)
      signal.addEventListener('abort', onAbort, { once: true })
      opened.send(askEverything).catch((error: unknown) => end(() => reject(asUnanswered(error))))
    })

  const set = async (params: Record<string, unknown>, signal: AbortSignal) => {
    signal.throwIfAborted()
    const opened = requireSocket()
    await opened.send(JSON.stringify({ method: 'set', params }))
    await refresh(opened, signal)
  }

  const isK2 = () => modelsOfK2.test(`${fields.model} ${fields.modelVersion}`)

  const pathOf = (fileName: string) => {
    return `${textIn(connection.gcode_folder) ?? (isK2() ? gcodeFolderOfK2 : gcodeFolder)}/${wireName(fileName)}`
  }

  const remember = (fileName: string) => {
    if (wireName(fileName) === fileName) return
    renamed.delete(wireName(fileName))
    renamed.set(wireName(fileName), fileName)
    for (const oldest of renamed.keys()) if (renamed.size > MOST_RENAMED) renamed.delete(oldest)
  }

  /** A start is ignored in silence when it does not fit, so what would not fit is refused here. */
  const assertIdle = () => {
    const { status, status_reason, run } = stateOf()
    if (run) throw new DriverError('BUSY', `the printer runs ${run.file_name}`)
    if (status !== 'idle') throw new DriverError('WRONG_STATE', status_reason ?? `the printer is ${status}`)
  }

  /** With a material box and a filament that has no place, the printer would print air. */
  const placesFor = (print: PrintToStart): PlacedFilament<MaterialSlot>[] | undefined => {
    const slots = slotsOf(fields.boxsInfo)
    const hasBox = hasMaterialBox(fields.boxsInfo)
    if (hasBox || slots.length > 0) {
      const chosen = chosenPlaces(print, slots)
      if (chosen) return chosen
    } else refuseFilamentMap(print)
    if (!hasBox) {
      if (numberIn(fields.cfsConnect) !== 1) return undefined
      throw new DriverError('WRONG_STATE', 'the printer has not said yet what its material box holds')
    }
    const wanted = textIn(connection.slot)
    const names = slots.map(({ name }) => name).join(', ')
    if (wanted === null) {
      throw new DriverError(
        'REFUSED',
        `the printer has a material box: set the slot to print from in its connection, one of ${names}`,
      )
    }
    const slot = slots.find(({ name }) => name.toLowerCase() === wanted.toLowerCase())
    if (!slot) throw new DriverError('REFUSED', `the printer has no slot ${wanted}, only ${names}`)
    if (slot.isEmpty) throw new DriverError('REFUSED', `slot ${slot.name} is empty`)
    return [{ filament: onlyFilament(print), place: slot }]
  }

  return {
    capabilities: {
      commands,
      keepsRunIdentity: false,
      // It shows the file that it printed last until it is switched off. That it also keeps a list of prints (`reqHistory`) is
      // known, but not whether what a power cut ended is in it.
      remembersLastRun: false,
      // Its status is pushed every few seconds, and a start through its web server may outlast its own answer.
      refusalWatchMs: 15_000 * context.waitFactor,
      // What it tells is the spool in the chosen place.
      tellsLoadedFilament: false,
      get filamentMap() {
        if (hasMaterialBox(fields.boxsInfo)) return 'needed'
        return slotsOf(fields.boxsInfo).length > 0 ? 'optional' : 'none'
      },
      // The K2 family shows its camera by WebRTC alone.
      get camera() {
        return !isK2()
      },
    },
    start: feed.start,
    stop: feed.stop,
    onState: feed.onState,
    adopt: feed.adopt,
    async upload(file, signal) {
      requireSocket()
      const name = wireName(file.file_name)
      const content = {
        field: 'file',
        fileName: name,
        path: file.path,
        sizeBytes: file.size_bytes,
        onSent: file.onSent,
      }
      const body = formBody({ path: '' }, content)
      const timeoutMs = Math.max(UPLOAD_LEAST_MS, (file.size_bytes / UPLOAD_BYTES_PER_SECOND) * 1_000)
      try {
        const path = `upload/${encodeURIComponent(name)}`
        const answer = await http.ask({ method: 'POST', path, body, timeoutMs, signal })
        if (isFull(answer)) throw new ConnectionProblemError('storage_full')
        const { status } = answer
        if (status >= 500) throw new DriverError('UPLOAD_BROKEN', `the upload is answered with status ${status}`)
        if (status >= 300) throw new DriverError('REFUSED', `the upload is answered with status ${status}`)
      } catch (error) {
        // The partial file goes when it can; one that stays is replaced by the next try.
        await socket?.send(deletion(pathOf(name))).catch(() => undefined)
        throw error
      }
    },
    async startPrint(fileName, print, signal) {
      signal.throwIfAborted()
      const opened = requireSocket()
      // A spool may have been changed since the connection was made.
      await opened.send(askBoxes)
      await refresh(opened, signal).catch((error: unknown) => {
        // Nothing was asked of the printer yet.
        throw error instanceof DriverError ? new DriverError('UNREACHABLE', error.message, { cause: error }) : error
      })
      assertIdle()
      const placed = placesFor(print)
      const path = pathOf(fileName)
      remember(fileName)
      start.expect(fileName)
      if (!placed || isFromHolder(placed)) {
        await set({ opGcodeFile: `printprt:${path}`, ...(placed && { enableSelfTest: 0 }) }, signal)
        return { run_id: null }
      }
      const list = colorMatchOf(placed)
      await opened.send(JSON.stringify({ method: 'set', params: { colorMatch: { path, list } } }))
      await set({ multiColorPrint: { gcode: path, enableSelfTest: 0 } }, signal)
      return { run_id: null }
    },
    run: (command, signal) => send(command, signal),
    async removeFile(fileName, signal) {
      signal.throwIfAborted()
      await requireSocket().send(deletion(pathOf(fileName)))
    },
    async takeStill(signal) {
      requireSocket()
      return fetchStill(new URL('?action=stream', addressAtPort(base, connection.camera_port, CAMERA_PORT)), signal)
    },
  }

  /** Without a job a stop closes the message about the fault that is shown; whether it stays or not, a person has seen it. */
  async function stop(signal: AbortSignal): Promise<void> {
    const { status } = stateOf()
    if (status !== 'error') return set({ stop: 1 }, signal)
    await set({ cleanErr: 1 }, signal)
    memory = { ...memory, acknowledged: memory.fault }
    feed.show(stateOf())
  }

  async function send(command: DeviceCommand, signal: AbortSignal): Promise<void> {
    switch (command.kind) {
      case 'pause':
        return set({ pause: 1 }, signal)
      case 'resume':
        return set({ pause: 0 }, signal)
      case 'stop':
        return stop(signal)
      case 'heaters': {
        const { nozzle, bed, chamber } = command.args
        assertWithin('nozzle', nozzle, fields.maxNozzleTemp)
        assertWithin('bed', bed, fields.maxBedTemp)
        if (chamber !== undefined && !((numberIn(fields.maxBoxTemp) ?? 0) > 0)) {
          throw new DriverError('NOT_SUPPORTED', 'the printer cannot heat its chamber')
        }
        assertWithin('chamber', chamber, fields.maxBoxTemp)
        if (nozzle !== undefined) await set({ nozzleTempControl: nozzle }, signal)
        if (bed !== undefined) await set({ bedTempControl: { num: 0, val: bed } }, signal)
        if (chamber !== undefined) await set({ boxTempControl: chamber }, signal)
        return
      }
      case 'light':
        return set({ lightSw: command.args.on ? 1 : 0 }, signal)
      case 'load_filament':
      case 'unload_filament': {
        const name = command.kind === 'load_filament' ? 'load_gcode' : 'unload_gcode'
        const text = gcode(name)
        if (text === null) throw new DriverError('NOT_SUPPORTED', `no G-code is set for ${name}`)
        return set({ gcodeCmd: text }, signal)
      }
    }
  }
}

/** The printer stores blanks as underscores. */
function wireName(fileName: string): string {
  return fileName.replaceAll(' ', '_')
}

function deletion(path: string): string {
  return JSON.stringify({ method: 'set', params: { opGcodeFile: `deleteprt:${path}` } })
}

/** A target beyond its limit the printer ignores in silence. */
function assertWithin(heater: string, target: number | undefined, limit: unknown): void {
  const most = numberIn(limit)
  if (target === undefined || most === null || most <= 0 || target <= most) return
  throw new DriverError('REFUSED', `the ${heater} takes at most ${most} °C, not ${target}`)
}

/** What went before on this connection may have arrived although this question was not sent. */
function asUnanswered(error: unknown): DriverError {
  return new DriverError('NO_ANSWER', 'the connection broke before the printer reported', { cause: error })
}
