import { type VirtualPrinter, VirtualPrinterError, type VirtualReport } from '../virtual-printer.ts'
import type { OctoPrintFiles } from './octoprint-files.ts'
import {
  isActive,
  jobOf,
  type SelectedFile,
  type SerialLine,
  stateOf,
  type Transition,
  temperaturesOf,
} from './octoprint-words.ts'

/** Time that OctoPrint prepares a print; a pause meanwhile is answered with yes and forgotten. */
const STARTING_MS = 300
const LINE_LOST = 'SerialException: the connection to the printer was lost'
const CLOSED_BY_M112 = 'Closing serial port due to emergency stop M112.'

interface OctoPrintHostOptions {
  printer: VirtualPrinter
  files: OctoPrintFiles
  /** Time that a pause takes the firmware, which has moves and heating before it. */
  pausingMs: number
  /** Sends a message to all who listen. */
  push(message: object): void
}

/** OctoPrint's own part in printing: what it has selected, the run that it follows, and its line to the printer. */
export interface OctoPrintHost {
  state(): ReturnType<typeof stateOf>
  job(): ReturnType<typeof jobOf>
  /** A whole report, as `current` and `history` carry it. */
  current(): object
  readonly line: SerialLine
  /** Refused with a `VirtualPrinterError` while a job runs or the printer is not connected. */
  select(path: string, isToPrint: boolean, signal: AbortSignal): Promise<void>
  startSelected(signal: AbortSignal): Promise<void>
  deselect(path: string): void
  isPrinting(path: string): boolean
  pause(action: 'pause' | 'resume' | 'toggle', signal: AbortSignal): Promise<void>
  cancel(signal: AbortSignal): Promise<void>
  connect(): void
  disconnect(): void
  /** M112: the machine halts, and OctoPrint closes its line. */
  stopForEmergency(): void
  /** Forgets what a restart of OctoPrint forgets. The machine gets no more lines of what it was printing. */
  forget(): void
  /** Tells what happened at the printer since the last look. */
  look(): void
  close(): void
}

interface FollowedRun {
  runId: string
  path: string
  isOnCard: boolean
  startedAtMs: number
}

export function createOctoPrintHost({ printer, files, pausingMs, push }: OctoPrintHostOptions): OctoPrintHost {
  let line: SerialLine = { kind: 'open' }
  let selected: string | null = null
  /** The selected file was printed whole. */
  let isWhole = false
  let followed: FollowedRun | null = null
  let startedAtMs = Number.NEGATIVE_INFINITY
  let pausing: NodeJS.Timeout | undefined
  let sentState = ''

  const transition = (): Transition =>
    pausing ? 'pausing' : performance.now() - startedAtMs < STARTING_MS ? 'starting' : null
  const isRunning = (report: VirtualReport) => line.kind === 'open' && isActive(report)
  const isOnCard = (path: string) => files.find(path) === undefined
  const selection = (): SelectedFile | null =>
    selected === null ? null : { path: selected, isOnCard: isOnCard(selected), file: files.find(selected) }

  const state = () => stateOf(printer.report(), line, transition(), selection()?.isOnCard === true)
  const job = () => {
    const report = printer.report()
    return jobOf(report, selection(), isRunning(report), isWhole)
  }
  const current = () => {
    const sample =
      line.kind === 'open' ? [{ time: Math.floor(Date.now() / 1_000), ...temperaturesOf(printer.report()) }] : []
    return { state: state(), ...job(), temps: sample, currentZ: null, offsets: {} }
  }
  const tell = (type: string, payload: object | null = null) => push({ event: { type, payload } })
  const payloadOf = ({ path, isOnCard: onCard, startedAtMs: since }: FollowedRun) => ({
    name: path,
    path,
    origin: onCard ? 'sdcard' : 'local',
    size: files.find(path)?.size ?? null,
    time: (performance.now() - since) / 1_000,
  })

  const requireOperational = () => {
    if (line.kind !== 'open') throw new VirtualPrinterError('WRONG_STATE', 'Printer is not operational')
  }

  const choose = (path: string) => {
    requireOperational()
    if (isActive(printer.report())) {
      throw new VirtualPrinterError('BUSY', 'Printer is already printing, cannot select a new file')
    }
    if (!files.find(path)) throw new VirtualPrinterError('NO_SUCH_FILE', 'File not found')
    const before = job().progress
    selected = path
    // For a moment the new file is reported with the progress of the one before.
    push({ current: { ...current(), progress: before } })
    isWhole = false
  }

  const begin = async (path: string, signal: AbortSignal) => {
    const file = files.find(path)
    if (!file) throw new VirtualPrinterError('NO_SUCH_FILE', 'File not found')
    // Before the machine is asked: OctoPrint says that it is starting before the machine says that it prints.
    const startedBeforeMs = startedAtMs
    startedAtMs = performance.now()
    const { runId } = await printer.startPrint(path, file.plan, signal).catch((error: unknown) => {
      startedAtMs = startedBeforeMs
      throw error
    })
    isWhole = false
    if (printer.report().runId === runId) follow()
  }

  /** Follows the run that the machine has now. */
  const follow = () => {
    const { runId, fileName } = printer.report()
    if (runId === null || fileName === null || followed?.runId === runId) return
    selected = fileName
    isWhole = false
    followed = { runId, path: fileName, isOnCard: isOnCard(fileName), startedAtMs: performance.now() }
    tell('PrintStarted', payloadOf(followed))
  }

  const stopPausing = () => {
    clearTimeout(pausing)
    pausing = undefined
  }

  const release = () => {
    stopPausing()
    if (selected !== null) tell('FileDeselected')
    selected = null
    isWhole = false
    followed = null
  }

  /** The line is gone: what was sent over it is over, and a print that had paused is not said to have failed. */
  const lose = (next: Exclude<SerialLine, { kind: 'open' }>) => {
    const run = followed
    const wasPrinting = printer.report().activity !== 'paused' && run !== null && !run.isOnCard
    line = next
    const error = next.kind === 'failed' ? next.error : ''
    if (error !== '') tell('Error', { error, reason: 'firmware', consequence: 'emergency' })
    release()
    tell('Disconnected')
    if (run && wasPrinting) {
      files.record(run.path, false, 0)
      tell('PrintFailed', { ...payloadOf(run), reason: 'error', error, progress: 0.5 })
    }
    push({ current: current() })
  }

  const end = (run: FollowedRun, report: VirtualReport) => {
    stopPausing()
    const payload = payloadOf(run)
    if (report.runId !== run.runId || report.lastResult === 'failed') {
      return lose({ kind: 'failed', error: (report.runId === run.runId && report.message) || LINE_LOST })
    }
    followed = null
    if (report.lastResult === 'completed') {
      isWhole = true
      tell('PrintDone', payload)
      // The report of it comes a moment later than the event.
      const busy = { ...state(), text: 'Printing' }
      push({ current: { ...current(), state: { ...busy, flags: { ...busy.flags, printing: true, ready: false } } } })
      files.record(run.path, true, payload.time)
      return
    }
    tell('PrintCancelled', payload)
    files.record(run.path, false, 0)
    tell('PrintFailed', { ...payload, reason: 'cancelled' })
  }

  const reopen = () => {
    line = { kind: 'open' }
    tell('Connected', { port: 'VIRTUAL', baudrate: 115_200 })
    tell('FirmwareData', { name: printer.report().firmware })
  }

  const look = () => {
    const report = printer.report()
    // A person who acknowledges a fault at the machine connects it again.
    const isFixed = line.kind === 'failed' && line.error !== CLOSED_BY_M112 && report.activity !== 'fault'
    if (isFixed) reopen()
    if (line.kind === 'open') {
      const run = followed
      if (run && (report.runId !== run.runId || report.lastResult !== null)) end(run, report)
      else if (line.kind === 'open' && report.activity === 'fault')
        lose({ kind: 'failed', error: report.message ?? '' })
      if (line.kind === 'open' && isActive(report)) follow()
    }
    const told = JSON.stringify(state())
    // Without a printer OctoPrint has nothing to say.
    if (line.kind === 'open' || told !== sentState) push({ current: current() })
    sentState = told
  }

  return {
    state,
    job,
    current,
    get line() {
      return line
    },
    async select(path, isToPrint, signal) {
      choose(path)
      if (isToPrint) await begin(path, signal)
    },
    async startSelected(signal) {
      requireOperational()
      if (isActive(printer.report())) {
        throw new VirtualPrinterError('BUSY', "Printer already has an active print job, did you mean 'restart'?")
      }
      if (selected !== null) await begin(selected, signal)
    },
    deselect(path) {
      if (selected === path) release()
    },
    isPrinting: (path) => selected === path && isRunning(printer.report()),
    async pause(action, signal) {
      const report = printer.report()
      if (!isRunning(report)) throw new VirtualPrinterError('WRONG_STATE', 'Printer is neither printing nor paused')
      const isPaused = report.activity === 'paused'
      if (action === 'resume' || (action === 'toggle' && isPaused)) {
        if (isPaused) await printer.resume(signal)
        return
      }
      if (isPaused || pausing || transition() === 'starting') return
      pausing = setTimeout(() => {
        pausing = undefined
        // What the machine makes of it shows in its next report.
        printer.pause(AbortSignal.timeout(5_000)).catch(() => undefined)
      }, pausingMs)
    },
    async cancel(signal) {
      if (!isRunning(printer.report())) {
        throw new VirtualPrinterError('WRONG_STATE', 'Printer is neither printing nor paused')
      }
      await printer.stop(signal)
    },
    connect() {
      if (line.kind === 'open') return
      // Opening the line resets the firmware.
      printer.restart({ remembers: true })
      reopen()
      look()
    },
    disconnect() {
      if (line.kind !== 'open') return
      lose({ kind: 'closed' })
      if (isActive(printer.report())) printer.restart({ remembers: true })
    },
    stopForEmergency() {
      lose({ kind: 'failed', error: CLOSED_BY_M112 })
      printer.restart({ remembers: true })
    },
    forget() {
      stopPausing()
      const wasFed = followed !== null && !followed.isOnCard && isActive(printer.report())
      selected = null
      isWhole = false
      followed = null
      line = { kind: 'open' }
      if (wasFed) printer.restart({ remembers: true })
    },
    look,
    close: stopPausing,
  }
}
