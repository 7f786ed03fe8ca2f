import type { CommandKind } from '@printyard/protocol/command-kinds'
import { type DeviceCommand, DriverError } from '../driver.ts'
import { numberIn, textIn } from '../wire/wire-values.ts'
import type { CrealityFields } from './creality-state.ts'

type Connection = Readonly<Record<string, unknown>>
/** Params of one `set`. */
type Setting = Record<string, unknown>

export const askEverything = JSON.stringify({ method: 'get', params: { ReqPrinterPara: 1 } })
export const askBoxes = JSON.stringify({ method: 'get', params: { boxsInfo: 1 } })

export function setMessage(params: Setting): string {
  return JSON.stringify({ method: 'set', params })
}

export function deletion(path: string): string {
  return setMessage({ opGcodeFile: `deleteprt:${path}` })
}

/** What can be asked of a printer with this connection. */
export function commandsOf(connection: Connection): Set<CommandKind> {
  const commands = new Set<CommandKind>(['print', 'pause', 'resume', 'stop', 'heaters', 'light'])
  if (gcodeIn(connection, 'load_gcode') !== null) commands.add('load_filament')
  if (gcodeIn(connection, 'unload_gcode') !== null) commands.add('unload_filament')
  return commands
}

/**
 * What to set for a command, in order. A stop depends on what is shown, and is no part of it.
 * @throws DriverError when the printer would ignore it in silence.
 */
export function settingsFor(
  command: Exclude<DeviceCommand, { kind: 'stop' }>,
  fields: CrealityFields,
  connection: Connection,
): Setting[] {
  switch (command.kind) {
    case 'pause':
      return [{ pause: 1 }]
    case 'resume':
      return [{ pause: 0 }]
    case 'heaters':
      return heaterSettings(command.args, fields)
    case 'light':
      return [{ lightSw: command.args.on ? 1 : 0 }]
    case 'load_filament':
    case 'unload_filament': {
      const name = command.kind === 'load_filament' ? 'load_gcode' : 'unload_gcode'
      const text = gcodeIn(connection, name)
      if (text === null) throw new DriverError('NOT_SUPPORTED', `no G-code is set for ${name}`)
      return [{ gcodeCmd: text }]
    }
  }
}

function heaterSettings(
  { nozzle, bed, chamber }: { nozzle?: number; bed?: number; chamber?: number },
  fields: CrealityFields,
): Setting[] {
  assertWithin('nozzle', nozzle, fields.maxNozzleTemp)
  assertWithin('bed', bed, fields.maxBedTemp)
  if (chamber !== undefined && !((numberIn(fields.maxBoxTemp) ?? 0) > 0)) {
    throw new DriverError('NOT_SUPPORTED', 'the printer cannot heat its chamber')
  }
  assertWithin('chamber', chamber, fields.maxBoxTemp)
  return [
    ...(nozzle === undefined ? [] : [{ nozzleTempControl: nozzle }]),
    ...(bed === undefined ? [] : [{ bedTempControl: { num: 0, val: bed } }]),
    ...(chamber === undefined ? [] : [{ boxTempControl: chamber }]),
  ]
}

/** A target beyond its limit the printer ignores in silence. */
function assertWithin(heater: string, target: number | undefined, limit: unknown): void {
  const most = numberIn(limit)
  if (target === undefined || most === null || most <= 0 || target <= most) return
  throw new DriverError('REFUSED', `the ${heater} takes at most ${most} °C, not ${target}`)
}

function gcodeIn(connection: Connection, name: 'load_gcode' | 'unload_gcode'): string | null {
  return textIn(connection[name], 1_000)
}
