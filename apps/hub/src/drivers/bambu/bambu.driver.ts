import type { CommandKind } from '@printyard/protocol/command-kinds'
import type { PrinterSettings } from '@printyard/protocol/messages'
import { ConnectionProblemError } from '../connection/connection-problem-error.ts'
import { CredentialsRefusedError } from '../connection/keep-connected.ts'
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
import { printerAddress } from '../wire/printer-http.ts'
import { memberOf, numberIn, textIn } from '../wire/wire-values.ts'
import { takeBambuStill } from './bambu-camera.ts'
import { type BambuRequest, requestsFor } from './bambu-commands.ts'
import { keepBambuConnection } from './bambu-connection.ts'
import { developerModeRemedy } from './bambu-faults.ts'
import { createBambuFtps } from './bambu-ftps.ts'
import { traitsOf } from './bambu-models.ts'
import type { BambuMqtt } from './bambu-mqtt.ts'
import { refusalOf } from './bambu-refusal.ts'
import { type BambuPicture, emptyPicture, isRunning, jobOf, markCancelled, mergeMessage } from './bambu-report.ts'
import { BambuStarts } from './bambu-starts.ts'
import { bambuState, openFaults, refusesCommands, storageProblem } from './bambu-state.ts'
import { readTrust, sameCertificate } from './printer-trust.ts'

const MQTT_PORT = 8883
const FTPS_PORT = 990
const CAMERA_PORT = 6000
const ANSWER_TIMEOUT_MS = 10_000

const commands: ReadonlySet<CommandKind> = new Set([
  'print',
  'pause',
  'resume',
  'stop',
  'heaters',
  'light',
  'load_filament',
  'unload_filament',
])

/**
 * Drives a Bambu Lab printer in LAN mode with Developer mode: MQTT for everything but files, FTPS for files. It reads from
 * `connection`: `address`, `serial`, `access_code`; where they differ `port` (8883), `ftps_port` (990) and `camera_port` (6000); and for the
 * certificate one of `ca` (PEM), `pinned_fingerprint` (SHA-256) and `allow_any_certificate`. With none of these the
 * certificate of the first connection is kept, and another one refused.
 */
export function createBambuDriver(settings: PrinterSettings, context: DriverContext): PrinterDriver {
  return new BambuDriver(settings, context)
}

class BambuDriver implements PrinterDriver {
  readonly #settings: PrinterSettings
  readonly #context: DriverContext
  readonly #serial: string
  readonly #accessCode: string
  readonly #address: URL
  readonly #feed: StateFeed
  readonly #starts: BambuStarts
  readonly #ftps
  readonly capabilities: Capabilities
  #picture = emptyPicture()
  #link: BambuMqtt | undefined
  #certificate: string | undefined

  constructor(settings: PrinterSettings, context: DriverContext) {
    const { connection } = settings
    this.#settings = settings
    this.#context = context
    this.#serial = textIn(connection.serial, 64)?.toUpperCase() ?? ''
    this.#accessCode = textIn(connection.access_code) ?? ''
    this.#address = printerAddress(connection, MQTT_PORT)
    this.#feed = createStateFeed({ settings, context, connect: (signal, isUp) => this.#connect(signal, isUp) })
    this.#starts = new BambuStarts({
      waitFactor: context.waitFactor,
      getPicture: () => this.#picture,
      getTraits: () => this.#traits(),
      ask: (request, signal) => this.#ask(request, signal),
    })
    this.#ftps = createBambuFtps({
      host: this.#host,
      port: numberIn(connection.ftps_port) ?? FTPS_PORT,
      accessCode: this.#accessCode,
      tls: () => this.#trustedTls(),
      allowsClearData: () => this.#traits().needsClearData,
    })
    const hasJpegCamera = () => this.#traits().hasJpegCamera
    this.capabilities = {
      commands,
      // A project is shown under the number that it was started with, but plain G-code has none, a printer that was switched
      // off may forget, and "finished" is reported for a while after the next start was taken.
      keepsRunIdentity: false,
      // It shows its last job until the next one, but no model is known to show it still after a power cut.
      remembersLastRun: false,
      // It goes on to show the last job for tens of seconds after it took a start, longest with a large archive to unpack.
      refusalWatchMs: 60_000 * context.waitFactor,
      tellsLoadedFilament: true,
      filamentMap: 'needed',
      get camera() {
        return hasJpegCamera()
      },
    }
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
    return this.#feed.adopt(changed) && changed.model === this.#settings.model
  }

  async upload(file: FileToUpload, signal: AbortSignal): Promise<void> {
    this.#requireTaking()
    const problem = storageProblem(this.#picture)
    if (problem !== null) throw new DriverError('REFUSED', problem)
    await this.#ftps.upload(file, signal)
    this.#starts.recordUpload()
  }

  async startPrint(fileName: string, print: PrintToStart, signal: AbortSignal): Promise<{ run_id: string | null }> {
    this.#requireTaking()
    return { run_id: await this.#starts.start(fileName, print, signal) }
  }

  async run(command: DeviceCommand, signal: AbortSignal): Promise<void> {
    this.#requireTaking()
    const requests = requestsFor(command, this.#picture, this.#traits())
    const before = this.#picture.cancelled
    const acknowledged = command.kind === 'stop' ? openFaults(this.#picture) : []
    const stopped = command.kind === 'stop' && isRunning(this.#picture) ? jobOf(this.#picture) : null
    // Its end may be reported before the answer comes.
    if (stopped !== null) this.#picture = markCancelled(this.#picture)
    try {
      for (const request of requests) await this.#ask(request, signal)
    } catch (error) {
      const isRefused = error instanceof DriverError && error.code !== 'NO_ANSWER'
      if (isRefused && stopped !== null && jobOf(this.#picture) === stopped) {
        this.#picture = { ...this.#picture, cancelled: before }
      }
      // Whether the firmware has a dialogue to close or not, the person has seen what it shows.
      if (!isRefused || acknowledged.length === 0) throw error
    }
    // Faults of a printer without a job that it goes on showing keep it from nothing any more.
    if (acknowledged.length > 0) this.#change({ ...this.#picture, acknowledged })
  }

  async removeFile(fileName: string, signal: AbortSignal): Promise<void> {
    this.#requireLink()
    await this.#ftps.remove(fileName, signal)
  }

  async takeStill(signal: AbortSignal): Promise<Buffer> {
    this.#requireLink()
    const port = numberIn(this.#settings.connection.camera_port) ?? CAMERA_PORT
    return takeBambuStill({ host: this.#host, port, accessCode: this.#accessCode, tls: this.#trustedTls() }, signal)
  }

  get #host(): string {
    return this.#address.hostname.replace(/^\[|\]$/g, '')
  }

  #traits() {
    return traitsOf(this.#picture.productName, this.#serial, this.#settings.model)
  }

  #trust() {
    return readTrust(this.#settings.connection, this.#serial, this.#context.dataDir)
  }

  /** Every other connection must show the certificate that was believed at first. */
  #trustedTls() {
    if (this.#certificate === undefined) throw new DriverError('UNREACHABLE', 'the printer does not answer')
    return sameCertificate(this.#serial, this.#trust(), this.#certificate)
  }

  async #connect(signal: AbortSignal, isUp: () => void): Promise<void> {
    if (!/^[0-9A-Z]{6,32}$/.test(this.#serial)) throw new ConnectionProblemError('serial_missing')
    if (this.#accessCode === '') throw new CredentialsRefusedError('credentials refused: no access code is set')
    // What was true before says nothing about a new connection.
    this.#picture = emptyPicture(this.#picture)
    try {
      await keepBambuConnection({
        host: this.#host,
        port: Number(this.#address.port || MQTT_PORT),
        serial: this.#serial,
        accessCode: this.#accessCode,
        trust: this.#trust(),
        answerTimeoutMs: ANSWER_TIMEOUT_MS,
        waitFactor: this.#context.waitFactor,
        signal,
        onOpen: (link) => {
          this.#link = link
          this.#certificate = link.certificate
        },
        onMessage: (message) => {
          this.#look(message)
          if (this.#link !== undefined && this.#picture.gcodeState !== null) isUp()
        },
        wantsFullReport: () => this.#starts.wantsFullReport(),
      })
    } finally {
      this.#link = undefined
    }
  }

  #look(message: unknown): void {
    const next = mergeMessage(this.#picture, message)
    if (next !== this.#picture) this.#change(this.#starts.look(next, message))
  }

  #change(next: BambuPicture): void {
    this.#picture = next
    this.#feed.show(this.#starts.withoutStaleResult(bambuState(next, this.#traits())))
  }

  #requireLink(): BambuMqtt {
    if (!this.#link) throw new DriverError('UNREACHABLE', 'the printer does not answer')
    return this.#link
  }

  #requireTaking(): void {
    this.#requireLink()
    if (refusesCommands(this.#picture)) throw new DriverError('REFUSED', developerModeRemedy)
  }

  /** Asks once. An answer without a result proves nothing, neither way: what follows is seen in the reports. */
  async #ask({ group, command, fields }: BambuRequest, signal: AbortSignal): Promise<void> {
    const answer = await this.#requireLink().ask(group, command, fields, signal)
    const refusal = refusalOf(answer)
    if (refusal?.message === developerModeRemedy) this.#change({ ...this.#picture, isSignatureNeeded: true })
    if (refusal) throw refusal
    if (textIn(memberOf(answer, 'result')) !== null && this.#picture.isSignatureNeeded) {
      this.#change({ ...this.#picture, isSignatureNeeded: false })
    }
  }
}
