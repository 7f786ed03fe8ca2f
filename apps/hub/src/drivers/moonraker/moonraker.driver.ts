import type { PrinterSettings } from '@printyard/protocol/messages'
import { cameraAddress, fetchStill } from '../camera/camera-http.ts'
import { ConnectionProblemError } from '../connection/connection-problem-error.ts'
import { createStateFeed, type StateFeed } from '../connection/state-feed.ts'
import {
  type Capabilities,
  type DeviceCommand,
  type DriverContext,
  DriverError,
  type DriverErrorCode,
  type FileToUpload,
  type PendingEffect,
  type PrinterDriver,
} from '../driver.ts'
import type { PrintToStart } from '../print/filament-map.ts'
import { addressAtPort, createPrinterHttp, type PrinterHttp, printerAddress } from '../wire/printer-http.ts'
import { memberOf, textIn } from '../wire/wire-values.ts'
import { type JsonRpcSocket, RpcError } from './json-rpc-socket.ts'
import { KlipperScripts } from './klipper-scripts.ts'
import { gateMapScript, requireGateMap } from './mmu-gates.ts'
import { MoonrakerCapabilities } from './moonraker-capabilities.ts'
import { requestFor } from './moonraker-commands.ts'
import { MoonrakerConnection, QUESTION_TIMEOUT_MS } from './moonraker-connection.ts'
import { emptyPicture, loadedRun, type MoonrakerPicture } from './moonraker-picture.ts'
import { moonrakerState } from './moonraker-state.ts'
import { uploadToMoonraker } from './moonraker-upload.ts'
import { snapshotAddress } from './moonraker-webcam.ts'
import { createWaitingCommands } from './waiting-commands.ts'

const DEFAULT_PORT = 7125
/** Port at which the web front end serves what webcams are named relative to. */
const FRONT_END_PORT = 80
/** Macros that load filament heat and feed first. */
const MACRO_TIMEOUT_MS = 60_000
/** Pause and cancel are answered when the G-code that runs ends; a large chamber takes long to heat. */
const QUEUED_TIMEOUT_MS = 60 * 60_000

/** Drives a Klipper printer through Moonraker: one WebSocket for everything but uploads. */
export function createMoonrakerDriver(settings: PrinterSettings, context: DriverContext): PrinterDriver {
  return new MoonrakerDriver(settings, context)
}

class MoonrakerDriver implements PrinterDriver {
  readonly #settings: PrinterSettings
  readonly #context: DriverContext
  readonly #apiKey: string | null
  readonly #headers: Record<string, string>
  readonly #http: PrinterHttp
  readonly #feed: StateFeed
  readonly #scripts: KlipperScripts
  readonly #waiting
  readonly capabilities: Capabilities
  /** The present connection, else the last one. */
  #connection: MoonrakerConnection | undefined
  /** Moonraker can be set up without one. */
  #keepsHistory = true

  constructor(settings: PrinterSettings, context: DriverContext) {
    this.#settings = settings
    this.#context = context
    this.#apiKey = textIn(settings.connection.api_key)
    this.#headers = this.#apiKey === null ? {} : { 'x-api-key': this.#apiKey }
    this.#http = createPrinterHttp(printerAddress(settings.connection, DEFAULT_PORT), this.#headers)
    this.#feed = createStateFeed({ settings, context, connect: (signal, isUp) => this.#connect(signal, isUp) })
    this.#scripts = new KlipperScripts((script, signal, timeoutMs) =>
      this.#call('printer.gcode.script', { script }, signal, timeoutMs),
    )
    this.#waiting = createWaitingCommands({
      waitFactor: context.waitFactor,
      getPicture: () => this.#picture,
      onChange: () => this.#show(),
      log: context.log,
    })
    this.capabilities = new MoonrakerCapabilities({
      waitFactor: context.waitFactor,
      getObjectNames: () => this.#objectNames,
      getPicture: () => this.#picture,
      keepsHistory: () => this.#keepsHistory,
    })
  }

  start(signal: AbortSignal): Promise<void> {
    return this.#feed.start(signal)
  }

  stop(): Promise<void> {
    return this.#feed.stop()
  }

  onState(listener: Parameters<PrinterDriver['onState']>[0]): () => void {
    return this.#feed.onState(listener)
  }

  adopt(changed: PrinterSettings): boolean {
    return this.#feed.adopt(changed)
  }

  async upload(file: FileToUpload, signal: AbortSignal): Promise<void> {
    this.#requireSocket()
    await uploadToMoonraker(this.#http, file, signal)
  }

  async startPrint(fileName: string, print: PrintToStart, signal: AbortSignal): Promise<{ run_id: string | null }> {
    if (print.filament_map) await this.#mapGates(print, signal)
    await this.#call('printer.print.start', { filename: fileName }, signal)
    return { run_id: null }
  }

  async run(command: DeviceCommand, signal: AbortSignal): Promise<PendingEffect | undefined> {
    if (command.kind === 'load_filament' || command.kind === 'unload_filament') {
      await this.#carryOut(command, signal, MACRO_TIMEOUT_MS)
      return undefined
    }
    const work = () => this.#carryOut(command, this.#connection?.signal ?? signal, QUEUED_TIMEOUT_MS)
    return this.#waiting.send(command.kind, work, signal)
  }

  async removeFile(fileName: string, signal: AbortSignal): Promise<void> {
    await this.#call('server.files.delete_file', { path: `gcodes/${fileName}` }, signal).catch((error: unknown) => {
      if (!(error instanceof DriverError && error.code === 'REFUSED')) throw error
    })
  }

  async takeStill(signal: AbortSignal): Promise<Buffer> {
    const address = snapshotAddress(await this.#call('server.webcams.list', {}, signal))
    const frontEnd = addressAtPort(this.#http.base, this.#settings.connection.camera_port, FRONT_END_PORT)
    return fetchStill(cameraAddress(address, frontEnd), signal)
  }

  get #picture(): MoonrakerPicture {
    return this.#connection?.picture ?? emptyPicture()
  }

  get #objectNames(): ReadonlySet<string> {
    return this.#connection?.objectNames ?? new Set()
  }

  #connect(signal: AbortSignal, isUp: () => void): Promise<void> {
    this.#connection = new MoonrakerConnection({
      printerId: this.#settings.printer_id,
      http: this.#http,
      headers: this.#headers,
      apiKey: this.#apiKey,
      waitFactor: this.#context.waitFactor,
      onChange: () => this.#show(),
      onLine: (line) => this.#scripts.recordLine(line),
      signal,
    })
    return this.#connection.keep(isUp)
  }

  #show(): void {
    const picture = this.#picture
    // What is not read yet says nothing about whether there is one.
    if (picture.history !== undefined) this.#keepsHistory = picture.history !== null
    this.#waiting.look(moonrakerState(picture))
    this.#feed.show(moonrakerState({ ...picture, commandNote: this.#waiting.noteOf(picture) }))
  }

  #requireSocket(): JsonRpcSocket {
    const socket = this.#connection?.socket
    if (!socket) throw new DriverError('UNREACHABLE', 'Moonraker does not answer')
    return socket
  }

  async #call(
    method: string,
    params: Record<string, unknown>,
    signal: AbortSignal,
    timeoutMs = QUESTION_TIMEOUT_MS,
  ): Promise<unknown> {
    try {
      return await this.#requireSocket().call(method, params, timeoutMs, signal)
    } catch (error) {
      throw error instanceof RpcError ? asDriverError(error) : error
    }
  }

  async #carryOut(command: DeviceCommand, signal: AbortSignal, timeoutMs: number): Promise<void> {
    // Klipper that is ready has nothing left of an error but its words, which a cancel would leave there.
    const isOver = command.kind === 'stop' && loadedRun(this.#picture)?.state === 'error'
    const request = isOver ? { scripts: ['SDCARD_RESET_FILE'] } : requestFor(command, this.#objectNames)
    if ('method' in request) await this.#call(request.method, {}, signal, timeoutMs)
    else for (const script of request.scripts) await this.#scripts.run(script, signal, timeoutMs)
  }

  /** Sends the map of a changer and reads it back: nothing else would show that it was not taken. */
  async #mapGates(print: PrintToStart, signal: AbortSignal): Promise<void> {
    const script = gateMapScript(print, this.#picture.objects.mmu)
    await this.#scripts.run(script, signal, QUESTION_TIMEOUT_MS)
    const answer = await this.#call('printer.objects.query', { objects: { mmu: ['ttg_map'] } }, signal)
    requireGateMap(print, memberOf(answer, 'status', 'mmu', 'ttg_map'))
  }
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
