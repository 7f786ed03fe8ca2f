import { describeDevice, isWarm } from './device-report.ts'
import {
  advance,
  changeFilament,
  type DeviceEvent,
  type DeviceState,
  type Filament,
  foreseenAt,
  initialState,
  isActive,
  type Machine,
  pauseRun,
  putFile,
  type RunStart,
  removeFile,
  restartMachine,
  resumeRun,
  type Step,
  type StoredFile,
  setHeaterTargets,
  startRun,
  stopAll,
  takeOffPlate,
} from './device-state.ts'
import { watchForEjection } from './ejection-mark.ts'
import type { Schedule } from './manual-clock.ts'
import { modelNamed } from './models.ts'
import { plateOf } from './physical-plate.ts'
import { randomAt, seedOf } from './seeded-noise.ts'
import { hang } from './silent-link.ts'
import { assertSpeed, type SimClock, secondsAt, wallMsAt, withSpeed } from './sim-clock.ts'
import { openStateLog, thinEvents } from './state-log.ts'
import { type FileStore, receiveUpload } from './upload.ts'
import {
  type Fault,
  type PrintPlan,
  type VirtualPrinter,
  VirtualPrinterError,
  type VirtualPrinterEvent,
  type VirtualReport,
} from './virtual-printer.ts'

export interface VirtualPrinterOptions {
  id: string
  /** A name as people write it; an unknown one gives a generic printer. */
  model: string
  /** Simulated seconds for each real second, up to 100,000. Left out: as stored, else 1. */
  speed?: number
  /** For temperatures and layers; left out it follows from the id. */
  seed?: number
  /** The real clock, in milliseconds since 1970. */
  now?: () => number
  schedule?: Schedule
  /** Where the printer keeps its memory. One file belongs to one printer. Without it the printer forgets with its process. */
  stateFile?: string
  /** The faults that are on from now on. Left out: as stored, else none. */
  faults?: readonly Fault[]
  /** What is loaded at first, and what a person puts in at `loadFilament`. */
  filament?: Filament
  /** How long the real wait of a slow file store is. */
  slowFileStoreMs?: number
  /** How long after its refusal a `refusal_after_effect` start takes effect, in real milliseconds. Default: 5000. */
  lateStartMs?: number
  /** Whether the printer shows its last run after a restart of its own. Default: true. */
  remembersLastRun?: boolean
  /** Told what went wrong outside the printer: a listener that throws, a state file that cannot be written. */
  onError?: (error: unknown, what: string) => void
}

/** What survives the process. */
interface StoredState extends DeviceState {
  clock: SimClock
}

const minReportGapMs = 250
const maxReportGapMs = 1_000
/** A printer that does nothing repeats itself this often, so that its silence means something. */
const keepAliveMs = 5_000
/** The longest wait that timers take; far events are looked at again by then. */
const maxTimerMs = 2 ** 31 - 1
const eventsToKeep = 2_000

/**
 * Makes a simulated printer. It reads its state file at once and throws when that is damaged; it begins to act, answer and
 * report with `powerOn`. A printer that is switched off answers nothing: calls hang until their signal aborts. Switching
 * off ends the simulation, not the printing: time goes on for it as for a printer that nobody watches.
 */
export function createVirtualPrinter(options: VirtualPrinterOptions): VirtualPrinter {
  const { id } = options
  const now = options.now ?? Date.now
  const schedule = options.schedule ?? scheduleTimeout
  const slowFileStoreMs = options.slowFileStoreMs ?? 30_000
  const lateStartMs = options.lateStartMs ?? 5_000
  const onError = options.onError ?? ((error, what) => console.error(`virtual printer ${id}: ${what}`, error))
  if (options.speed !== undefined) assertSpeed(options.speed)
  const seed = options.seed ?? seedOf(id)
  const machine: Machine = {
    model: modelNamed(options.model),
    seed,
    ambientTemp: 19 + 3 * randomAt(seed, 0),
    spool: options.filament ?? { type: 'PLA', colorHex: '#1A1A1A' },
  }
  const log = options.stateFile === undefined ? null : openStateLog<StoredState>(options.stateFile)
  let state: StoredState = {
    clock: { wallMs: now(), seconds: 0, speed: options.speed ?? 1 },
    ...initialState(machine),
    ...log?.stored.state,
    plate: plateOf(log?.stored.state ?? {}),
  }
  let events: VirtualPrinterEvent[] = log?.stored.events ?? []
  let thinEventsAt = Math.max(2 * eventsToKeep, 2 * events.length)
  // As long as this is set the next write has to be of everything.
  let isLogBehind = true

  let isOn = false
  let cancelTimer: (() => void) | null = null
  const pendingWaits = new Set<() => void>()
  const uploading = new Set<string>()
  /** Aborted when connections turn out to be dead: the sender of an upload learns of it by a reset. */
  let connections = new AbortController()
  const listeners = new Set<(report: VirtualReport) => void>()
  let lastReportMs = Number.NEGATIVE_INFINITY
  let lastReportText = ''
  let lastSentMs = Number.NEGATIVE_INFINITY
  let hasNews = false
  let reportedRunId: string | null = null

  /** Changes the device in memory only, and says what that adds to the log. */
  function change(parts: Partial<StoredState>, deviceEvents: readonly DeviceEvent[]): VirtualPrinterEvent[] {
    const clock = parts.clock ?? state.clock
    const happened = deviceEvents.map(({ seconds, ...event }) => ({
      at: Math.round(wallMsAt(clock, seconds)),
      ...event,
    }))
    state = { ...state, ...parts }
    events.push(...happened)
    hasNews = true
    return happened
  }

  function record(parts: Partial<StoredState>, deviceEvents: readonly DeviceEvent[]): void {
    const happened = change(parts, deviceEvents)
    const isRewriteDue = isLogBehind || log?.isOverdue === true
    if (events.length > thinEventsAt) {
      events = thinEvents(events, eventsToKeep)
      thinEventsAt = 2 * Math.max(eventsToKeep, events.length)
    }
    try {
      if (isRewriteDue) log?.rewrite(state, events)
      else log?.append(parts, happened)
      isLogBehind = false
    } catch (error) {
      isLogBehind = true
      onError(error, 'the state file cannot be written')
    }
  }

  function commit(step: Step): void {
    const parts = changedParts<DeviceState>(state, step.state)
    if (parts !== null || step.events.length > 0) record(parts ?? {}, step.events)
  }

  function resetConnections(): void {
    const dead = connections
    connections = new AbortController()
    dead.abort(new VirtualPrinterError('UPLOAD_BROKEN', 'The connection was reset.'))
  }

  /** Brings the device up to the present and says when that is, in simulated seconds. */
  function catchUp(): number {
    const seconds = secondsAt(state.clock, now())
    const step = advance(machine, state, seconds)
    if (isOn) {
      const wasOff = state.offUntil !== null
      commit(step)
      if (wasOff && state.offUntil === null) resetConnections()
    } else if (step.state !== state) {
      // What happens while nobody simulates can be worked out again; the file may by now belong to a printer made anew.
      change(step.state, step.events)
      isLogBehind = true
    }
    return seconds
  }

  function isSilent(): boolean {
    if (!isOn || state.offUntil !== null) return true
    return state.faults.includes('lost_link') || (state.faults.includes('silent_error') && state.faultMessage !== null)
  }

  function setTimer(): void {
    cancelTimer?.()
    cancelTimer = null
    if (!isOn) return
    const dueMs = Math.min(foreseenMs(), nextReportMs())
    if (dueMs === Number.POSITIVE_INFINITY) return
    const delayMs = Math.min(maxTimerMs, Math.max(1, Math.ceil(dueMs - now())))
    cancelTimer = schedule(() => {
      cancelTimer = null
      refresh()
    }, delayMs)
  }

  function foreseenMs(): number {
    const seconds = foreseenAt(machine, state)
    return seconds === null ? Number.POSITIVE_INFINITY : wallMsAt(state.clock, seconds)
  }

  /** When the listeners are to be told something again. */
  function nextReportMs(): number {
    if (listeners.size === 0 || isSilent()) return Number.POSITIVE_INFINITY
    // No real print is so short that it falls between two reports.
    if (state.run !== null && state.run.id !== reportedRunId) return Number.NEGATIVE_INFINITY
    if (hasNews) return lastReportMs + minReportGapMs
    const isBusy = state.run?.phase === 'heating' || state.run?.phase === 'printing' || state.filamentChange !== null
    // While it works a report for each simulated second would be plenty; a printer that only cools needs fewer.
    if (isBusy) return lastReportMs + Math.min(maxReportGapMs, Math.max(minReportGapMs, 1_000 / state.clock.speed))
    const isChanging = isWarm(machine, state, secondsAt(state.clock, now()))
    return lastReportMs + (isChanging ? maxReportGapMs : keepAliveMs)
  }

  function emitReport(): void {
    const nowMs = now()
    if (nextReportMs() > nowMs) return
    lastReportMs = nowMs
    hasNews = false
    reportedRunId = state.run?.id ?? null
    const report = describeDevice(machine, state, secondsAt(state.clock, nowMs))
    const text = JSON.stringify(report)
    if (text === lastReportText && nowMs < lastSentMs + keepAliveMs) return
    lastReportText = text
    lastSentMs = nowMs
    for (const listener of [...listeners]) {
      try {
        listener(report)
      } catch (error) {
        onError(error, 'a listener of reports failed')
      }
    }
  }

  /** To be called after anything that changed the device or may have let time pass. */
  function refresh(): void {
    if (!isOn) return
    catchUp()
    emitReport()
    setTimer()
  }

  function waitMs(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const cancel = schedule(() => {
        end()
        resolve()
      }, ms)
      const onAbort = () => {
        end()
        reject(signal.reason)
      }
      const end = () => {
        cancel()
        signal.removeEventListener('abort', onAbort)
        pendingWaits.delete(freeze)
      }
      // Without power nobody answers any more; only the abort of the caller ends the wait.
      const freeze = () => {
        end()
        signal.addEventListener('abort', () => reject(signal.reason), { once: true })
      }
      pendingWaits.add(freeze)
      signal.addEventListener('abort', onAbort, { once: true })
    })
  }

  /**
   * One question over the link. What `act` does happens at once; its answer, good or bad, travels back a moment later and
   * is lost when the link is lost by then.
   */
  async function answer<T>(signal: AbortSignal, act: (seconds: number) => T): Promise<T> {
    signal.throwIfAborted()
    if (isSilent()) return hang(signal)
    let outcome: () => T
    try {
      const value = act(catchUp())
      outcome = () => value
    } catch (error) {
      outcome = () => {
        throw error
      }
    }
    refresh()
    await Promise.resolve()
    if (isSilent()) return hang(signal)
    signal.throwIfAborted()
    return outcome()
  }

  function logCommand(seconds: number, kind: 'refused' | 'ignored', fileName: string | null, detail: string): void {
    const runId = isActive(state.run) ? state.run.id : null
    commit({ state, events: [{ seconds, kind, fileName, runId, detail }] })
  }

  /** Refuses a start that takes effect anyway; nothing else of the machine knows of it until then. */
  function refuseBeforeEffect(seconds: number, start: RunStart): never {
    const at = seconds + (lateStartMs / 1_000) * state.clock.speed
    commit({ state: { ...state, runCount: state.runCount + 1, lateStart: { at, start } }, events: [] })
    logCommand(seconds, 'refused', start.fileName, 'start: it takes effect anyway')
    throw new VirtualPrinterError('REFUSED', 'The printer could not start the print.')
  }

  function startByHand(fileName: string, plan: PrintPlan): { runId: string } {
    if (!isOn || state.offUntil !== null) throw new VirtualPrinterError('WRONG_STATE', 'The printer is switched off.')
    const seconds = catchUp()
    // A machine prepares one print: what a person starts takes the place of one that it had not begun.
    const acknowledged = { ...state, faultMessage: null, lateStart: null }
    const runId = newRunId()
    commit(startRun(machine, acknowledged, seconds, { runId, fileName, plan, mustBeStored: false }))
    refresh()
    return { runId }
  }

  /** Carries out a command, unless a fault has it refused or ignored; false when it was ignored. */
  function execute(name: string, fileName: string | null, seconds: number, act: () => Step): boolean {
    try {
      if (state.faults.includes('refuse')) {
        throw new VirtualPrinterError('REFUSED', `The printer refuses to ${name}: not allowed by its present settings.`)
      }
      if (state.faults.includes('yes_without_effect')) {
        logCommand(seconds, 'ignored', fileName, name)
        return false
      }
      commit(act())
      return true
    } catch (error) {
      if (error instanceof VirtualPrinterError) logCommand(seconds, 'refused', fileName, `${name}: ${error.message}`)
      throw error
    }
  }

  function command(name: string, signal: AbortSignal, act: (seconds: number) => Step): Promise<void> {
    return answer(signal, (seconds) => {
      execute(name, null, seconds, () => act(seconds))
    })
  }

  function newRunId(): string {
    // With the time in it, so that a printer without memory does not repeat the identities of an earlier life.
    return `${Math.floor(now()).toString(36)}-${state.runCount + 1}`
  }

  function storeFile(file: StoredFile): void {
    uploading.delete(file.fileName)
    const seconds = catchUp()
    const { fileName } = file
    const event: DeviceEvent = { seconds, kind: 'uploaded', fileName, runId: null, detail: `${file.sizeBytes} bytes` }
    commit({ state: putFile(state, file), events: [event] })
  }

  const fileStore: Omit<FileStore, 'finish'> = {
    isSilent,
    isBreaking: () => state.faults.includes('half_upload'),
    begin(fileName) {
      const seconds = catchUp()
      try {
        if (uploading.has(fileName)) throw new VirtualPrinterError('BUSY', `${fileName} is being uploaded.`)
        commit({ state: putFile(state, { fileName, sizeBytes: 0, isComplete: false }), events: [] })
      } catch (error) {
        if (error instanceof VirtualPrinterError) logCommand(seconds, 'refused', fileName, `upload: ${error.message}`)
        throw error
      }
      uploading.add(fileName)
    },
    async settle(signal) {
      if (state.faults.includes('slow_file_store')) await waitMs(slowFileStoreMs, signal)
      if (state.faults.includes('storage_full')) throw new VirtualPrinterError('STORAGE_FULL', 'There is no room left.')
    },
    breakOff(fileName, receivedBytes, reason) {
      uploading.delete(fileName)
      // Without power nobody is there to count; the file is already marked as partial.
      if (!isOn) return
      const seconds = catchUp()
      const file = { fileName, sizeBytes: receivedBytes, isComplete: false }
      const event: DeviceEvent = { seconds, kind: 'upload_broken', fileName, runId: null, detail: reason }
      commit({ state: putFile(state, file), events: [event] })
    },
  }

  if (log?.stored.state.clock) {
    const seconds = catchUp()
    if (options.speed !== undefined) state = { ...state, clock: withSpeed(state.clock, now(), options.speed) }
    if (options.faults !== undefined) state = { ...state, faults: [...options.faults], faultsSince: seconds }
  } else if (options.faults !== undefined) {
    state = { ...state, faults: [...options.faults] }
  }

  return {
    id,
    get events() {
      catchUp()
      return [...events]
    },
    get plate() {
      catchUp()
      return state.plate
    },
    async powerOn() {
      if (isOn) return
      isOn = true
      const seconds = catchUp()
      record({}, [{ seconds, kind: 'powered_on', fileName: null, runId: null, detail: machine.model.name }])
      refresh()
    },
    async powerOff() {
      if (!isOn) return
      catchUp()
      if (isLogBehind) record({}, [])
      isOn = false
      cancelTimer?.()
      cancelTimer = null
      listeners.clear()
      for (const freeze of [...pendingWaits]) freeze()
    },
    report() {
      const seconds = catchUp()
      return describeDevice(machine, state, seconds)
    },
    onReport(listener) {
      // Wrapped, so that the same function can listen twice and each end its own subscription.
      const subscription = (report: VirtualReport) => listener(report)
      listeners.add(subscription)
      setTimer()
      return () => {
        listeners.delete(subscription)
        setTimer()
      }
    },
    upload(fileName, sizeBytes, content, signal) {
      const watched = watchForEjection(content)
      const finish: FileStore['finish'] = (name, size) =>
        storeFile({ fileName: name, sizeBytes: size, isComplete: true, ...(watched.ejects() && { ejects: true }) })
      const bounded = AbortSignal.any([signal, connections.signal])
      return receiveUpload({ fileName, sizeBytes, content: watched.content, signal: bounded }, { ...fileStore, finish })
    },
    async listFiles(signal) {
      signal.throwIfAborted()
      if (isSilent()) return hang(signal)
      if (state.faults.includes('slow_file_store')) await waitMs(slowFileStoreMs, signal)
      return answer(signal, () => state.files.map(({ fileName, sizeBytes }) => ({ fileName, sizeBytes })))
    },
    deleteFile(fileName, signal) {
      return answer(signal, () => {
        commit({ state: removeFile(state, fileName), events: [] })
      })
    },
    startPrint(fileName, plan, signal) {
      return answer(signal, (seconds) => {
        const runId = newRunId()
        const start = { runId, fileName, plan, mustBeStored: true }
        if (state.faults.includes('refusal_after_effect')) refuseBeforeEffect(seconds, start)
        const isIgnored = !execute('start', fileName, seconds, () => startRun(machine, state, seconds, start))
        // An identity that was given away is used up, even for a run that never is.
        if (isIgnored) commit({ state: { ...state, runCount: state.runCount + 1 }, events: [] })
        return { runId }
      })
    },
    pause: (signal) => command('pause', signal, (seconds) => pauseRun(state, seconds)),
    resume: (signal) => command('resume', signal, (seconds) => resumeRun(machine, state, seconds)),
    stop: (signal) => command('stop', signal, (seconds) => stopAll(machine, state, seconds)),
    setTargets: (targets, signal) =>
      command('set targets', signal, (seconds) => setHeaterTargets(machine, state, seconds, targets)),
    setLight: (on, signal) =>
      command('switch the light', signal, () => ({ state: { ...state, lightOn: on }, events: [] })),
    loadFilament: (signal) =>
      command('load filament', signal, (seconds) => changeFilament(machine, state, seconds, 'load')),
    unloadFilament: (signal) =>
      command('unload filament', signal, (seconds) => changeFilament(machine, state, seconds, 'unload')),
    setFaults(active) {
      const seconds = catchUp()
      const isLinkBack = state.faults.includes('lost_link') && !active.includes('lost_link')
      record({ faults: [...new Set(active)], faultsSince: seconds }, [])
      if (isLinkBack) resetConnections()
      // So that a link that is back is heard of, also when nothing else has changed.
      lastReportText = ''
      refresh()
    },
    setSpeed(speed) {
      assertSpeed(speed)
      catchUp()
      record({ clock: withSpeed(state.clock, now(), speed) }, [])
      refresh()
    },
    startByHand,
    putSpool(filament) {
      catchUp()
      if (state.run && state.run.phase !== 'ended' && state.run.phase !== 'paused') {
        throw new VirtualPrinterError('WRONG_STATE', 'It prints.')
      }
      machine.spool = filament
      record({ filament }, [])
      refresh()
    },
    takeOffPlate() {
      const seconds = catchUp()
      commit(takeOffPlate(state, seconds))
      refresh()
    },
    acknowledgeFault() {
      catchUp()
      commit({ state: { ...state, faultMessage: null }, events: [] })
      refresh()
    },
    takePrintOff() {
      const seconds = catchUp()
      const { state: emptied, events } = takeOffPlate(state, seconds)
      commit({ state: { ...emptied, faultMessage: null }, events })
      refresh()
    },
    restart({ remembers = options.remembersLastRun ?? true, offMs = 0 } = {}) {
      const seconds = catchUp()
      commit(restartMachine(machine, state, seconds, { remembers, offSeconds: (offMs / 1_000) * state.clock.speed }))
      resetConnections()
      lastReportText = ''
      refresh()
    },
  }
}

function scheduleTimeout(callback: () => void, delayMs: number): () => void {
  const timer = setTimeout(callback, delayMs)
  return () => clearTimeout(timer)
}

/** The members that are not the very same value; null when all are. */
function changedParts<State extends object>(before: State, after: State): Partial<State> | null {
  const change: Partial<State> = {}
  let hasChanged = false
  for (const key of Object.keys(after) as (keyof State)[]) {
    if (before[key] === after[key]) continue
    change[key] = after[key]
    hasChanged = true
  }
  return hasChanged ? change : null
}
