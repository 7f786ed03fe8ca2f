import { randomUUID } from 'node:crypto'
import { wait } from '../../util/clock.ts'
import { cameraAddress, fetchStill } from '../camera/camera-http.ts'
import { StillError } from '../camera/still-error.ts'
import { ConnectionProblemError } from '../connection/connection-problem-error.ts'
import { type DeviceCommand, DriverError, type DriverErrorCode, type FileToUpload } from '../driver.ts'
import { refuseFilamentMap } from '../print/filament-map.ts'
import { formBody } from '../wire/file-body.ts'
import { addressAtPort, createPrinterHttp } from '../wire/printer-http.ts'
import { openTextSocket, parseFrame } from '../wire/text-socket.ts'
import { memberOf, numberIn, textIn } from '../wire/wire-values.ts'
import { SDCP_PORT } from './elegoo-protocol.ts'
import {
  type ElegooSession,
  md5Of,
  PIECE_BYTES,
  PIECE_TIMEOUT_MS,
  QUESTION_TIMEOUT_MS,
  type SessionOptions,
} from './elegoo-session.ts'
import { createPendingAnswers } from './pending-answers.ts'
import { namesToAskFor, newestTask, type SdcpHistory } from './sdcp-history.ts'
import { emptySdcpPicture, faultToAcknowledge, lacksEnd, mergeSdcpMessage, sdcpState } from './sdcp-state.ts'

const PING_INTERVAL_MS = 5_000
const SILENCE_MS = 30_000
/** Changes are pushed; this is for those that firmware forgets to push. */
const STATUS_INTERVAL_MS = 5_000
const TIDY_UP_MS = 5_000
const CAMERA_PORT = 3031
/** Number of times that the record of jobs is asked for in vain, before it counts as unavailable or as without the end of a run. */
const HISTORY_TRIES = 6
const HISTORY_PAUSE_MS = 1_000

const cmd = {
  status: 0,
  attributes: 1,
  start: 128,
  pause: 129,
  stop: 130,
  resume: 131,
  abortTransfer: 255,
  removeFiles: 259,
  historyNames: 320,
  historyDetails: 321,
  video: 386,
  setValues: 403,
} as const

/** Opens a connection to a Centauri Carbon: SDCP V3 over a WebSocket, uploads over HTTP on the same port. */
export async function openSdcpSession(options: SessionOptions): Promise<ElegooSession> {
  const { base, port, connection, waitFactor, signal, memory } = options
  const http = createPrinterHttp(addressAtPort(base, port, SDCP_PORT), {})
  const pending = createPendingAnswers<string>()
  // A printer that is asked without its ID names it in its answer.
  let mainboardId = textIn(connection.mainboard_id, 128) ?? ''
  let picture = { ...emptySdcpPicture, acknowledged: memory.acknowledgedFault }
  let historyTries = 0
  let isReadingHistory = false
  /** What is learned after the end of the connection is not shown: the printer is out of sight by then. */
  let isOver = false
  // The printer may speak before the connection is in our hands.
  let onPicture: () => void = () => undefined

  const address = new URL('websocket', http.base)
  address.protocol = 'ws:'
  const socket = await openTextSocket({
    address,
    question: { text: 'ping', everyMs: PING_INTERVAL_MS * waitFactor },
    silenceMs: SILENCE_MS * waitFactor,
    signal,
    onText(text) {
      const message = parseFrame(text)
      mainboardId =
        textIn(memberOf(message, 'MainboardID') ?? memberOf(message, 'Data', 'MainboardID'), 128) ?? mainboardId
      const requestId = textIn(memberOf(message, 'Data', 'RequestID'))
      if (requestId !== null) pending.give(requestId, memberOf(message, 'Data', 'Data'))
      const next = mergeSdcpMessage(picture, message)
      if (next === picture) return
      if (lacksEnd(next) && !lacksEnd(picture)) historyTries = 0
      picture = next
      onPicture()
    },
  })

  const showPicture = () => {
    if (picture.status.CurrentStatus === undefined || isOver) return
    memory.acknowledgedFault = picture.acknowledged
    options.show(sdcpState(picture))
    void readHistory()
  }

  const envelope = (command: number, data: object, requestId: string) =>
    JSON.stringify({
      Id: 'printyard',
      Topic: `sdcp/request/${mainboardId}`,
      Data: {
        Cmd: command,
        RequestID: requestId,
        MainboardID: mainboardId,
        TimeStamp: Math.floor(Date.now() / 1_000),
        From: 1,
        Data: data,
      },
    })

  const ask = async (command: number, data: object, asked: AbortSignal) => {
    const requestId = randomUUID().replaceAll('-', '')
    const answer = await pending.ask(requestId, {
      awaited: `command ${command}`,
      timeoutMs: QUESTION_TIMEOUT_MS,
      signal: asked,
      send: () => socket.send(envelope(command, data, requestId)),
    })
    return answer
  }

  const tell = async (command: number, data: object, asked: AbortSignal) => {
    accept(command, numberIn(memberOf(await ask(command, data, asked), 'Ack')))
  }

  const look = (command: number) => {
    socket.send(envelope(command, {}, randomUUID().replaceAll('-', ''))).catch(() => socket.close())
  }

  /** Reads the record once for a connection, and again when a run has ended whose end nothing else tells. */
  const readHistory = async () => {
    const isWanted = picture.history.kind === 'unread' || (picture.history.kind === 'read' && lacksEnd(picture))
    if (!isWanted || isReadingHistory || historyTries >= HISTORY_TRIES) return
    historyTries += 1
    isReadingHistory = true
    const history = await askForHistory().catch((): SdcpHistory => {
      // Firmware that answers nothing keeps no printer from its work: the hub asks people instead.
      return historyTries >= HISTORY_TRIES ? { kind: 'unavailable' } : picture.history
    })
    // A pause, because the next report, which asks again, may follow at once.
    await wait(HISTORY_PAUSE_MS * waitFactor, signal).catch(() => undefined)
    isReadingHistory = false
    if (history === picture.history) return
    picture = { ...picture, history }
    showPicture()
  }

  const askForHistory = async (): Promise<SdcpHistory> => {
    const answer = await ask(cmd.historyNames, {}, signal)
    if (numberIn(memberOf(answer, 'Ack')) !== 0 && memberOf(answer, 'HistoryData') === undefined) {
      return { kind: 'unavailable' }
    }
    const names = namesToAskFor(answer)
    if (names.length === 0) return { kind: 'read', newest: null }
    return { kind: 'read', newest: newestTask(await ask(cmd.historyDetails, { Id: names }, signal)) }
  }

  onPicture = showPicture
  showPicture()
  const looking = setInterval(() => look(cmd.status), STATUS_INTERVAL_MS * waitFactor)
  const closed = socket.closed.then(() => {
    isOver = true
    clearInterval(looking)
    pending.lose()
  })
  look(cmd.attributes)
  look(cmd.status)

  const removeFile = (fileName: string, asked: AbortSignal) =>
    tell(cmd.removeFiles, { FileList: [pathOf(fileName)], FolderList: [] }, asked)

  const upload = async ({ path, size_bytes, file_name, onSent }: FileToUpload, asked: AbortSignal) => {
    const md5 = await md5Of(path, asked)
    const uuid = randomUUID().replaceAll('-', '')
    for (let offset = 0; offset < size_bytes; offset += PIECE_BYTES) {
      const fields = {
        'S-File-MD5': md5,
        Check: '1',
        Offset: String(offset),
        Uuid: uuid,
        TotalSize: String(size_bytes),
      }
      const sizeBytes = Math.min(PIECE_BYTES, size_bytes - offset)
      const body = formBody(fields, { field: 'File', fileName: file_name, path, startByte: offset, sizeBytes })
      const question = { method: 'POST', path: 'uploadFile/upload', body, timeoutMs: PIECE_TIMEOUT_MS } as const
      const { status, json } = await http.ask({ ...question, signal: asked }).catch(async (error: unknown) => {
        await abandon(uuid, file_name)
        throw error
      })
      if (textIn(memberOf(json, 'code')) === '000000') {
        onSent?.(Math.min(size_bytes, offset + PIECE_BYTES))
        continue
      }
      await abandon(uuid, file_name)
      const code = numberIn(memberOf(json, 'messages', 0, 'message'))
      if (code === CANNOT_STORE) throw new ConnectionProblemError('storage_faulty')
      throw new DriverError('UPLOAD_BROKEN', uploadComplaints[code ?? 0] ?? `the upload is answered with ${status}`)
    }
  }

  /** The partial file goes when it can; one that stays is replaced by the next try. */
  const abandon = async (uuid: string, fileName: string) => {
    const asked = AbortSignal.timeout(TIDY_UP_MS)
    await tell(cmd.abortTransfer, { Uuid: uuid, FileName: fileName }, asked).catch(() => undefined)
    await removeFile(fileName, asked).catch(() => undefined)
  }

  /** Without a job a stop acknowledges the fault that is shown: the machine may have nothing to stop, and say so. */
  const stop = async (asked: AbortSignal) => {
    const acknowledged = faultToAcknowledge(picture)
    await tell(cmd.stop, {}, asked).catch((error: unknown) => {
      const isRefused = error instanceof DriverError && (error.code === 'BUSY' || error.code === 'REFUSED')
      if (acknowledged === null || !isRefused) throw error
    })
    if (acknowledged === null) return
    picture = { ...picture, acknowledged }
    showPicture()
  }

  const setValues = (values: object, asked: AbortSignal) => tell(cmd.setValues, values, asked)

  return {
    closed,
    close: socket.close,
    get remembersLastRun() {
      return picture.history.kind === 'read'
    },
    upload,
    removeFile: (fileName, asked) =>
      removeFile(fileName, asked).catch((error: unknown) => {
        // Not there is as good as gone.
        if (!(error instanceof DriverError && error.code === 'REFUSED')) throw error
      }),
    async takeStill(asked) {
      // Without this the camera stays off; the answer says where it is, with or without a scheme.
      const answer = await ask(cmd.video, { Enable: 1 }, asked)
      refuseVideo(numberIn(memberOf(answer, 'Ack')))
      const fallback = new URL('video', addressAtPort(base, connection.camera_port, CAMERA_PORT))
      const named = textIn(memberOf(answer, 'VideoUrl'), 2_000)
      const address = named === null ? fallback.href : /^\w+:\/\//.test(named) ? named : `http://${named}`
      return fetchStill(cameraAddress(address, base), asked)
    },
    // A Canvas at this model is not known well enough to name its trays.
    filamentMap: 'none',
    async startPrint(fileName, command, asked) {
      refuseFilamentMap(command)
      const print = { Filename: pathOf(fileName), StartLayer: 0, Calibration_switch: 1, PrintPlatformType: 0 }
      await tell(cmd.start, { ...print, Tlp_Switch: 0, slot_map: [] }, asked)
    },
    async run(command: DeviceCommand, asked) {
      switch (command.kind) {
        case 'pause':
        case 'resume':
          return tell(cmd[command.kind], {}, asked)
        case 'stop':
          return stop(asked)
        case 'heaters': {
          const { nozzle, bed, chamber } = command.args
          return setValues(
            {
              ...(nozzle !== undefined && { TempTargetNozzle: nozzle }),
              ...(bed !== undefined && { TempTargetHotbed: bed }),
              ...(chamber !== undefined && { TempTargetBox: chamber }),
            },
            asked,
          )
        }
        case 'light':
          return setValues({ LightStatus: { SecondLight: command.args.on, RgbLight: [0, 0, 0] } }, asked)
        case 'load_filament':
        case 'unload_filament':
          throw new DriverError('NOT_SUPPORTED', 'filament is changed at the screen of this printer')
      }
    },
  }
}

/** The answer to the wish for video has numbers of its own. */
function refuseVideo(ack: number | null): void {
  if (ack === 1) throw new StillError('CAMERA_OFF', 'the camera is watched by as many as it bears')
  if (ack === 2) throw new StillError('NOT_SUPPORTED', 'the printer has no camera')
  if (ack !== 0) throw new StillError('CAMERA_OFF', `the camera does not start (${ack ?? 'no answer'})`)
}

/** Files in the printer's own memory. */
function pathOf(fileName: string): string {
  return `/local/${fileName}`
}

const BUSY_ACK = 1

/** What the other numbers mean of a file; of other commands they say only that the answer is no. */
const fileAcks: Record<number, readonly [DriverErrorCode, string]> = {
  2: ['REFUSED', 'the printer does not find the file'],
  3: ['REFUSED', 'the file is damaged: its MD5 differs'],
  4: ['REFUSED', 'the printer cannot read the file'],
  5: ['REFUSED', 'the file does not fit the printer'],
  6: ['REFUSED', 'the printer does not know the format of the file'],
  7: ['REFUSED', 'the file is for another model'],
}

const isOfFile = (command: number) => command === cmd.start || command === cmd.removeFiles

/** The printer cannot open or write the file; it does not say whether its storage is full or faulty. */
const CANNOT_STORE = -3
const uploadComplaints: Record<number, string> = {
  [-1]: 'the printer misses a piece of the file',
  [-2]: 'the file arrived damaged: its MD5 differs',
  [-4]: 'the printer did not take the file, for an unknown reason',
}

/** @throws DriverError unless the command was understood, which is no evidence of an effect. */
function accept(command: number, ack: number | null): void {
  if (ack === 0) return
  if (ack === null) throw new DriverError('NO_ANSWER', `the answer to command ${command} says nothing`)
  if (ack === BUSY_ACK) throw new DriverError('BUSY', 'the printer is busy')
  const [code, message] = (isOfFile(command) && fileAcks[ack]) || [
    'REFUSED',
    `the printer says no, with answer ${ack} to command ${command}`,
  ]
  throw new DriverError(code, message)
}
