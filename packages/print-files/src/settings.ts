import { readNumber, splitNumbers, splitTexts } from './lists.ts'

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
    return line === undefined || line === '' ? [] : splitTexts(line)
  }
  return {
    text: (key) => texts(key)[0] || null,
    texts,
    numbers: (key) => {
      const line = lines.get(key)
      return line === undefined || line === '' ? [] : splitNumbers(line)
    },
  }
}

/** Settings from the JSON of Bambu Studio and Orca, where nearly everything is an array of text. */
export function settingsFromJson(json: unknown): Settings {
  const texts = (key: string): string[] => {
    if (typeof json !== 'object' || json === null || !Object.hasOwn(json, key)) return []
    // Own properties only, so a key such as "__proto__" gives nothing but what the file itself holds.
    const value = (json as Record<string, unknown>)[key]
    const items: unknown[] = Array.isArray(value) ? value : [value]
    return items.map((item) => (typeof item === 'string' || typeof item === 'number' ? String(item).trim() : ''))
  }
  return {
    text: (key) => texts(key)[0] || null,
    texts,
    numbers: (key) => texts(key).map(readNumber),
  }
}
