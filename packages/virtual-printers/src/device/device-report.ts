import type { VirtualPrinterActivity, VirtualReport } from '../virtual-printer.ts'
import {
  type DeviceState,
  heatedAt,
  isActive,
  lyingFinishFraction,
  type Machine,
  printedSeconds,
  type Run,
} from './device-state.ts'
import { fractionPrinted, layerAt, shownProgress } from './print-progress.ts'
import { seedOf, wanderAt } from './seeded-noise.ts'
import { type Heater, type HeaterSpec, heaterTempAt, isSettled } from './thermal.ts'

/** How far a reading of a hot heater lies from the truth at most, in °C. */
const noiseTemp = 0.4

/** Answers what the printer says about itself at `seconds`; the state must have been advanced to that moment. */
export function describeDevice(machine: Machine, state: DeviceState, seconds: number): VirtualReport {
  const { run, filament } = state
  const printed = run ? printedSeconds(run, seconds) : 0
  const fraction = run ? fractionPrinted(printed, run.plan.printTimeSeconds) : 0
  const hasBegun = printed > 0
  const report: VirtualReport = {
    activity: activityOf(state),
    message: messageOf(state),
    runId: run?.id ?? null,
    fileName: run?.fileName ?? null,
    lastResult: run?.result ?? null,
    lastResultReason: run?.resultReason ?? null,
    progress: shownProgress(fraction),
    layer: run && hasBegun ? layerAt(fraction, run.plan.layerCount, seedOf(run.id)) : 0,
    totalLayers: run?.plan.layerCount ?? 0,
    remainingSeconds: isActive(run) ? remainingSeconds(machine, state, run, printed, seconds) : null,
    nozzle: readHeater(machine, machine.model.nozzle, state.nozzle, seconds, 1),
    bed: readHeater(machine, machine.model.bed, state.bed, seconds, 2),
    chamber:
      state.chamber && machine.model.chamber
        ? readHeater(machine, machine.model.chamber, state.chamber, seconds, 3)
        : null,
    lightOn: state.lightOn,
    filament: filament && { ...filament },
    firmware: machine.model.firmware,
  }
  if (run && isActive(run) && fraction >= lyingFinishFraction && state.faults.includes('lying_finish')) {
    return {
      ...report,
      activity: 'idle',
      message: null,
      lastResult: 'completed',
      progress: 1,
      layer: run.plan.layerCount,
      remainingSeconds: null,
    }
  }
  return report
}

/** True when readings still move by themselves although nothing is being done. */
export function isWarm(machine: Machine, state: DeviceState, seconds: number): boolean {
  const { model } = machine
  return !(
    isSettled(model.nozzle, state.nozzle, seconds) &&
    isSettled(model.bed, state.bed, seconds) &&
    (!state.chamber || !model.chamber || isSettled(model.chamber, state.chamber, seconds))
  )
}

function activityOf(state: DeviceState): VirtualPrinterActivity {
  if (state.filamentChange) return 'changing_filament'
  if (isActive(state.run)) return state.run.phase === 'ended' ? 'idle' : state.run.phase
  return state.faultMessage ? 'fault' : 'idle'
}

function messageOf(state: DeviceState): string | null {
  if (state.filamentChange) return state.filamentChange.kind === 'load' ? 'Loading filament.' : 'Unloading filament.'
  return state.faultMessage ?? state.run?.pauseMessage ?? null
}

function remainingSeconds(machine: Machine, state: DeviceState, run: Run, printed: number, seconds: number): number {
  const heating = run.phase === 'heating' ? Math.max(0, heatedAt(machine, state) - seconds) : 0
  return Math.ceil(heating + run.plan.printTimeSeconds - printed)
}

function readHeater(machine: Machine, spec: HeaterSpec, heater: Heater, seconds: number, channel: number) {
  const temp = heaterTempAt(spec, heater, seconds)
  // A cold sensor reads steadily; this is also what lets a printer that does nothing stay silent.
  const warmth = Math.min(1, Math.max(0, (temp - machine.ambientTemp - 1) / 20))
  const reading = temp + wanderAt(machine.seed + channel, seconds) * noiseTemp * warmth
  return { actual: Math.round(reading * 10) / 10, target: heater.target }
}
