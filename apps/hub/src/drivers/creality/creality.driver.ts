import type { PrinterSettings } from '@printyard/protocol/messages'
import { fetchStill } from '../camera/camera-http.ts'
import { createStateFeed, type StateFeed } from '../connection/state-feed.ts'
import {
  type Capabilities,
  type DeviceCommand,
  type DriverContext,
  DriverError,
  type FileToUpload,
  type PrinterDriver,
} from '../driver.ts'
import type { PrintToStart } from '../print/filament-map.ts'
import { addressAtPort, createPrinterHttp, type PrinterHttp, printerAddress } from '../wire/printer-http.ts'
import type { TextSocket } from '../wire/text-socket.ts'
import { memberOf, textIn } from '../wire/wire-values.ts'
import { CrealityCapabilities } from './creality-capabilities.ts'
import { askBoxes, deletion, setMessage, settingsFor } from './creality-commands.ts'
import { keepCrealityConnection } from './creality-connection.ts'
import { gcodeFolderOf } from './creality-models.ts'
import { CrealityReports } from './creality-reports.ts'
import { uploadToCreality } from './creality-upload.ts'
import { colorMatchOf, hasMaterialBox, isFromHolder } from './material-boxes.ts'
import { placesFor } from './start-places.ts'
import { storedName } from './stored-names.ts'
import { WholeReports } from './whole-reports.ts'

const DEFAULT_PORT = 9999
const DEFAULT_HTTP_PORT = 80
const CAMERA_PORT = 8080

/**
 * Drives a printer of Creality's K series with its own firmware: one WebSocket for everything but uploads. It answers no
 * command, so the driver looks at its picture before it asks, and asks for a new one after it.
 */
export function createCrealityDriver(settings: PrinterSettings, context: DriverContext): PrinterDriver {
  return new CrealityDriver(settings, context)
}

class CrealityDriver implements PrinterDriver {
  readonly #connection: PrinterSettings['connection']
  readonly #context: DriverContext
  readonly #base: URL
  readonly #http: PrinterHttp
  readonly #feed: StateFeed
  readonly #reports: CrealityReports
  readonly #wholeReports = new WholeReports()
  readonly capabilities: Capabilities
  /** Set once the printer has said what it is doing. */
  #socket: TextSocket | undefined

  constructor(settings: PrinterSettings, context: DriverContext) {
    const { connection } = settings
    this.#connection = connection
    this.#context = context
    this.#base = printerAddress(connection, DEFAULT_PORT)
    this.#http = createPrinterHttp(addressAtPort(this.#base, connection.http_port, DEFAULT_HTTP_PORT), {})
    this.#feed = createStateFeed({ settings, context, connect: (signal, isUp) => this.#connect(signal, isUp) })
    this.#reports = new CrealityReports(context.waitFactor)
    this.capabilities = new CrealityCapabilities(connection, this.#reports, context.waitFactor)
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
    try {
      await uploadToCreality(this.#http, file, storedName(file.file_name), signal)
    } catch (error) {
      // The partial file goes when it can; one that stays is replaced by the next try.
      await this.#socket?.send(deletion(this.#pathOf(file.file_name))).catch(() => undefined)
      throw error
    }
  }

  async startPrint(fileName: string, print: PrintToStart, signal: AbortSignal): Promise<{ run_id: string | null }> {
    signal.throwIfAborted()
    const socket = this.#requireSocket()
    await this.#readBoxes(socket, signal)
    this.#assertIdle()
    const placed = placesFor(print, this.#reports.fields, this.#connection.slot)
    const path = this.#pathOf(fileName)
    this.#reports.expectRun(fileName)
    if (!placed || isFromHolder(placed)) {
      await this.#set({ opGcodeFile: `printprt:${path}`, ...(placed && { enableSelfTest: 0 }) }, signal)
      return { run_id: null }
    }
    await socket.send(setMessage({ colorMatch: { path, list: colorMatchOf(placed) } }))
    await this.#set({ multiColorPrint: { gcode: path, enableSelfTest: 0 } }, signal)
    return { run_id: null }
  }

  async run(command: DeviceCommand, signal: AbortSignal): Promise<void> {
    if (command.kind === 'stop') return this.#stopPrint(signal)
    for (const params of settingsFor(command, this.#reports.fields, this.#connection)) await this.#set(params, signal)
  }

  async removeFile(fileName: string, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    await this.#requireSocket().send(deletion(this.#pathOf(fileName)))
  }

  async takeStill(signal: AbortSignal): Promise<Buffer> {
    this.#requireSocket()
    const camera = addressAtPort(this.#base, this.#connection.camera_port, CAMERA_PORT)
    return fetchStill(new URL('?action=stream', camera), signal)
  }

  async #connect(signal: AbortSignal, isUp: () => void): Promise<void> {
    this.#reports.clear()
    try {
      await keepCrealityConnection({
        base: this.#base,
        waitFactor: this.#context.waitFactor,
        hasMaterialBox: () => hasMaterialBox(this.#reports.fields.boxsInfo),
        onFrame: (frame, socket) => this.#look(frame, socket, isUp),
        signal,
      })
    } finally {
      this.#socket = undefined
      this.#wholeReports.recordEnd()
    }
  }

  #look(frame: unknown, socket: TextSocket, isUp: () => void): void {
    this.#reports.merge(frame)
    if (!this.#reports.hasState) return
    if (!this.#socket) {
      this.#socket = socket
      isUp()
    }
    if (memberOf(frame, 'model') !== undefined) this.#wholeReports.recordReport()
    this.#feed.show(this.#reports.state)
  }

  #requireSocket(): TextSocket {
    if (!this.#socket) throw new DriverError('UNREACHABLE', 'the printer does not answer')
    return this.#socket
  }

  async #set(params: Record<string, unknown>, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    const socket = this.#requireSocket()
    await socket.send(setMessage(params))
    await this.#wholeReports.ask(socket, signal)
  }

  /** A spool may have been changed since the connection was made. */
  async #readBoxes(socket: TextSocket, signal: AbortSignal): Promise<void> {
    await socket.send(askBoxes)
    await this.#wholeReports.ask(socket, signal).catch((error: unknown) => {
      // Nothing was asked of the printer yet.
      throw error instanceof DriverError ? new DriverError('UNREACHABLE', error.message, { cause: error }) : error
    })
  }

  /** A start is ignored in silence when it does not fit, so what would not fit is refused here. */
  #assertIdle(): void {
    const { status, status_reason, run } = this.#reports.state
    if (run) throw new DriverError('BUSY', `the printer runs ${run.file_name}`)
    if (status !== 'idle') throw new DriverError('WRONG_STATE', status_reason ?? `the printer is ${status}`)
  }

  /** Without a job a stop closes the message about the fault that is shown; whether it stays or not, a person has seen it. */
  async #stopPrint(signal: AbortSignal): Promise<void> {
    if (this.#reports.state.status !== 'error') return this.#set({ stop: 1 }, signal)
    await this.#set({ cleanErr: 1 }, signal)
    this.#reports.acknowledgeFault()
    this.#feed.show(this.#reports.state)
  }

  #pathOf(fileName: string): string {
    return `${textIn(this.#connection.gcode_folder) ?? gcodeFolderOf(this.#reports.fields)}/${storedName(fileName)}`
  }
}
