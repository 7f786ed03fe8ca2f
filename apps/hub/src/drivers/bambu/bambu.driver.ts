import { randomInt } from 'node:crypto'
import type { CommandKind } from '@printyard/protocol/command-kinds'
import type { FileToPrint } from '@printyard/protocol/commands'
import type { PrinterSettings } from '@printyard/protocol/messages'
import type { PrinterState } from '@printyard/protocol/printer-state'
import { wait } from '../../util/clock.ts'
import { describeError } from '../../util/log.ts'
import { ConnectionProblemError } from '../connection/connection-problem-error.ts'
import { downState } from '../connection/down-state.ts'
import { CredentialsRefusedError, keepConnected } from '../connection/keep-connected.ts'
import { type DriverContext, DriverError, type PrinterDriver } from '../driver.ts'
import { createUnseenStart } from '../print/unseen-start.ts'
import { printerAddress } from '../wire/printer-http.ts'
import { memberOf, numberIn, textIn } from '../wire/wire-values.ts'
import { mapFilaments } from './ams-mapping.ts'
import { takeBambuStill } from './bambu-camera.ts'
import { type BambuRequest, gcodeFileRequest, projectFileRequest, requestsFor } from './bambu-commands.ts'
import { developerModeRemedy } from './bambu-faults.ts'
import { amsTrays, currentTray, externalTrays } from './bambu-filament.ts'
import { createBambuFtps } from './bambu-ftps.ts'
import { traitsOf } from './bambu-models.ts'
import { type BambuMqtt, openBambuMqtt } from './bambu-mqtt.ts'
import { refusalOf, StorageRefusalError } from './bambu-refusal.ts'
import { emptyPicture, isFree, isRunning, jobOf, markCancelled, mergeMessage, subtaskIdOf } from './bambu-report.ts'
import { bambuState, openFaults, refusesCommands, storageProblem } from './bambu-state.ts'
import { type PlateFilament, readPlateFilaments } from './plate-filaments.ts'
import { readTrust, sameCertificate } from './printer-trust.ts'
import { createStartLock } from './start-lock.ts'

const MQTT_PORT = 8883
const FTPS_PORT = 990
const CAMERA_PORT = 6000
const ANSWER_TIMEOUT_MS = 10_000
/** A printer that says nothing for so long is asked, and given up when it still says nothing. */
const SILENCE_MS = 60_000
const LAST_WORD_MS = 10_000
/** Asked for everything more often, the smaller models stall. */
const FULL_REPORT_INTERVAL_MS = 5 * 60_000
/** A start that was answered and never seen: after so long a full report decides. */
const START_LOCK_MS = 120_000
/** Right after an upload the printer has not closed the file yet, and refuses to print it. */
const FILE_SETTLE_MS = 2_000
/** A large file takes longer. After so long the memory card itself must be what it cannot read. */
const LONGEST_SETTLE_MS = 60_000
const EMIT_INTERVAL_MS = 500
const FILES_REMEMBERED = 20
/** The largest number of a run that firmware takes as it is. */
const MAX_SUBTASK_ID = 2 ** 31 - 1

/**
 * Drives a Bambu Lab printer in LAN mode with Developer mode: MQTT for everything but files, FTPS for files. It reads from
 * `connection`: `address`, `serial`, `access_code`; where they differ `port` (8883), `ftps_port` (990) and `camera_port` (6000); and for the
 * certificate one of `ca` (PEM), `pinned_fingerprint` (SHA-256) and `allow_any_certificate`. With none of these the
 * certificate of the first connection is kept, and another one refused.
 */
export function createBambuDriver(settings: PrinterSettings, context: DriverContext): PrinterDriver {
  const { connection } = settings
  const { waitFactor } = context
  const serial = textIn(connection.serial, 64)?.toUpperCase() ?? ''
  const accessCode = textIn(connection.access_code) ?? ''
  const address = printerAddress(connection, MQTT_PORT)
  const host = address.hostname.replace(/^\[|\]$/g, '')
  const listeners = new Set<(state: PrinterState) => void>()
  let picture = emptyPicture()
  let link: BambuMqtt | undefined
  let certificate: string | undefined
  let watching: AbortController | undefined
  let watched: Promise<void> = Promise.resolve()
  let emitTimer: NodeJS.Timeout | undefined
  let lastEmitMs = Number.NEGATIVE_INFINITY
  const startLock = createStartLock(START_LOCK_MS * waitFactor)
  const unseenStart = createUnseenStart(START_LOCK_MS * waitFactor)
  /** The numbers that projects were started with. */
  const givenIds = new Set<string>()
  let uploadedAtMs = Number.NEGATIVE_INFINITY
  /** What the plates of uploaded archives are printed from, by file name. */
  const filamentsByFile = new Map<string, Map<number, PlateFilament[]>>()

  const traits = () => traitsOf(picture.productName, serial, settings.model)
  const trust = () => readTrust(connection, serial, context.dataDir)

  /** Every other connection must show the certificate that was believed at first. */
  const trustedTls = () => {
    if (certificate === undefined) throw new DriverError('UNREACHABLE', 'the printer does not answer')
    return sameCertificate(serial, trust(), certificate)
  }

  const ftps = createBambuFtps({
    host,
    port: numberIn(connection.ftps_port) ?? FTPS_PORT,
    accessCode,
    tls: trustedTls,
    allowsClearData: () => traits().needsClearData,
  })

  const emit = () => {
    clearTimeout(emitTimer)
    emitTimer = undefined
    lastEmitMs = performance.now()
    const state = unseenStart.withoutStaleResult(bambuState(picture, traits()))
    for (const listener of [...listeners]) listener(state)
  }

  /** At once when something turned, at intervals while only numbers run. */
  const change = (next: typeof picture) => {
    const before = bambuState(picture, traits())
    picture = next
    const now = bambuState(picture, traits())
    const isTurn =
      before.status !== now.status ||
      JSON.stringify([before.run, before.problems]) !== JSON.stringify([now.run, now.problems])
    const restMs = lastEmitMs + EMIT_INTERVAL_MS * waitFactor - performance.now()
    if (isTurn || restMs <= 0) emit()
    else emitTimer ??= setTimeout(emit, restMs)
  }

  const connect = async (signal: AbortSignal, isUp: () => void) => {
    if (!/^[0-9A-Z]{6,32}$/.test(serial)) throw new ConnectionProblemError('serial_missing')
    if (accessCode === '') throw new CredentialsRefusedError('credentials refused: no access code is set')
    // What was true before says nothing about a new connection.
    picture = emptyPicture(picture)
    let heardAtMs = performance.now()
    let wasAsked = false
    const opened = await openBambuMqtt({
      host,
      port: Number(address.port || MQTT_PORT),
      serial,
      accessCode,
      trust: trust(),
      answerTimeoutMs: ANSWER_TIMEOUT_MS,
      signal,
      onMessage(message) {
        heardAtMs = performance.now()
        wasAsked = false
        look(message)
        if (link === undefined || picture.gcodeState === null) return
        isUp()
      },
    })
    link = opened
    certificate = opened.certificate
    opened.tell('info', 'get_version')
    const askForEverything = () => opened.tell('pushing', 'pushall', { version: 1, push_target: 1 })
    askForEverything()
    const fullTimer = setInterval(askForEverything, FULL_REPORT_INTERVAL_MS)
    const silenceTimer = setInterval(() => {
      if (startLock.takesFullReport()) askForEverything()
      const silentMs = performance.now() - heardAtMs
      if (silentMs > (SILENCE_MS + LAST_WORD_MS) * waitFactor) opened.close('the printer says nothing any more')
      else if (silentMs > SILENCE_MS * waitFactor && !wasAsked) {
        wasAsked = true
        opened.tell('pushing', 'start')
      }
    }, 1_000 * waitFactor)
    try {
      throw new DriverError('UNREACHABLE', await opened.closed)
    } finally {
      clearInterval(fullTimer)
      clearInterval(silenceTimer)
      link = undefined
    }
  }

  const look = (message: unknown) => {
    const next = mergeMessage(picture, message)
    if (next === picture) return
    startLock.look(next, message)
    const id = subtaskIdOf(next)
    change(id !== null && givenIds.has(id) ? { ...next, echoesIds: true } : next)
  }

  const requireLink = (): BambuMqtt => {
    if (!link) throw new DriverError('UNREACHABLE', 'the printer does not answer')
    return link
  }

  const requireTaking = () => {
    if (refusesCommands(picture)) throw new DriverError('REFUSED', developerModeRemedy)
  }

  /** Asks once. An answer without a result proves nothing, neither way: what follows is seen in the reports. */
  const ask = async ({ group, command, fields }: BambuRequest, signal: AbortSignal) => {
    const answer = await requireLink().ask(group, command, fields, signal)
    const refusal = refusalOf(answer)
    if (refusal?.message === developerModeRemedy) change({ ...picture, isSignatureNeeded: true })
    if (refusal) throw refusal
    if (textIn(memberOf(answer, 'result')) !== null && picture.isSignatureNeeded) {
      change({ ...picture, isSignatureNeeded: false })
    }
  }

  const startRequest = (fileName: string, file: FileToPrint, subtaskId: string): BambuRequest => {
    if (file.format === 'gcode') {
      if (!traits().takesPlainGcode) throw new DriverError('NOT_SUPPORTED', 'the printer prints only .gcode.3mf files')
      return gcodeFileRequest(fileName)
    }
    if (file.format !== 'gcode-3mf') throw new DriverError('NOT_SUPPORTED', `the printer does not print ${file.format}`)
    const known = filamentsByFile.get(fileName)?.get(file.archive_plate ?? 1) ?? []
    const filaments = known.length > 0 ? known : [{ index: 0, type: file.filament_type, colorHex: null }]
    const mapping = mapFilaments(filaments, amsTrays(picture), externalTrays(picture), currentTray(picture))
    return projectFileRequest(fileName, file, subtaskId, mapping, traits())
  }

  const assertUnlocked = () => {
    const { fileName } = startLock
    if (fileName !== undefined) throw new DriverError('BUSY', `the printer was just told to print ${fileName}`)
  }

  const assertFree = () => {
    const { status, status_reason } = bambuState(picture, traits())
    if (!isFree(picture) || status === 'maintenance') {
      throw new DriverError('BUSY', status_reason ?? 'the printer is busy with another job')
    }
    if (status === 'error') throw new DriverError('WRONG_STATE', status_reason ?? 'the printer is in error')
  }

  /**
   * Asks for a start, and again as long as it is refused because the file is not closed yet. This one refusal is certain: what
   * could not be opened was not begun, so no start is open while another one is sent.
   */
  const startWhenSettled = async (
    request: BambuRequest,
    { fileName, subtaskId }: { fileName: string; subtaskId: string | null },
    signal: AbortSignal,
  ) => {
    const settlePauseMs = FILE_SETTLE_MS * waitFactor
    const settledAtMs = uploadedAtMs + LONGEST_SETTLE_MS * waitFactor
    let mayHaveStarted = false
    let pauseMs = uploadedAtMs + settlePauseMs - performance.now()
    // From here on, so that nobody else starts anything while this one waits.
    startLock.close(fileName, subtaskId)
    try {
      for (let isFirst = true; ; isFirst = false) {
        if (pauseMs > 0) await wait(pauseMs, signal)
        // It was seen to run, whatever the answer said.
        if (!isFirst && startLock.fileName === undefined) return
        // Somebody may have begun another job meanwhile.
        assertFree()
        startLock.close(fileName, subtaskId)
        mayHaveStarted = true
        try {
          return await ask(request, signal)
        } catch (error) {
          mayHaveStarted = !(error instanceof DriverError) || error.code === 'NO_ANSWER'
          if (!(error instanceof StorageRefusalError) || performance.now() > settledAtMs) throw error
        }
        pauseMs = settlePauseMs
      }
    } finally {
      if (!mayHaveStarted) startLock.open()
    }
  }

  const remember = async (path: string, fileName: string, signal: AbortSignal) => {
    if (!/\.3mf$/i.test(fileName)) return
    // A file that cannot be read here is refused by the printer, with better reasons than ours.
    const plates = await readPlateFilaments(path, signal).catch(() => undefined)
    signal.throwIfAborted()
    if (plates) filamentsByFile.set(fileName, plates)
    for (const old of [...filamentsByFile.keys()].slice(0, -FILES_REMEMBERED)) filamentsByFile.delete(old)
  }

  const rememberId = (subtaskId: string) => {
    givenIds.add(subtaskId)
    for (const oldest of givenIds) if (givenIds.size > FILES_REMEMBERED) givenIds.delete(oldest)
  }

  /** A person has seen the faults of a printer without a job; those that it goes on showing keep it from nothing any more. */
  const noteFaults = (codes: readonly string[]) => {
    if (codes.length > 0) change({ ...picture, noted: codes })
  }

  return {
    capabilities: {
      commands: new Set<CommandKind>([
        'print',
        'pause',
        'resume',
        'stop',
        'heaters',
        'light',
        'load_filament',
        'unload_filament',
      ]),
      // A project is shown under the number that it was started with, but plain G-code has none, a printer that was switched
      // off may forget, and "finished" is reported for a while after the next start was taken.
      keepsRunIdentity: false,
      // It shows its last job until the next one, but no model is known to show it still after a power cut.
      remembersLastRun: false,
      // It goes on to show the last job for tens of seconds after it took a start, longest with a large archive to unpack.
      refusalWatchMs: 60_000 * context.waitFactor,
      tellsLoadedFilament: true,
      get camera() {
        return traits().hasJpegCamera
      },
    },
    async start(signal) {
      signal.throwIfAborted()
      if (watching) return
      const stopping = new AbortController()
      watching = stopping
      watched = keepConnected({
        waitFactor,
        signal: AbortSignal.any([stopping.signal, signal]),
        connect,
        onDown(error) {
          clearTimeout(emitTimer)
          emitTimer = undefined
          const state = downState(error)
          for (const listener of [...listeners]) listener(state)
        },
      }).catch((error: unknown) =>
        context.log.error('a printer is watched no more', {
          printer_id: settings.printer_id,
          problem: describeError(error),
        }),
      )
    },
    async stop() {
      watching?.abort(new Error('the driver stops'))
      watching = undefined
      clearTimeout(emitTimer)
      emitTimer = undefined
      await watched
    },
    onState(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    async upload(file, signal) {
      requireLink()
      requireTaking()
      const problem = storageProblem(picture)
      if (problem !== null) throw new DriverError('REFUSED', problem)
      await remember(file.path, file.file_name, signal)
      await ftps.upload(file, signal)
      uploadedAtMs = performance.now()
    },
    async startPrint(fileName, file, signal) {
      requireLink()
      requireTaking()
      assertUnlocked()
      assertFree()
      const subtaskId = file.format === 'gcode-3mf' ? String(randomInt(1, MAX_SUBTASK_ID)) : null
      const request = startRequest(fileName, file, subtaskId ?? '')
      if (subtaskId !== null) rememberId(subtaskId)
      unseenStart.expect(fileName)
      await startWhenSettled(request, { fileName, subtaskId }, signal)
      return { run_id: subtaskId }
    },
    async run(command, signal) {
      requireLink()
      requireTaking()
      const requests = requestsFor(command, picture, traits())
      const before = picture.cancelled
      const acknowledged = command.kind === 'stop' ? openFaults(picture) : []
      const stopped = command.kind === 'stop' && isRunning(picture) ? jobOf(picture) : null
      // Its end may be reported before the answer comes.
      if (stopped !== null) picture = markCancelled(picture)
      try {
        for (const request of requests) await ask(request, signal)
      } catch (error) {
        const isRefused = error instanceof DriverError && error.code !== 'NO_ANSWER'
        if (isRefused && stopped !== null && jobOf(picture) === stopped) picture = { ...picture, cancelled: before }
        // Whether the firmware has a dialogue to close or not, the person has seen what it shows.
        if (!isRefused || acknowledged.length === 0) throw error
      }
      noteFaults(acknowledged)
    },
    async removeFile(fileName, signal) {
      requireLink()
      filamentsByFile.delete(fileName)
      await ftps.remove(fileName, signal)
    },
    async takeStill(signal) {
      requireLink()
      const port = numberIn(connection.camera_port) ?? CAMERA_PORT
      return takeBambuStill({ host, port, accessCode, tls: trustedTls() }, signal)
    },
    adopt(changed) {
      // Name and loaded filament mean nothing here; everything else is about the connection.
      return (
        changed.connection_type === settings.connection_type &&
        changed.model === settings.model &&
        JSON.stringify(changed.connection) === JSON.stringify(connection)
      )
    },
  }
}
