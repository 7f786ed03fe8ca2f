/** A line as a range of a buffer that is only valid during the call. `offset` is the file position of `start`. */
type LineListener = (bytes: Buffer, start: number, end: number, offset: number) => void

const lineFeed = 10

/**
 * Cuts a stream of chunks into lines without ever holding more than one of them. A line longer than `maxLineBytes` is
 * handed on cut, and its rest is skipped, so that a "line" without end costs no memory. Line ends stay uncounted: the
 * range ends before the line feed, and a carriage return is the listener's business, since offsets are those of the
 * bytes as uploaded.
 */
export class LineSplitter {
  /** Lines that were cut. */
  cutLines = 0
  private readonly maxLineBytes: number
  private readonly onLine: LineListener
  private readonly carried: Buffer
  private carriedLength = 0
  private carriedOffset = 0
  private isSkipping = false
  private position = 0

  constructor(maxLineBytes: number, onLine: LineListener) {
    this.maxLineBytes = maxLineBytes
    this.onLine = onLine
    this.carried = Buffer.allocUnsafe(maxLineBytes)
  }

  push(chunk: Buffer): void {
    let start = this.isSkipping || this.carriedLength > 0 ? this.finishCarried(chunk) : 0
    const length = chunk.length
    // A plain loop is faster here than indexOf, whose call costs more than the twenty-odd bytes of a usual line.
    for (let i = start; i < length; i++) {
      if (chunk[i] !== lineFeed) continue
      this.emit(chunk, start, i, this.position + start)
      start = i + 1
    }
    if (start < length) this.carry(chunk, start)
    this.position += length
  }

  end(): void {
    if (this.carriedLength > 0) this.emit(this.carried, 0, this.carriedLength, this.carriedOffset)
    this.carriedLength = 0
  }

  /** Completes the line that an earlier chunk began; returns where the next line starts. */
  private finishCarried(chunk: Buffer): number {
    const found = chunk.indexOf(lineFeed)
    const end = found === -1 ? chunk.length : found
    if (!this.isSkipping) {
      const room = this.maxLineBytes - this.carriedLength
      chunk.copy(this.carried, this.carriedLength, 0, Math.min(end, room))
      this.carriedLength += Math.min(end, room)
      if (end > room) this.cutLines++
      if (found !== -1 || end > room) {
        this.onLine(this.carried, 0, this.carriedLength, this.carriedOffset)
        this.carriedLength = 0
        this.isSkipping = true
      }
    }
    if (found !== -1) this.isSkipping = false
    return found === -1 ? chunk.length : found + 1
  }

  private carry(chunk: Buffer, start: number): void {
    if (chunk.length - start > this.maxLineBytes) {
      this.emit(chunk, start, chunk.length, this.position + start)
      this.isSkipping = true
      return
    }
    this.carriedLength = chunk.copy(this.carried, 0, start)
    this.carriedOffset = this.position + start
  }

  private emit(bytes: Buffer, start: number, end: number, offset: number): void {
    if (end - start > this.maxLineBytes) {
      this.cutLines++
      this.onLine(bytes, start, start + this.maxLineBytes, offset)
    } else this.onLine(bytes, start, end, offset)
  }
}
