import type { CommandKind } from '@printyard/protocol/command-kinds'
import type { PrinterSettings } from '@printyard/protocol/messages'
import { describeError } from '../../util/log.ts'
import { createWaiter, WaitTimeoutError } from '../../util/waiter.ts'
import { cameraAddress, fetchStill } from '../camera/camera-http.ts'
import { StillError } from '../camera/still-error.ts'
import { createStateFeed } from '../connection/state-feed.ts'
import { type DeviceCommand, type DriverContext, DriverError, type PrinterDriver } from '../driver.ts'
import { refuseFilamentMap } from '../print/filament-map.ts'
import { createPrinterHttp, printerAddress } from '../wire/printer-http.ts'
import { memberOf, textIn } from '../wire/wire-values.ts'
import { openAskedFile } from './asked-file.ts'
import { createOctoPrintApi, type OctoPrintApi } from './octoprint-api.ts'
import {
  emptyPicture,
  isBusy,
  isRunLost,
  isStarting,
  mergeMessage,
  type OctoPrintPicture,
  pictureOfNewConnection,
} from './octoprint-picture.ts'
import { octoPrintState } from './octoprint-state.ts'
import { mergeRecord, readRunRecord } from './run-record.ts'

const DEFAULT_PORT = 80
/** What OctoPrint does before the first line of a print is short, unless its start script heats. */
const STARTING_MS = 30_000

/** G-code that an operator gives for what OctoPrint has no call for: setting → command. */
const configurable = {
  light_on_gcode: 'light',
  load_gcode: 'load_filament',
  unload_gcode: 'unload_filament',
} as const satisfies Record<string, CommandKind>

/** Drives a printer through OctoPrint 1.3 or newer: REST for what is asked, the push socket for what happens. */
export function createOctoPrintDriver(settings: PrinterSettings, context: DriverContext): PrinterDriver {
  const { connection } = settings
  const headers = { 'x-api-key': textIn(connection.api_key) ?? '' }
  const http = createPrinterHttp(printerAddress(connection, DEFAULT_PORT), headers)
  const api: OctoPrintApi = createOctoPrintApi(http, context.waitFactor)
  const gcode = (name: string) => textIn(connection[name], 1_000)
  const commands = new Set<CommandKind>(['print', 'pause', 'resume', 'stop', 'heaters'])
  for (const [name, kind] of Object.entries(configurable)) if (gcode(name) !== null) commands.add(kind)

  let picture = emptyPicture()
  const pictures = createWaiter<OctoPrintPicture>()
  let isReachable = false
  const asked = openAskedFile(context.dataDir, settings.printer_id)
  /** Once per connection, and once for each run that goes out of sight. */
  let hasLookedBack = false

  const feed = createStateFeed({
    settings,
    context,
    async connect(connected, isUp) {
      picture = pictureOfNewConnection(picture)
      hasLookedBack = false
      const ended = new AbortController()
      const watching = AbortSignal.any([connected, ended.signal])
      const onUp = () => {
        if (isReachable) return
        isReachable = true
        isUp()
      }
      const onMessage = (message: unknown) => {
        const isFirst = picture.state === undefined
        picture = mergeMessage(picture, message)
        if (isBusy(picture.state)) followRun()
        else if (picture.state !== undefined && !hasLookedBack && (isFirst || isRunLost(picture))) lookBack(watching)
        show()
      }
      try {
        await api.listen({ onUp, onMessage }, connected)
      } finally {
        isReachable = false
        ended.abort(new Error('the connection has ended'))
      }
    },
  })

  function show(): void {
    pictures.show(picture)
    if (isReachable) feed.show(octoPrintState(picture))
  }

  function followRun(): void {
    hasLookedBack = false
    if (picture.run !== null && picture.run.path !== asked.path) recordAsked(null)
  }

  /** Without it a print that ends while neither OctoPrint nor this hub runs is asked about; nothing else depends on it. */
  function recordAsked(path: string | null): void {
    try {
      asked.replace(path)
    } catch (error) {
      const problem = describeError(error)
      context.log.warn('what a printer was asked is not on record', { printer_id: settings.printer_id, problem })
    }
  }

  /** Finds out what became of our file while it was out of sight. */
  function lookBack(watching: AbortSignal): void {
    hasLookedBack = true
    const { path } = asked
    if (path === null || (picture.run?.path === path && picture.run.end)) return
    picture = { ...picture, isLookingBack: true }
    readRunRecord(api, { path, waitFactor: context.waitFactor, signal: watching })
      .then((record) => {
        picture = mergeRecord(picture, path, record)
        show()
      })
      .catch((error: unknown) => {
        if (watching.aborted) return
        const problem = describeError(error)
        context.log.warn('the end of a print cannot be looked up', { printer_id: settings.printer_id, problem })
        picture = { ...picture, isLookingBack: false }
        show()
      })
  }

  const requireReachable = () => {
    if (!isReachable) throw new DriverError('UNREACHABLE', 'OctoPrint does not answer')
  }

  const runGcode = (name: string, signal: AbortSignal) => {
    const text = gcode(name)
    if (text === null) throw new DriverError('NOT_SUPPORTED', `no G-code is set for ${name}`)
    return api.post('api/printer/command', { commands: text.split('\n') }, signal)
  }

  return {
    // A restart of OctoPrint forgets what was printed. What it keeps with its files says nothing of prints from the printer's own
    // card, nor of files that were deleted.
    capabilities: {
      commands,
      keepsRunIdentity: false,
      remembersLastRun: false,
      // OctoPrint says no before it selects the file, and what it starts it reports within a second. A proxy or a plugin may say no
      // of its own; a busy machine reports some seconds late.
      refusalWatchMs: 10_000 * context.waitFactor,
      tellsLoadedFilament: false,
      filamentMap: 'none',
      camera: true,
    },
    start: feed.start,
    stop: feed.stop,
    onState: feed.onState,
    adopt: feed.adopt,
    async upload(file, signal) {
      requireReachable()
      try {
        await api.upload(file, signal)
      } catch (error) {
        // The partial file goes when it can; one that stays is replaced by the next try.
        await api.remove(file.file_name, AbortSignal.timeout(5_000)).catch(() => undefined)
        throw error
      }
    },
    async startPrint(fileName, print, signal) {
      refuseFilamentMap(print)
      requireReachable()
      recordAsked(fileName)
      const path = `api/files/local/${encodeURIComponent(fileName)}`
      await api.post(path, { command: 'select', print: true }, signal)
      return { run_id: null }
    },
    async run(command, signal) {
      requireReachable()
      await send(command, signal)
    },
    async removeFile(fileName, signal) {
      requireReachable()
      await api.remove(fileName, signal)
    },
    async takeStill(signal) {
      requireReachable()
      const webcam = await api.readWebcam(signal)
      if (memberOf(webcam, 'webcamEnabled') === false) {
        throw new StillError('CAMERA_OFF', 'the webcam is switched off in the settings of OctoPrint')
      }
      const named = textIn(memberOf(webcam, 'snapshotUrl'), 2_000)
      if (named === null)
        throw new StillError('NOT_SUPPORTED', 'no webcam with a snapshot address is set up in OctoPrint')
      return fetchStill(cameraAddress(named, http.base), signal)
    },
  }

  /** A pause that is asked while a print is starting gets a yes from OctoPrint, which then prints on. */
  async function untilStarted(signal: AbortSignal): Promise<void> {
    if (!isStarting(picture)) return
    const started = pictures.until((now) => !isStarting(now), { awaited: 'the start', timeoutMs: STARTING_MS, signal })
    await started.catch((error: unknown) => {
      if (!(error instanceof WaitTimeoutError)) throw error
      throw new DriverError('BUSY', 'OctoPrint is still starting the print, and would forget a pause', { cause: error })
    })
  }

  async function send(command: DeviceCommand, signal: AbortSignal): Promise<void> {
    switch (command.kind) {
      case 'pause':
        await untilStarted(signal)
        return api.post('api/job', { command: 'pause', action: 'pause' }, signal)
      case 'resume':
        // Without `action` the call toggles.
        return api.post('api/job', { command: 'pause', action: 'resume' }, signal)
      case 'stop':
        return api.post('api/job', { command: 'cancel' }, signal)
      case 'heaters': {
        const { nozzle, bed, chamber } = command.args
        if (nozzle !== undefined) {
          await api.post('api/printer/tool', { command: 'target', targets: { tool0: nozzle } }, signal)
        }
        if (bed !== undefined) await api.post('api/printer/bed', { command: 'target', target: bed }, signal)
        if (chamber !== undefined) await api.post('api/printer/chamber', { command: 'target', target: chamber }, signal)
        return
      }
      case 'light':
        return runGcode(command.args.on ? 'light_on_gcode' : 'light_off_gcode', signal)
      case 'load_filament':
        return runGcode('load_gcode', signal)
      case 'unload_filament':
        return runGcode('unload_gcode', signal)
    }
  }
}
