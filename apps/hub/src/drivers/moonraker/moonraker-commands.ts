import type { CommandKind } from '@printyard/protocol/command-kinds'
import { type DeviceCommand, DriverError } from '../driver.ts'
import { lightObject } from './moonraker-state.ts'

/** A command in Moonraker's words: one of its own calls, or G-code that Klipper runs line by line. */
type MoonrakerRequest = { method: string } | { scripts: string[] }

const loadMacros = ['LOAD_FILAMENT', 'FILAMENT_LOAD', 'M701']
const unloadMacros = ['UNLOAD_FILAMENT', 'FILAMENT_UNLOAD', 'M702']

/** Answers what can be asked of a printer that has these objects. */
export function commandsOf(objectNames: ReadonlySet<string>): Set<CommandKind> {
  const commands = new Set<CommandKind>(['print', 'pause', 'resume', 'stop', 'heaters'])
  if (lightObject(objectNames) !== undefined) commands.add('light')
  if (macroOf(loadMacros, objectNames) !== undefined) commands.add('load_filament')
  if (macroOf(unloadMacros, objectNames) !== undefined) commands.add('unload_filament')
  return commands
}

/** Answers what to send for a command. Throws a `DriverError` `NOT_SUPPORTED` when the printer has nothing to do it with. */
export function requestFor(command: DeviceCommand, objectNames: ReadonlySet<string>): MoonrakerRequest {
  switch (command.kind) {
    case 'pause':
    case 'resume':
      return { method: `printer.print.${command.kind}` }
    case 'stop':
      return { method: 'printer.print.cancel' }
    case 'heaters':
      return { scripts: heaterScripts(command.args, objectNames) }
    case 'light': {
      const [kind, name] = (lightObject(objectNames) ?? '').split(' ')
      if (!name) throw new DriverError('NOT_SUPPORTED', 'the printer has no light that Klipper knows')
      const level = command.args.on ? 1 : 0
      const colour = `RED=${level} GREEN=${level} BLUE=${level}`
      return {
        scripts: [kind === 'output_pin' ? `SET_PIN PIN=${name} VALUE=${level}` : `SET_LED LED=${name} ${colour}`],
      }
    }
    case 'load_filament':
    case 'unload_filament': {
      const macro = macroOf(command.kind === 'load_filament' ? loadMacros : unloadMacros, objectNames)
      if (macro === undefined) throw new DriverError('NOT_SUPPORTED', `the printer has no macro for ${command.kind}`)
      return { scripts: [macro] }
    }
  }
}

function heaterScripts(
  { nozzle, bed, chamber }: { nozzle?: number; bed?: number; chamber?: number },
  objectNames: ReadonlySet<string>,
): string[] {
  const chamberHeater = [...objectNames].find((name) => /^heater_generic .*(chamber|enclosure)/i.test(name))
  if (chamber !== undefined && chamberHeater === undefined) {
    throw new DriverError('NOT_SUPPORTED', 'the printer has no chamber heater')
  }
  const targets: [string, number | undefined][] = [
    ['extruder', nozzle],
    ['heater_bed', bed],
    [chamberHeater?.replace('heater_generic ', '') ?? '', chamber],
  ]
  return targets.flatMap(([heater, target]) =>
    target === undefined ? [] : [`SET_HEATER_TEMPERATURE HEATER=${heater} TARGET=${target}`],
  )
}

function macroOf(names: readonly string[], objectNames: ReadonlySet<string>): string | undefined {
  return names.find(
    (name) => objectNames.has(`gcode_macro ${name}`) || objectNames.has(`gcode_macro ${name.toLowerCase()}`),
  )
}
