import { own } from './json.ts'
import { readNumber, splitNumbers, splitTexts } from './lists.ts'

/** A list is one item per filament or nozzle; what is longer is no such list, and splitting it again and again is slow. */
const maxListLength = 16 * 1024
const maxItems = 1024

/** Settings of a slicer, whichever way they were written down. */
export interface Settings {
  /** The first (or only) text; null when missing or empty. */
  text(key: string): string | null
  /** All texts; empty when missing. Places without text are empty strings. */
  texts(key: string): string[]
  /** All numbers; empty when missing. Places without a number are NaN. */
  numbers(key: string): number[]
}

/** Settings from lines `key = value`, as PrusaSlicer and its descendants write them. */
export function settingsFromLines(lines: ReadonlyMap<string, string>): Settings {
  const texts = (key: string) => {
    const line = lines.get(key)
    return line === undefined || line === '' ? [] : splitTexts(line.slice(0, maxListLength))
  }
  return {
    text: (key) => texts(key)[0] || null,
    texts,
    numbers: (key) => {
      const line = lines.get(key)
      return line === undefined || line === '' ? [] : splitNumbers(line.slice(0, maxListLength))
    },
  }
}

/** Settings from the JSON of Bambu Studio and Orca, where nearly everything is an array of text. */
export function settingsFromJson(json: unknown): Settings {
  const texts = (key: string): string[] => {
    const value = own(json, key)
    if (value === undefined) return []
    const items: unknown[] = Array.isArray(value) ? value : [value]
    if (items.length > maxItems) return []
    return items.map((item) => (typeof item === 'string' || typeof item === 'number' ? String(item).trim() : ''))
  }
  return {
    text: (key) => texts(key)[0] || null,
    texts,
    numbers: (key) => texts(key).map(readNumber),
  }
}
