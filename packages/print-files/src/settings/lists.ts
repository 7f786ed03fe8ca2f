/**
 * Texts of a slicer's list, `PLA;PETG`. Quoted items may hold the separator and the escapes `\"`, `\\` and `\n`.
 * Empty items keep their place, because the place is the extruder.
 */
export function splitTexts(list: string): string[] {
  const items: string[] = []
  let item = ''
  let quoted = false
  for (let i = 0; i < list.length; i++) {
    const char = list[i]!
    if (quoted && char === '\\' && i + 1 < list.length) {
      const next = list[++i]!
      item += next === 'n' ? '\n' : next
    } else if (char === '"') quoted = !quoted
    else if (char === ';' && !quoted) {
      items.push(item.trim())
      item = ''
    } else item += char
  }
  items.push(item.trim())
  return items
}

/** Numbers of a slicer's list, separated by `,` (or `;`). Items that are no numbers become NaN and keep their place. */
export function splitNumbers(list: string): number[] {
  return list.split(/[,;]/).map((item) => readNumber(item))
}

const number = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i

/** The number a text consists of, or NaN. Unlike `Number`, an empty text is no number, nor is `0x10`. */
export function readNumber(text: string): number {
  const trimmed = text.trim()
  return number.test(trimmed) ? Number(trimmed) : Number.NaN
}

/** The item for a position: a single item speaks for all positions. */
export function itemAt<T>(items: readonly T[], index: number): T | undefined {
  return items.length === 1 ? items[0] : items[index]
}

/** The number when it is a real amount, else null: a zero in print files stands for "not known". */
export function positive(value: number | undefined): number | null {
  return value !== undefined && Number.isFinite(value) && value > 0 ? value : null
}
