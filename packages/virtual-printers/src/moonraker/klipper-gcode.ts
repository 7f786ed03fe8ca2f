import type { VirtualPrinter } from '../virtual-printer.ts'
import { isRunActive } from './klipper-objects.ts'

/** Klipper refuses a command; its sentence goes to the asker and, behind `!!`, to everybody who listens. */
export class GcodeError extends Error {}

interface KlipperGcodeOptions {
  printer: VirtualPrinter
  /** A line for everybody who listens to what Klipper says. */
  respond(line: string): void
  /** Prints a file of its store. */
  printFile(fileName: string, signal: AbortSignal): Promise<void>
  /** Forgets the file that is loaded, with the result of its print. */
  resetFile(): void
  /** True when the macros for filament stand in the configuration. */
  hasMacros(): boolean
}

const heaterParts: Record<string, string> = { extruder: 'nozzle', heater_bed: 'bed' }

/** Runs a line of G-code as Klipper does: what it does not know is complained about and answered with ok. */
export async function runKlipperGcode(
  line: string,
  { printer, respond, printFile, resetFile, hasMacros }: KlipperGcodeOptions,
  signal: AbortSignal,
): Promise<void> {
  const fileName = fileToPrint(line)
  if (fileName !== null) return printFile(fileName, signal)
  const [command = '', ...rest] = line.trim().split(/\s+/)
  const values = Object.fromEntries(rest.map((pair) => pair.split('=')))
  if (command === 'SET_HEATER_TEMPERATURE') {
    const target = Number(values.TARGET)
    if (target > 300) throw new GcodeError('Requested temperature out of range (0.0:300.0)')
    const part = heaterParts[String(values.HEATER)] ?? 'chamber'
    await printer.setTargets({ [part]: target }, signal)
  } else if (command === 'SET_PIN') await printer.setLight(Number(values.VALUE) > 0, signal)
  else if (command === 'LOAD_FILAMENT' && hasMacros()) await printer.loadFilament(signal)
  else if (command === 'UNLOAD_FILAMENT' && hasMacros()) await printer.unloadFilament(signal)
  else if (command === 'SDCARD_RESET_FILE') {
    if (isRunActive(printer.report())) throw new GcodeError('SD busy')
    printer.acknowledgeFault()
    resetFile()
  } else respond(`// Unknown command:"${command}"`)
}

/** The file that a line asks to print, named with quotes or without them. */
function fileToPrint(line: string): string | null {
  const [, quoted, plain] = /^SDCARD_PRINT_FILE FILENAME=(?:"(.*)"|(\S+))$/.exec(line.trim()) ?? []
  return quoted?.replaceAll('\\"', '"') ?? plain ?? null
}
