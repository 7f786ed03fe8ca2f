import type { FarmFacts, JobFacts, PrinterFacts } from './farm-facts.ts'

const hexForm = /^#?[0-9a-f]{6}$/i

/**
 * Whether the colour that a job names is loaded: by name in any case, or by its value, where one of both is a value or a
 * name that the account's list of colours gives a value. An unknown loaded colour is none that a job names.
 */
export function isColorLoaded(
  wanted: string,
  printer: Pick<PrinterFacts, 'color' | 'color_hex'>,
  farm: Pick<FarmFacts, 'colorHexByName'>,
): boolean {
  const name = fold(wanted)
  if (printer.color !== '' && name === fold(printer.color)) return true
  const wantedHex = hexForm.test(name) ? toHex(name) : farm.colorHexByName.get(name)
  const loadedHex = printer.color_hex ? toHex(printer.color_hex) : farm.colorHexByName.get(fold(printer.color))
  return wantedHex !== undefined && wantedHex === loadedHex
}

/** The colour that a job insists on; empty when any will do. */
export function colorAsked(job: Pick<JobFacts, 'color' | 'any_color'>): string {
  return job.any_color ? '' : job.color.trim()
}

export function isSameMaterial(a: string, b: string): boolean {
  return fold(a) === fold(b)
}

export function fold(text: string): string {
  return text.trim().toLowerCase()
}

function toHex(text: string): string {
  return `#${text.replace('#', '').toUpperCase()}`
}
