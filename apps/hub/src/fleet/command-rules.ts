import type { CommandErrorCode } from '@printyard/protocol/commands'
import type { PrinterSettings } from '@printyard/protocol/messages'
import type { PrinterState } from '@printyard/protocol/printer-state'
import type { DeviceCommand } from '../drivers/driver.ts'
import { CodedError } from '../util/coded-error.ts'

/** Reason why a command was not carried out, as the service is told. */
export class CommandError extends CodedError<CommandErrorCode> {}

/** Throws a `CommandError` when the command does not fit what the printer is doing. */
export function assertFits(command: DeviceCommand, state: PrinterState): void {
  if (state.status === 'offline') {
    throw new CommandError('PRINTER_UNREACHABLE', state.status_reason ?? 'the printer does not answer')
  }
  switch (command.kind) {
    case 'pause':
    case 'resume':
    case 'stop': {
      const { attempt_id } = command.args
      if (state.run && attempt_id !== null && state.run.attempt_id !== attempt_id) {
        throw new CommandError('WRONG_RUN', `the printer runs ${state.run.file_name}, which is another job`)
      }
      const needed = { pause: ['printing'], resume: ['paused'], stop: ['printing', 'paused'] }[command.kind]
      // A stop that names no run also ends what a printer does without a job, and acknowledges its fault or that of its last print.
      const isAtRest = state.status === 'idle' && !state.problems?.some(({ reason }) => reason === 'print_error')
      const isFree = command.kind === 'stop' && attempt_id === null && !isAtRest
      if (!needed.includes(state.status) && !isFree) {
        throw new CommandError('WRONG_STATE', `the printer is ${state.status}`)
      }
      return
    }
    case 'load_filament':
    case 'unload_filament':
      if (state.status !== 'idle' && state.status !== 'paused') {
        throw new CommandError('WRONG_STATE', `the printer is ${state.status}`)
      }
      return
    case 'heaters':
    case 'light':
      return
  }
}

const heaters = ['nozzle', 'bed', 'chamber'] as const

/** The command within the printer's limits, with a sentence for each target that had to be lowered. */
export function withinLimits(
  command: DeviceCommand,
  limits: PrinterSettings['limits'],
): { command: DeviceCommand; note: string | null } {
  if (command.kind === 'heaters') {
    const args = { ...command.args }
    const notes: string[] = []
    for (const heater of heaters) {
      const wanted = args[heater]
      if (wanted === undefined || wanted <= limits[heater]) continue
      args[heater] = limits[heater]
      notes.push(`${heater} limited to ${limits[heater]} °C`)
    }
    return { command: { kind: 'heaters', args }, note: notes.length > 0 ? notes.join(', ') : null }
  }
  if (command.kind === 'load_filament' || command.kind === 'unload_filament') {
    const { temperature } = command.args
    if (temperature !== null && temperature > limits.nozzle) {
      const args = { ...command.args, temperature: limits.nozzle }
      return { command: { kind: command.kind, args }, note: `nozzle limited to ${limits.nozzle} °C` }
    }
  }
  return { command, note: null }
}

/**
 * True when the printer shows the effect of the command; `before` is what it showed when it was asked. Where a printer does
 * not report a thing at all its answer has to do.
 */
export function showsEffect(command: DeviceCommand, before: PrinterState, now: PrinterState): boolean {
  if (now.status === 'offline') return false
  const isSameRun =
    now.run !== null && now.run.job_id === before.run?.job_id && now.run.file_name === before.run?.file_name
  switch (command.kind) {
    case 'pause':
      return now.status === 'paused' && isSameRun
    case 'resume':
      return now.status === 'printing' && isSameRun
    case 'stop':
      return before.run ? !isSameRun : now.status === 'idle'
    case 'heaters':
      return heaters.every((heater) => {
        const shown = now[`target_${heater}_temp`]
        const wanted = command.args[heater]
        return wanted === undefined || shown === null || Math.abs(shown - wanted) <= 0.5
      })
    case 'light':
      return now.light_on === null || now.light_on === command.args.on
    case 'load_filament':
    case 'unload_filament': {
      const isLoaded = now.filament_type !== null
      return now.status_reason !== before.status_reason || isLoaded === (command.kind === 'load_filament')
    }
  }
}
