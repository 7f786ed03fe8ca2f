import { wait } from '../../util/clock.ts'
import { fetchStill } from '../camera/camera-http.ts'
import { ConnectionProblemError } from '../connection/connection-problem-error.ts'
import { CredentialsRefusedError } from '../connection/keep-connected.ts'
import { type DeviceCommand, DriverError, type DriverErrorCode, type FileToUpload } from '../driver.ts'
import { addressAtPort, createPrinterHttp, type PrinterHttp } from '../wire/printer-http.ts'
import { memberOf, numberIn, textIn } from '../wire/wire-values.ts'
import { slotMapFor, traysOf } from './cc2-canvas.ts'
import { openCc2Link } from './cc2-link.ts'
import {
  cc2State,
  emptyCc2Picture,
  faultToAcknowledge,
  lacksEnd,
  newestRecorded,
  withAttributes,
  withChange,
  withFullStatus,
} from './cc2-state.ts'
import { uploadToCc2, WRONG_TOKEN } from './cc2-upload.ts'
import { MQTT_PORT } from './elegoo-protocol.ts'
import { type ElegooSession, QUESTION_TIMEOUT_MS, type SessionOptions } from './elegoo-session.ts'

export const CC2_HTTP_PORT = 80
const CAMERA_PORT = 8080
/** What the printer takes when no one has set an access code. */
const DEFAULT_PASSWORD = '123456'
const TIDY_UP_MS = 5_000
/** Number of times that the record of jobs is asked in vain for the end of a run. */
const HISTORY_TRIES = 6
const HISTORY_PAUSE_MS = 1_000
/** A resume is answered when the print goes on, which heating delays by minutes. */
const RESUME_TIMEOUT_MS = 180_000

const method = {
  attributes: 1001,
  status: 1002,
  start: 1020,
  pause: 1021,
  stop: 1022,
  resume: 1023,
  temperatures: 1028,
  light: 1029,
  history: 1036,
  video: 1042,
  removeFile: 1047,
  canvas: 2005,
} as const

/** The access code of the settings, or what the printer takes when no one has set one. */
export function cc2Password(connection: Record<string, unknown>): string {
  return textIn(connection.access_code, 128) ?? DEFAULT_PASSWORD
}

/** Opens a connection to a Centauri Carbon 2: MQTT on the printer, uploads over HTTP. */
export async function openCc2Session(options: SessionOptions): Promise<ElegooSession> {
  const { base, port, connection, waitFactor, signal, memory } = options
  const password = cc2Password(connection)
  const http = createPrinterHttp(addressAtPort(base, connection.http_port, CC2_HTTP_PORT), { 'x-token': password })
  const serial = textIn(connection.serial, 64) ?? (await readCc2Serial(http, password, signal))
  if (/[/+#]/.test(serial)) throw new DriverError('REFUSED', 'the serial number of the printer cannot be right')
  let picture = { ...emptyCc2Picture, acknowledged: memory.acknowledgedFault }
  let isAskingForAll = false
  let historyTries = 0
  let isReadingHistory = false
  /** What is learned after the end of the connection is not shown: the printer is out of sight by then. */
  let isOver = false

  const link = await openCc2Link({
    host: base.hostname.replace(/^\[|\]$/g, ''),
    port: port ?? MQTT_PORT,
    serial,
    password,
    waitFactor,
    signal,
    onStatusChange(message) {
      const next = withChange(picture, message)
      if (lacksEnd(next.picture) && !lacksEnd(picture)) historyTries = 0
      picture = next.picture
      showPicture()
      // What was lost may be anything, so everything is asked for again.
      if (!next.isWhole) askForAll()
      // Only what changed is told, and a list of trays cannot be put together from that.
      if (memberOf(message, 'result', 'canvas_info') !== undefined) readCanvas(signal).catch(() => undefined)
    },
    onAttributes(result) {
      picture = withAttributes(picture, result)
    },
  })

  const closed = link.closed.then(() => {
    isOver = true
  })

  const ask = async (number: number, params: object, asked: AbortSignal, timeoutMs = QUESTION_TIMEOUT_MS) => {
    const result = await link.ask(number, params, asked, timeoutMs)
    accept(number, numberIn(memberOf(result, 'error_code')))
    return result
  }

  /** Called also before the connection is in our hands, when there is no status yet. */
  function showPicture() {
    if (picture.status === null || isOver) return
    memory.acknowledgedFault = picture.acknowledged
    options.show(cc2State(picture))
    void readHistory()
  }

  /** Nothing else tells how a run ended that ended unseen. Firmware without a record leaves that to people. */
  const readHistory = async () => {
    if (isReadingHistory || !lacksEnd(picture) || historyTries >= HISTORY_TRIES) return
    historyTries += 1
    isReadingHistory = true
    const answer = await ask(method.history, {}, signal).catch(() => undefined)
    // A pause, because the next report, which asks again, may follow at once.
    await wait(HISTORY_PAUSE_MS * waitFactor, signal).catch(() => undefined)
    isReadingHistory = false
    if (answer === undefined) return
    picture = { ...picture, recorded: newestRecorded(answer) }
    showPicture()
  }

  /** Firmware that does not know the question has no Canvas. */
  const readCanvas = async (asked: AbortSignal) => {
    const answer = await ask(method.canvas, {}, asked).catch((error: unknown) => {
      if (error instanceof DriverError && error.code === 'REFUSED') return undefined
      throw error
    })
    picture = { ...picture, trays: traysOf(memberOf(answer, 'canvas_info')) }
    showPicture()
  }

  /** Without a job a stop acknowledges the faults that are shown: the machine may have nothing to stop, and say so. */
  const stop = async (asked: AbortSignal) => {
    const acknowledged = faultToAcknowledge(picture)
    await ask(method.stop, {}, asked).catch((error: unknown) => {
      if (acknowledged === null || !(error instanceof DriverError) || error.code === 'NO_ANSWER') throw error
    })
    if (acknowledged === null) return
    picture = { ...picture, acknowledged }
    showPicture()
  }

  const askForAll = () => {
    if (isAskingForAll) return
    isAskingForAll = true
    ask(method.status, {}, signal)
      .then(
        (result) => {
          picture = withFullStatus(picture, result)
          showPicture()
        },
        // Without the full status every change is meaningless: start over.
        () => link.close(),
      )
      .finally(() => {
        isAskingForAll = false
      })
  }

  ask(method.attributes, {}, signal).then(
    (result) => {
      picture = withAttributes(picture, result)
    },
    () => link.close(),
  )
  askForAll()
  // The start asks once more, and says why it cannot be had.
  readCanvas(signal).catch(() => undefined)

  const removeFile = (fileName: string, asked: AbortSignal) =>
    ask(method.removeFile, { storage_media: 'local', file_path: [fileName] }, asked)

  const upload = async (file: FileToUpload, asked: AbortSignal) => {
    try {
      await uploadToCc2(http.base, password, file, asked)
    } catch (error) {
      // The partial file goes when it can; one that stays is replaced by the next try.
      await removeFile(file.file_name, AbortSignal.timeout(TIDY_UP_MS)).catch(() => undefined)
      throw error
    }
  }

  return {
    closed,
    close: link.close,
    // Its record names files and no jobs: another print of the same file would go unnoticed.
    remembersLastRun: false,
    get filamentMap() {
      return picture.trays.length > 0 ? 'needed' : 'none'
    },
    upload,
    async removeFile(fileName, asked) {
      await removeFile(fileName, asked).catch((error: unknown) => {
        // Not there is as good as gone.
        if (!(error instanceof DriverError && error.code === 'REFUSED')) throw error
      })
    },
    async takeStill(asked) {
      await ask(method.video, { enable: 1 }, asked)
      return fetchStill(new URL('?action=stream', addressAtPort(base, connection.camera_port, CAMERA_PORT)), asked)
    },
    async startPrint(fileName, print, asked) {
      // A spool may have been changed since.
      await readCanvas(asked).catch((error: unknown) => {
        // Nothing was asked of the printer yet.
        throw error instanceof DriverError ? new DriverError('UNREACHABLE', error.message, { cause: error }) : error
      })
      const slot_map = slotMapFor(print, picture.trays)
      // All of it each time: what is left out stays as the last job had it, and an incomplete slot map prints from tray 0.
      const config = { delay_video: false, printer_check: true, print_layout: 'A', bedlevel_force: false, slot_map }
      await ask(method.start, { storage_media: 'local', filename: fileName, config }, asked)
    },
    async run(command: DeviceCommand, asked) {
      switch (command.kind) {
        case 'pause':
          await ask(method.pause, {}, asked)
          return
        case 'stop':
          return stop(asked)
        case 'resume':
          await ask(method.resume, {}, asked, RESUME_TIMEOUT_MS)
          return
        case 'heaters': {
          const { nozzle, bed, chamber } = command.args
          if (chamber !== undefined) throw new DriverError('NOT_SUPPORTED', 'the printer cannot heat its chamber')
          const targets = {
            ...(nozzle !== undefined && { extruder: nozzle }),
            ...(bed !== undefined && { heater_bed: bed }),
          }
          await ask(method.temperatures, targets, asked)
          return
        }
        case 'light':
          await ask(method.light, { brightness: command.args.on ? 255 : 0 }, asked)
          return
        case 'load_filament':
        case 'unload_filament':
          throw new DriverError('NOT_SUPPORTED', 'filament is changed at the screen of this printer')
      }
    },
  }
}

/** The printer tells its own serial number to those who know the access code. */
export async function readCc2Serial(http: PrinterHttp, password: string, signal: AbortSignal): Promise<string> {
  const path = `system/info?X-Token=${encodeURIComponent(password)}`
  const { status, json } = await http.ask({ method: 'GET', path, timeoutMs: QUESTION_TIMEOUT_MS, signal })
  if (status === 401 || numberIn(memberOf(json, 'error_code')) === WRONG_TOKEN) {
    throw new CredentialsRefusedError('credentials refused')
  }
  const serial = textIn(memberOf(json, 'system_info', 'sn'), 64)
  if (serial === null) throw new DriverError('REFUSED', 'the printer does not tell its serial number; set it by hand')
  return serial
}

const errors: Record<number, readonly [DriverErrorCode, string]> = {
  109: ['WRONG_STATE', 'the filament ran out'],
  1009: ['BUSY', 'the printer is busy'],
  1010: ['WRONG_STATE', 'the printer is not printing'],
  1021: ['REFUSED', 'the printer does not find the file'],
  1026: ['REFUSED', 'the printer has not measured its bed: level it at its screen first'],
}

/** @throws DriverError unless the question was understood, which is no evidence of an effect. */
function accept(number: number, code: number | null): void {
  if (code === 0) return
  if (code === null) throw new DriverError('NO_ANSWER', `the answer to method ${number} says nothing`)
  if (code === WRONG_TOKEN) throw new ConnectionProblemError('credentials_wrong')
  const [kind, message] = errors[code] ?? ['REFUSED', `method ${number} is refused with error ${code}`]
  throw new DriverError(kind, message)
}
