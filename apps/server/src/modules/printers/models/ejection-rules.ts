import type { PrinterRow } from '../../../db/rows.generated.ts'
import { bedForEjection, type Ejection, fill } from './ejection-gcode.ts'
import { pushingBedOf } from './printer-models.ts'

/** In place of the height that is known only with the file, in mm: what any printer can rise to. */
const someClearZ = 50

const heating = new Set(['M104', 'M109', 'M140', 'M190'])
const moving = new Set(['G0', 'G1'])
const harmless = new Set([
  ...['G4', 'G28', 'G90', 'G91', 'M17', 'M18', 'M73', 'M84', 'M106', 'M107', 'M201', 'M203', 'M204', 'M205'],
  ...['M220', 'M300', 'M400'],
])

/** The largest coordinate in mm where the bed is not known. */
const largestMm = 1_000

interface Command {
  name: string
  words: Map<string, number | null>
}

/**
 * Answers what is wrong with an ejection, by field, or undefined. Own G-code may hold only commands of a short list: moves within
 * the bed, waits, fans, and heaters at the cool-down temperature or below.
 */
export function ejectionErrors(
  printer: Pick<PrinterRow, 'model' | 'connection_type'>,
  { cooldown_temp, gcode }: Ejection,
): Record<string, string[]> | undefined {
  if (gcode === null) {
    if (bedForEjection(printer)) return undefined
    const sentence = `no ejection is known to be safe for a ${printer.model} connected by ${printer.connection_type}: give its G-code in ejection.gcode, or leave ejection off`
    return { ejection: [sentence] }
  }
  if (!gcode.replace(/;.*/g, '').includes('{cooldown_temp}')) {
    return { 'ejection.gcode': ['must wait for the bed to cool, such as by M190 R{cooldown_temp}'] }
  }
  const problem = problemOf(fill(gcode, { cooldown_temp, clear_z: someClearZ }), cooldown_temp, printer.model)
  return problem === undefined ? undefined : { 'ejection.gcode': [problem] }
}

/** The first thing in G-code without placeholders that an ejection must not hold; undefined when there is none. */
export function problemOf(gcode: string, cooldownTemp: number, model: string): string | undefined {
  const bed = pushingBedOf(model)
  const largest = { X: bed?.width ?? largestMm, Y: bed?.depth ?? largestMm, Z: bed?.height ?? largestMm }
  let isRelative = false
  for (const [index, line] of gcode.split(/\r?\n/).entries()) {
    const problem = check(line)
    if (problem !== undefined) return `line ${index + 1}: ${problem}`
  }
  return undefined

  function check(line: string): string | undefined {
    const text = line.replace(/;.*$/, '').trim()
    if (/[^\x20-\x7e\t]/.test(line)) return 'holds a sign that is not plain ASCII'
    if (text === '') return undefined
    if (/[{}]/.test(text)) return 'holds a placeholder other than {cooldown_temp} and {clear_z}'
    // Klipper's way to wait for something to cool.
    if (/^TEMPERATURE_WAIT SENSOR=\w+ MAXIMUM=\d+(\.\d+)?$/i.test(text)) return undefined
    const command = readCommand(text)
    if (!command) return `${text.slice(0, 40)} is not a command that an ejection may use`
    if (heating.has(command.name)) return checkHeater(command)
    if (moving.has(command.name)) return checkMove(command)
    if (!harmless.has(command.name)) return `${command.name} is not a command that an ejection may use`
    if (command.name === 'G90') isRelative = false
    if (command.name === 'G91') isRelative = true
    if (command.name === 'G28' && (command.words.size === 0 || command.words.has('Z'))) {
      return 'G28 must name X or Y and not Z: homing Z drives the nozzle into the print'
    }
    return undefined
  }

  function checkHeater({ name, words }: Command): string | undefined {
    const targets = ['S', 'R'].filter((word) => words.has(word)).map((word) => words.get(word) ?? Number.NaN)
    if (targets.length === 0) return `${name} names no temperature`
    if (words.size > targets.length) return `${name} may name S and R only`
    return targets.every((target) => target <= cooldownTemp)
      ? undefined
      : `${name} heats above the cool-down temperature of ${cooldownTemp} °C`
  }

  function checkMove({ name, words }: Command): string | undefined {
    for (const [word, value] of words) {
      if (word === 'F' && value !== null && value > 0) continue
      if (word !== 'X' && word !== 'Y' && word !== 'Z') return `${name} may name X, Y, Z and F only`
      if (value === null) return `${name} names no place for ${word}`
      if (isRelative && (word !== 'Z' || value < 0)) return 'relative moves may only rise: use G90 for all others'
      if (value < 0 || value > largest[word]) return `${word}${value} is not within 0 and ${largest[word]} mm`
    }
    return undefined
  }
}

function readCommand(text: string): Command | undefined {
  const [first, ...rest] = text.toUpperCase().split(/\s+/)
  const name = /^([GM])0*(\d{1,4})$/.exec(first ?? '')
  if (!name) return undefined
  const words = new Map<string, number | null>()
  for (const word of rest) {
    // A second command on the line, or a line number, would be read by some firmware and not by us.
    const read = /^([A-FH-LO-SU-Z])([+-]?\d{1,6}(?:\.\d{0,6})?)?$/.exec(word)
    if (!read || words.has(read[1] as string)) return undefined
    words.set(read[1] as string, read[2] === undefined ? null : Number(read[2]))
  }
  return { name: `${name[1]}${name[2]}`, words }
}
