import type { CommandKind } from '@printyard/protocol/command-kinds'
import type { PrinterSettings } from '@printyard/protocol/messages'
import { boundedSignal } from '../../util/bounded-signal.ts'
import { requireJpeg } from '../camera/camera-http.ts'
import { StillError } from '../camera/still-error.ts'
import { ConnectionProblemError } from '../connection/connection-problem-error.ts'
import { CredentialsRefusedError } from '../connection/keep-connected.ts'
import { createStateFeed } from '../connection/state-feed.ts'
import { type DeviceCommand, type DriverContext, DriverError, type PrinterDriver } from '../driver.ts'
import { refuseFilamentMap } from '../print/filament-map.ts'
import { createPrinterHttp, printerAddress } from '../wire/printer-http.ts'
import { textIn } from '../wire/wire-values.ts'
import { createPrusaLinkApi } from './prusalink-api.ts'
import { openPrusaLinkMemory } from './prusalink-memory.ts'
import { jobIdOf, prusaLinkState, writablePath } from './prusalink-state.ts'
import { createPrusaLinkWatch } from './prusalink-watch.ts'

const DEFAULT_PORT = 80
/** The user of printers whose firmware serves PrusaLink itself. */
const DEFAULT_USER = 'maker'
/** What is shown of a print is at most two seconds old, the hub's own second of gathering included. */
const BUSY_POLL_MS = 1_000
const IDLE_POLL_MS = 5_000
const POLL_TIMEOUT_MS = 10_000
/** However fast it is asked: what comes within this is an answer. */
const POLL_TIMEOUT_LEAST_MS = 1_000
/** A board that is busy with its card misses a poll now and then. */
const MISSED_POLLS = 3
/** While a file goes to a board that cannot be asked afterwards what it printed meanwhile. */
const POLL_BESIDE_UPLOAD_MS = 10_000
/** For removing what a broken upload left; a printer that does not even answer this keeps it. */
const CLEAN_UP_MS = 5_000

/** Drives a Prusa printer through PrusaLink, in its firmware or on a Raspberry Pi, by asking it every few seconds. */
export function createPrusaLinkDriver(settings: PrinterSettings, context: DriverContext): PrinterDriver {
  const { connection } = settings
  // A board has few connections, and a person with a browser wants one of them too.
  const http = createPrinterHttp(printerAddress(connection, DEFAULT_PORT), {}, { keepsOpen: false })
  const api = createPrusaLinkApi(http, {
    username: textIn(connection.username) ?? DEFAULT_USER,
    password: textIn(connection.password) ?? '',
    apiKey: textIn(connection.api_key),
  })
  const pollTimeoutMs = Math.max(POLL_TIMEOUT_LEAST_MS, POLL_TIMEOUT_MS * context.waitFactor)
  const commands = new Set<CommandKind>(['print', 'pause', 'resume', 'stop'])
  const commandsOnRaspberryPi = new Set<CommandKind>([...commands, 'heaters'])
  const watch = createPrusaLinkWatch({
    api,
    memory: openPrusaLinkMemory(context.dataDir, settings.printer_id, context.log),
    pollTimeoutMs,
    waitFactor: context.waitFactor,
    onPicture: (picture) => {
      // A command may follow from it at once.
      if (isReachable) feed.show(prusaLinkState(picture))
    },
    onUnseen: (knownJobId, seenJobId) =>
      context.log.warn('a printer printed what no one watched', {
        printer_id: settings.printer_id,
        after_job: knownJobId,
        before_job: seenJobId,
      }),
  })
  let isReachable = false
  let lookNow: () => void = () => undefined

  const connect = async (signal: AbortSignal, isUp: () => void) => {
    await watch.meet(signal)
    let missed = 0
    while (!signal.aborted) {
      try {
        await watch.look(signal)
        if (missed > 0 || !isReachable) isUp()
        if (!isReachable) {
          isReachable = true
          feed.show(prusaLinkState(watch.picture))
        }
        missed = 0
      } catch (error) {
        // Who stops in the middle of a poll has not missed it.
        signal.throwIfAborted()
        missed += 1
        if (error instanceof CredentialsRefusedError || missed >= MISSED_POLLS || !isReachable) throw error
      }
      const { status } = prusaLinkState(watch.picture)
      const pauseMs = watch.isUploading ? POLL_BESIDE_UPLOAD_MS : status === 'idle' ? IDLE_POLL_MS : BUSY_POLL_MS
      await pause(pauseMs * context.waitFactor, signal)
    }
  }

  const feed = createStateFeed({
    settings,
    context,
    async connect(signal, isUp) {
      try {
        await connect(signal, isUp)
      } finally {
        isReachable = false
      }
    },
  })

  /** Until the time is over, or until there is reason to look at once. */
  const pause = async (ms: number, signal: AbortSignal) => {
    signal.throwIfAborted()
    const pausing = boundedSignal(signal, ms)
    const looking = new Promise<void>((resolve) => {
      lookNow = resolve
      pausing.signal.addEventListener('abort', () => resolve(), { once: true })
      // One that has aborted already, because the driver was stopped during the poll, says so to no listener any more.
      if (pausing.signal.aborted) resolve()
    })
    await looking
    pausing.release()
  }

  const requireReachable = () => {
    if (!isReachable) throw new DriverError('UNREACHABLE', 'PrusaLink does not answer')
  }

  /** Answers where files go: the stick of a printer, the card of a Raspberry Pi. */
  const storagePath = async (signal: AbortSignal): Promise<string> => {
    const path = writablePath(await api.read('api/v1/status', signal))
    if (path === null) throw new ConnectionProblemError('storage_missing')
    return path.replaceAll('/', '')
  }

  const filePath = async (fileName: string, signal: AbortSignal) =>
    `api/v1/files/${encodeURIComponent(await storagePath(signal))}/${encodeURIComponent(fileName)}`

  /** The number changes with each start, so it is read right before it is used. */
  const currentJob = async (signal: AbortSignal): Promise<string> => {
    const id = jobIdOf(await api.read('api/v1/status', signal))
    if (id === null) throw new DriverError('WRONG_STATE', 'the printer runs no job')
    return id
  }

  return {
    capabilities: {
      get commands() {
        return watch.isOnRaspberryPi ? commandsOnRaspberryPi : commands
      },
      keepsRunIdentity: false,
      get remembersLastRun() {
        return watch.knowsNewest
      },
      // PrusaLink on a slow link answers 409 or 5xx after the job has started; the status is asked every few seconds.
      refusalWatchMs: 15_000 * context.waitFactor,
      tellsLoadedFilament: false,
      filamentMap: 'none',
      get camera() {
        return watch.isOnRaspberryPi
      },
    },
    start: feed.start,
    async stop() {
      await feed.stop()
      await watch.settle()
    },
    onState: feed.onState,
    adopt: feed.adopt,
    async upload(file, signal) {
      requireReachable()
      const path = await filePath(file.file_name, signal)
      const send = async () => {
        try {
          await api.upload(path, file, signal)
        } catch (error) {
          await api.command('DELETE', path, AbortSignal.timeout(CLEAN_UP_MS)).catch(() => undefined)
          throw error
        }
      }
      await watch.during(send, signal)
    },
    async startPrint(fileName, print, signal) {
      refuseFilamentMap(print)
      requireReachable()
      await api.command('POST', await filePath(fileName, signal), signal)
      lookNow()
      return { run_id: null }
    },
    async run(command, signal) {
      requireReachable()
      await send(command, signal)
      lookNow()
    },
    async removeFile(fileName, signal) {
      requireReachable()
      await api.command('DELETE', await filePath(fileName, signal), signal)
    },
    async takeStill(signal) {
      requireReachable()
      const still = await api.readStill(signal)
      if (!still) throw new StillError('CAMERA_OFF', 'the camera has no picture, or none is set up in PrusaLink')
      return requireJpeg(still)
    },
  }

  async function send(command: DeviceCommand, signal: AbortSignal): Promise<void> {
    switch (command.kind) {
      case 'pause':
      case 'resume':
        return api.command('PUT', `api/v1/job/${await currentJob(signal)}/${command.kind}`, signal)
      case 'stop':
        return api.command('DELETE', `api/v1/job/${await currentJob(signal)}`, signal)
      case 'heaters': {
        const { nozzle, bed, chamber } = command.args
        if (chamber !== undefined) throw new DriverError('NOT_SUPPORTED', 'PrusaLink cannot heat a chamber')
        if (nozzle !== undefined) {
          await api.command('POST', 'api/printer/tool', signal, { command: 'target', targets: { tool0: nozzle } })
        }
        if (bed !== undefined) await api.command('POST', 'api/printer/bed', signal, { command: 'target', target: bed })
        return
      }
      default:
        throw new DriverError('NOT_SUPPORTED', `${command.kind} is not supported by PrusaLink`)
    }
  }
}
