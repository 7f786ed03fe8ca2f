import { LineSplitter } from './line-splitter.ts'
import { WordReader } from './word-reader.ts'

/** A straight move that laid filament, in mm. Arcs are told by their ends. */
type ExtrusionListener = (fromX: number, fromY: number, toX: number, toY: number, z: number) => void

/** Follows a G-code file and tells where filament is laid. */
export class Toolpath {
  private readonly reader = new WordReader()
  private readonly splitter: LineSplitter
  private readonly onExtrusion: ExtrusionListener
  private x = 0
  private y = 0
  private z = 0
  private e = 0
  private isRelative = false
  private isRelativeE = false

  constructor(maxLineBytes: number, onExtrusion: ExtrusionListener) {
    this.onExtrusion = onExtrusion
    this.splitter = new LineSplitter(maxLineBytes, (bytes, start, end) => this.line(bytes, start, end))
  }

  push(chunk: Buffer): void {
    this.splitter.push(chunk)
  }

  end(): void {
    this.splitter.end()
  }

  private line(bytes: Buffer, from: number, end: number): void {
    let start = from
    while (start < end && bytes[start]! <= 32) start++
    if (start === end) return
    const { reader } = this
    const letter = bytes[start]! | 0x20
    if (letter !== 0x67 && letter !== 0x6d) return
    const code = reader.readInteger(bytes, start + 1, end)
    if (reader.numberEnd === start + 1) return
    if (letter === 0x6d) {
      if (code === 82 || code === 83) this.isRelativeE = code === 83
    } else if (code <= 3) {
      reader.readWords(bytes, reader.numberEnd, end)
      this.move()
    } else if (code === 90 || code === 91) this.isRelative = code === 91
    else if (code === 92) {
      reader.readWords(bytes, reader.numberEnd, end)
      this.setPosition()
    }
  }

  /** G92: the position is called something else, nothing moves. */
  private setPosition(): void {
    const { x, y, z, e } = this.reader.words
    if (!Number.isNaN(x)) this.x = x
    if (!Number.isNaN(y)) this.y = y
    if (!Number.isNaN(z)) this.z = z
    if (!Number.isNaN(e)) this.e = e
  }

  private move(): void {
    const { x, y, z, e } = this.reader.words
    const [fromX, fromY] = [this.x, this.y]
    const base = this.isRelative
    if (!Number.isNaN(x)) this.x = base ? fromX + x : x
    if (!Number.isNaN(y)) this.y = base ? fromY + y : y
    if (!Number.isNaN(z)) this.z = base ? this.z + z : z
    if (Number.isNaN(e)) return
    const isRelativeE = base || this.isRelativeE
    const feedMm = isRelativeE ? e : e - this.e
    this.e = isRelativeE ? this.e + e : e
    if (feedMm > 0 && (this.x !== fromX || this.y !== fromY)) this.onExtrusion(fromX, fromY, this.x, this.y, this.z)
  }
}
