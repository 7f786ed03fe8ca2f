import type { CommandWords } from './move-tracker.ts'

const semicolon = 0x3b
const none = Number.NaN

/** Reads numbers out of G-code without making texts of them: files hold millions. */
export class WordReader {
  /** Words of the last command; NaN where a letter is absent. One object for all, so that reading makes no garbage. */
  readonly words: CommandWords = { x: none, y: none, z: none, e: none, s: none, p: none, r: none, t: none }
  /** End of the last number. */
  numberEnd = 0

  /** A whole number at a position; `numberEnd` equals the position when there is none. */
  readInteger(bytes: Buffer, from: number, end: number): number {
    let at = from
    let value = 0
    while (at < end && at < from + 9) {
      const digit = bytes[at]! - 0x30
      if (digit < 0 || digit > 9) break
      value = value * 10 + digit
      at++
    }
    this.numberEnd = at
    return value
  }

  /** Reads the letters of a command with their numbers, up to a comment. */
  readWords(bytes: Buffer, from: number, end: number): void {
    const words = this.words
    words.x = words.y = words.z = words.e = words.s = words.p = words.r = words.t = none
    let at = from
    while (at < end) {
      const letter = bytes[at]!
      // ; and ( begin a comment.
      if (letter === semicolon || letter === 0x28) return
      at++
      if (letter <= 32) continue
      const value = this.readDecimal(bytes, at, end)
      if (this.numberEnd === at) continue
      at = this.numberEnd
      switch (letter | 0x20) {
        case 0x78:
          words.x = value
          break
        case 0x79:
          words.y = value
          break
        case 0x7a:
          words.z = value
          break
        case 0x65:
          words.e = value
          break
        case 0x73:
          words.s = value
          break
        case 0x70:
          words.p = value
          break
        case 0x72:
          words.r = value
          break
        case 0x74:
          words.t = value
          break
      }
    }
  }

  private readDecimal(bytes: Buffer, from: number, end: number): number {
    let at = from
    let isNegative = false
    if (bytes[at] === 0x2d) {
      isNegative = true
      at++
    } else if (bytes[at] === 0x2b) at++
    let digits = 0
    let scale = 0
    let mantissa = 0
    for (; at < end; at++) {
      const digit = bytes[at]! - 0x30
      if (digit >= 0 && digit <= 9) {
        mantissa = mantissa * 10 + digit
        digits++
        scale *= 10
      } else if (bytes[at] === 0x2e && scale === 0) scale = 1
      else break
    }
    this.numberEnd = digits === 0 ? from : at
    const value = scale > 1 ? mantissa / scale : mantissa
    if (value > 1e9) return none
    return isNegative ? -value : value
  }
}
