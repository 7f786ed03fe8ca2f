/**
 * The machine itself as a pure state machine over simulated seconds: no timers, no clock. A state is valid from its last
 * change until the next transition it foresees, so the printer can be asked about any moment, however much later.
 */

import { type Fault, type PrintPlan, VirtualPrinterError, type VirtualPrinterEvent } from '../virtual-printer.ts'
import type { PrinterModel } from './models.ts'
import { type PhysicalPlate, withRun } from './physical-plate.ts'
import { changeHeater, type Heater, type HeaterSpec, hotAt } from './thermal.ts'

/** What stays the same about one machine all its life. */
export interface Machine {
  model: PrinterModel
  seed: number
  ambientTemp: number
  /** What a person puts in when told to load filament. */
  spool: Filament
}

export interface Filament {
  type: string
  colorHex: string
}

/** The present run, or the last one once it is `ended`. */
export interface Run {
  id: string
  fileName: string
  plan: PrintPlan
  phase: 'heating' | 'printing' | 'paused' | 'ended'
  /** Simulated seconds at which the phase began. */
  since: number
  /** Seconds of printing that were done when the phase began. */
  printedBefore: number
  pauseMessage: string | null
  ranOut: boolean
  /** The file ends by pushing the print off the plate. */
  ejects?: boolean
  result: 'completed' | 'failed' | 'cancelled' | null
  resultReason: string | null
}

export interface StoredFile {
  fileName: string
  sizeBytes: number
  /** False while it is being uploaded and for ever when that broke off. */
  isComplete: boolean
  /** Its last lines push the print off the plate. */
  ejects?: boolean
}

/** Plain data, never changed in place. */
export interface DeviceState {
  nozzle: Heater
  bed: Heater
  chamber: Heater | null
  run: Run | null
  runCount: number
  /** Set while the machine waits for a person. */
  faultMessage: string | null
  filament: Filament | null
  filamentChange: { kind: 'load' | 'unload'; endsAt: number; nozzleTargetAfter: number } | null
  lightOn: boolean
  plate: PhysicalPlate
  /** A start that was refused and takes effect anyway, at this moment. */
  lateStart: { at: number; start: RunStart } | null
  /** Without power until then. */
  offUntil: number | null
  files: readonly StoredFile[]
  faults: readonly Fault[]
  /** Since when the present faults are on. */
  faultsSince: number
}

/** What a run is started with. `mustBeStored`: only files that were uploaded; at the screen a person may also print from a stick. */
export interface RunStart {
  runId: string
  fileName: string
  plan: PrintPlan
  mustBeStored: boolean
}

/** A line for the log, at a simulated moment. */
export interface DeviceEvent extends Omit<VirtualPrinterEvent, 'at'> {
  seconds: number
}

/** Result of a change. */
export interface Step {
  state: DeviceState
  events: DeviceEvent[]
}

/** Parts of the print at which the faults strike, as fractions of its printing time. */
export const lyingFinishFraction = 0.2
const runoutFraction = 0.4
const failureFraction = 0.5

const filamentTemp = 220
const feedSeconds = 40

export function initialState(machine: Machine): DeviceState {
  const cold: Heater = { at: 0, temp: machine.ambientTemp, target: 0, surroundings: machine.ambientTemp }
  return {
    nozzle: cold,
    bed: cold,
    chamber: machine.model.chamber && cold,
    run: null,
    runCount: 0,
    faultMessage: null,
    filament: machine.spool,
    filamentChange: null,
    lightOn: false,
    plate: [],
    lateStart: null,
    offUntil: null,
    files: [],
    faults: [],
    faultsSince: 0,
  }
}

/** True when a print is in progress, heating and pauses included. */
export function isActive(run: Run | null): run is Run {
  return run !== null && run.phase !== 'ended'
}

/** Seconds of printing done at `seconds`. */
export function printedSeconds(run: Run, seconds: number): number {
  const sinceThen = run.phase === 'printing' ? Math.max(0, seconds - run.since) : 0
  return Math.min(run.plan.printTimeSeconds, run.printedBefore + sinceThen)
}

/** Answers when nozzle and bed have both reached their targets. */
export function heatedAt(machine: Machine, state: DeviceState): number {
  return Math.max(hotAt(machine.model.nozzle, state.nozzle), hotAt(machine.model.bed, state.bed))
}

interface Transition {
  at: number
  apply(machine: Machine, state: DeviceState, at: number): Step
}

function nextTransition(machine: Machine, state: DeviceState): Transition | null {
  const own = nextOwnTransition(machine, state)
  const { lateStart, offUntil } = state
  const candidates: Transition[] = own ? [own] : []
  if (lateStart) candidates.push({ at: lateStart.at, apply: startLate })
  if (offUntil !== null) candidates.push({ at: offUntil, apply: comeBack })
  return candidates.reduce<Transition | null>((first, each) => (first && first.at <= each.at ? first : each), null)
}

function nextOwnTransition(machine: Machine, state: DeviceState): Transition | null {
  if (state.filamentChange) return { at: state.filamentChange.endsAt, apply: endFilamentChange }
  const { run } = state
  if (run?.phase === 'heating') return { at: Math.max(run.since, heatedAt(machine, state)), apply: beginPrinting }
  if (run?.phase !== 'printing') return null
  const { printTimeSeconds } = run.plan
  const momentOf = (fraction: number) => run.since + fraction * printTimeSeconds - run.printedBefore
  let next: Transition = { at: Math.max(run.since, momentOf(1)), apply: complete }
  const strike = (fraction: number, apply: Transition['apply']) => {
    const at = Math.max(momentOf(fraction), run.since, state.faultsSince)
    if (at < next.at) next = { at, apply }
  }
  if (state.faults.includes('print_failure')) strike(failureFraction, failPrint)
  if (state.faults.includes('runout') && !run.ranOut) strike(runoutFraction, runOut)
  return next
}

/** The moment at which something will happen by itself; null when nothing will. */
export function foreseenAt(machine: Machine, state: DeviceState): number | null {
  return nextTransition(machine, state)?.at ?? null
}

/** Lets everything happen that was foreseen up to and including `seconds`. */
export function advance(machine: Machine, state: DeviceState, seconds: number): Step {
  const events: DeviceEvent[] = []
  let present = state
  for (let next = nextTransition(machine, present); next && next.at <= seconds; ) {
    const step = next.apply(machine, present, next.at)
    present = step.state
    events.push(...step.events)
    next = nextTransition(machine, present)
  }
  return { state: present, events }
}

/** Begins a run. */
export function startRun(machine: Machine, state: DeviceState, seconds: number, start: RunStart): Step {
  assertFree(state)
  if (state.faultMessage) throw new VirtualPrinterError('WRONG_STATE', state.faultMessage)
  const file = state.files.find((stored) => stored.fileName === start.fileName)
  if (!file && start.mustBeStored) throw new VirtualPrinterError('NO_SUCH_FILE', `No file named ${start.fileName}.`)
  if (file && !file.isComplete) throw new VirtualPrinterError('REFUSED', `${start.fileName} is not complete.`)
  if (!state.filament) throw new VirtualPrinterError('REFUSED', 'No filament is loaded.')
  const plan = printablePlan(machine.model, start.plan)
  const run: Run = {
    id: start.runId,
    fileName: start.fileName,
    plan,
    phase: 'heating',
    since: seconds,
    printedBefore: 0,
    pauseMessage: null,
    ranOut: false,
    ejects: file?.ejects === true,
    result: null,
    resultReason: null,
  }
  const events: DeviceEvent[] = [{ ...eventOf(seconds, 'started', run, null), onPlate: state.plate }]
  if (state.plate.length > 0) {
    events.push(eventOf(seconds, 'started_on_occupied_plate', run, 'The last print was still on the plate.'))
  }
  const heated = withTargets(machine.model, state, seconds, { nozzle: plan.nozzleTemp, bed: plan.bedTemp })
  return { state: { ...heated, run, runCount: state.runCount + 1 }, events }
}

export function pauseRun(state: DeviceState, seconds: number): Step {
  assertNoFilamentChange(state)
  const { run } = state
  if (run?.phase !== 'heating' && run?.phase !== 'printing')
    throw new VirtualPrinterError('WRONG_STATE', 'Not printing.')
  const paused = inPhase(run, seconds, 'paused', 'Paused.')
  return { state: { ...state, run: paused }, events: [eventOf(seconds, 'paused', run, null)] }
}

/** Goes on with a paused run, after heating again where a person turned the heaters down. */
export function resumeRun(machine: Machine, state: DeviceState, seconds: number): Step {
  assertNoFilamentChange(state)
  const { run } = state
  if (run?.phase !== 'paused') throw new VirtualPrinterError('WRONG_STATE', 'Not paused.')
  if (!state.filament) throw new VirtualPrinterError('WRONG_STATE', 'No filament is loaded.')
  const { nozzleTemp, bedTemp } = run.plan
  const heated = withTargets(machine.model, state, seconds, { nozzle: nozzleTemp, bed: bedTemp })
  const resumed = inPhase(run, seconds, 'heating', null)
  return { state: { ...heated, run: resumed }, events: [eventOf(seconds, 'resumed', run, null)] }
}

/** Ends whatever the machine does: a run, a filament change, or the fault that it shows. */
export function stopAll(machine: Machine, state: DeviceState, seconds: number): Step {
  const { run, filamentChange } = state
  if (!isActive(run) && !filamentChange && !state.faultMessage) {
    throw new VirtualPrinterError('WRONG_STATE', 'Nothing to stop.')
  }
  const faultMessage = state.faults.includes('lasting_error') ? state.faultMessage : null
  const calm = { ...state, filamentChange: null, faultMessage }
  if (isActive(run)) return endRun(machine, calm, seconds, run, 'cancelled', null)
  const nozzle = filamentChange?.nozzleTargetAfter ?? state.nozzle.target
  return { state: withTargets(machine.model, calm, seconds, { nozzle }), events: [] }
}

/** Takes new heater targets within the limits of the model; 0 switches a heater off. */
export function setHeaterTargets(
  machine: Machine,
  state: DeviceState,
  seconds: number,
  targets: { nozzle?: number; bed?: number; chamber?: number },
): Step {
  assertNoFilamentChange(state)
  if (state.faultMessage) throw new VirtualPrinterError('WRONG_STATE', state.faultMessage)
  const { model } = machine
  if (targets.nozzle !== undefined) assertTarget('nozzle', model.nozzle, targets.nozzle)
  if (targets.bed !== undefined) assertTarget('bed', model.bed, targets.bed)
  if (targets.chamber !== undefined) {
    if (!model.chamber?.maxTemp) throw new VirtualPrinterError('NOT_SUPPORTED', 'This model cannot heat its chamber.')
    assertTarget('chamber', model.chamber, targets.chamber)
  }
  return { state: withTargets(model, state, seconds, targets), events: [] }
}

/** Begins to load or unload; the nozzle heats first, and returns to its target afterwards. */
export function changeFilament(machine: Machine, state: DeviceState, seconds: number, kind: 'load' | 'unload'): Step {
  assertNoFilamentChange(state)
  if (state.run?.phase === 'heating' || state.run?.phase === 'printing') {
    throw new VirtualPrinterError('BUSY', `Printing ${state.run.fileName}.`)
  }
  if (state.faultMessage) throw new VirtualPrinterError('WRONG_STATE', state.faultMessage)
  if (kind === 'unload' && !state.filament) throw new VirtualPrinterError('WRONG_STATE', 'No filament is loaded.')
  const before = state.nozzle.target
  const hot = withTargets(machine.model, state, seconds, { nozzle: Math.max(before, filamentTemp) })
  const endsAt = Math.max(seconds, hotAt(machine.model.nozzle, hot.nozzle)) + feedSeconds
  return { state: { ...hot, filamentChange: { kind, endsAt, nozzleTargetAfter: before } }, events: [] }
}

/** A person takes everything off. Nothing happens on an empty plate. */
export function takeOffPlate(state: DeviceState, seconds: number): Step {
  if (isActive(state.run)) throw new VirtualPrinterError('WRONG_STATE', 'A print is running on the plate.')
  if (state.plate.length === 0) return { state, events: [] }
  const event: DeviceEvent = { ...eventOf(seconds, 'plate_taken_off', state.run, null), onPlate: state.plate }
  return { state: { ...state, plate: [] }, events: [event] }
}

/**
 * The machine loses its power, or crashes, and comes back: a print in progress is over for good, and what lies on the plate
 * stays. Forgetful, it shows no last run afterwards, not even one that had ended well before.
 */
export function restartMachine(
  machine: Machine,
  state: DeviceState,
  seconds: number,
  { remembers, offSeconds }: { remembers: boolean; offSeconds: number },
): Step {
  const reason = 'The power was cut.'
  const ended = isActive(state.run)
    ? endRun(machine, state, seconds, state.run, 'failed', reason)
    : { state: withTargets(machine.model, state, seconds, { nozzle: 0, bed: 0 }), events: [] }
  const restarted: DeviceState = {
    ...ended.state,
    run: remembers ? ended.state.run : null,
    faultMessage: null,
    filamentChange: null,
    lateStart: null,
    lightOn: false,
    offUntil: offSeconds > 0 ? seconds + offSeconds : null,
  }
  return { state: restarted, events: [...ended.events, eventOf(seconds, 'restarted', null, null)] }
}

/** Stores or replaces a file. Refuses (`BUSY`) the one that is being printed. */
export function putFile(state: DeviceState, file: StoredFile): DeviceState {
  assertNotPrinted(state, file.fileName)
  const others = state.files.filter((stored) => stored.fileName !== file.fileName)
  return { ...state, files: [...others, file] }
}

export function removeFile(state: DeviceState, fileName: string): DeviceState {
  assertNotPrinted(state, fileName)
  const files = state.files.filter((stored) => stored.fileName !== fileName)
  if (files.length === state.files.length) throw new VirtualPrinterError('NO_SUCH_FILE', `No file named ${fileName}.`)
  return { ...state, files }
}

function assertNotPrinted(state: DeviceState, fileName: string): void {
  if (isActive(state.run) && state.run.fileName === fileName) {
    throw new VirtualPrinterError('BUSY', `${fileName} is being printed.`)
  }
}

function assertNoFilamentChange(state: DeviceState): void {
  if (state.filamentChange) throw new VirtualPrinterError('BUSY', 'Filament is being changed.')
}

function assertFree(state: DeviceState): void {
  assertNoFilamentChange(state)
  if (isActive(state.run)) throw new VirtualPrinterError('BUSY', `Printing ${state.run.fileName}.`)
}

function assertTarget(heater: string, spec: HeaterSpec, target: number): void {
  if (!(target >= 0 && target <= spec.maxTemp)) {
    throw new VirtualPrinterError('REFUSED', `The ${heater} takes 0 to ${spec.maxTemp} °C, not ${target}.`)
  }
}

function printablePlan(model: PrinterModel, plan: PrintPlan): PrintPlan {
  assertTarget('nozzle', model.nozzle, plan.nozzleTemp)
  assertTarget('bed', model.bed, plan.bedTemp)
  if (!Number.isFinite(plan.printTimeSeconds) || !Number.isFinite(plan.layerCount)) {
    throw new VirtualPrinterError('REFUSED', 'The file says neither how long it prints nor in how many layers.')
  }
  return {
    printTimeSeconds: Math.max(1, plan.printTimeSeconds),
    layerCount: Math.max(1, Math.floor(plan.layerCount)),
    nozzleTemp: plan.nozzleTemp,
    bedTemp: plan.bedTemp,
  }
}

function withTargets(
  model: PrinterModel,
  state: DeviceState,
  seconds: number,
  targets: { nozzle?: number; bed?: number; chamber?: number },
): DeviceState {
  const nozzle = changeHeater(model.nozzle, state.nozzle, seconds, { target: targets.nozzle ?? state.nozzle.target })
  const bed = changeHeater(model.bed, state.bed, seconds, { target: targets.bed ?? state.bed.target })
  if (!state.chamber || !model.chamber) return { ...state, nozzle, bed }
  // The bed warms the air above it; about a third of its excess arrives in a closed chamber.
  const surroundings = bed.surroundings + Math.max(0, bed.target - bed.surroundings) / 3
  const target = targets.chamber ?? state.chamber.target
  return {
    ...state,
    nozzle,
    bed,
    chamber: changeHeater(model.chamber, state.chamber, seconds, { target, surroundings }),
  }
}

function inPhase(run: Run, seconds: number, phase: Run['phase'], pauseMessage: string | null): Run {
  return { ...run, phase, since: seconds, printedBefore: printedSeconds(run, seconds), pauseMessage }
}

function endRun(
  machine: Machine,
  state: DeviceState,
  seconds: number,
  run: Run,
  result: 'completed' | 'failed' | 'cancelled',
  resultReason: string | null,
): Step {
  const ended: Run = { ...inPhase(run, seconds, 'ended', null), result, resultReason }
  const cooling = withTargets(machine.model, state, seconds, { nozzle: 0, bed: 0 })
  const events = [eventOf(seconds, result, run, resultReason)]
  return { state: { ...cooling, run: ended }, events }
}

function eventOf(seconds: number, kind: DeviceEvent['kind'], run: Run | null, detail: string | null): DeviceEvent {
  return { seconds, kind, fileName: run?.fileName ?? null, runId: run?.id ?? null, detail }
}

function beginPrinting(_machine: Machine, state: DeviceState, at: number): Step {
  const run = inPhase(runOf(state), at, 'printing', null)
  const plate = withRun(state.plate, { runId: run.id, fileName: run.fileName })
  return { state: { ...state, run, plate }, events: [] }
}

function complete(machine: Machine, state: DeviceState, at: number): Step {
  const step = endRun(machine, state, at, runOf(state), 'completed', null)
  const run = runOf(step.state)
  // Sums of fractions may end a hair before the planned time; done is done.
  const ended = { ...step.state, run: { ...run, printedBefore: run.plan.printTimeSeconds } }
  if (!run.ejects || state.faults.includes('stuck_ejection')) return { ...step, state: ended }
  const ejected = { ...eventOf(at, 'ejected', run, 'The print pushed itself off.'), onPlate: state.plate }
  return { state: { ...ended, plate: [] }, events: [...step.events, ejected] }
}

function failPrint(machine: Machine, state: DeviceState, at: number): Step {
  const reason = 'Thermal fault: the nozzle does not hold its temperature.'
  const step = endRun(machine, state, at, runOf(state), 'failed', reason)
  return { ...step, state: { ...step.state, faultMessage: reason } }
}

function runOut(_machine: Machine, state: DeviceState, at: number): Step {
  const reason = 'The filament ran out.'
  const run = runOf(state)
  const paused = { ...inPhase(run, at, 'paused', reason), ranOut: true }
  return { state: { ...state, run: paused, filament: null }, events: [eventOf(at, 'paused', run, reason)] }
}

function endFilamentChange(machine: Machine, state: DeviceState, at: number): Step {
  const { filamentChange } = state
  if (!filamentChange) return { state, events: [] }
  const heated = withTargets(machine.model, state, at, { nozzle: filamentChange.nozzleTargetAfter })
  const filament = filamentChange.kind === 'load' ? machine.spool : null
  return { state: { ...heated, filament, filamentChange: null }, events: [] }
}

function startLate(machine: Machine, state: DeviceState, at: number): Step {
  const { lateStart } = state
  const rested = { ...state, lateStart: null }
  if (!lateStart) return { state: rested, events: [] }
  try {
    return startRun(machine, rested, at, lateStart.start)
  } catch (error) {
    if (!(error instanceof VirtualPrinterError)) throw error
    // Something else runs by now, or the file has gone: nothing comes of it.
    return { state: rested, events: [] }
  }
}

function comeBack(_machine: Machine, state: DeviceState): Step {
  return { state: { ...state, offUntil: null }, events: [] }
}

function runOf(state: DeviceState): Run {
  if (!state.run) throw new Error('a transition of a run was foreseen without a run')
  return state.run
}
