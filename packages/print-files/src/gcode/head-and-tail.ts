/** Keeps the first and the last bytes of a stream, where slicers put their metadata, and nothing between. */
export class HeadAndTail {
  private readonly keepBytes: number
  private readonly headParts: Buffer[] = []
  private headLength = 0
  private ring: Buffer | undefined
  private ringEnd = 0
  private passed = 0

  constructor(keepBytes: number) {
    this.keepBytes = keepBytes
  }

  push(chunk: Buffer): void {
    const forHead = Math.min(chunk.length, this.keepBytes - this.headLength)
    if (forHead > 0) {
      this.headParts.push(Buffer.from(chunk.subarray(0, forHead)))
      this.headLength += forHead
    }
    if (forHead < chunk.length) this.pushTail(forHead === 0 ? chunk : chunk.subarray(forHead))
  }

  get head(): Buffer {
    if (this.headParts.length > 1) this.headParts.splice(0, this.headParts.length, Buffer.concat(this.headParts))
    return this.headParts[0] ?? Buffer.alloc(0)
  }

  /** What follows the head, at most `keepBytes` of it; begins with a whole line. */
  get tail(): Buffer {
    if (this.ring === undefined) return Buffer.alloc(0)
    if (this.passed <= this.keepBytes) return this.ring.subarray(0, this.passed)
    const bytes = Buffer.concat([this.ring.subarray(this.ringEnd), this.ring.subarray(0, this.ringEnd)])
    return bytes.subarray(bytes.indexOf(10) + 1)
  }

  /** True when the tail continues the head, with nothing left out between them. */
  get isWhole(): boolean {
    return this.passed <= this.keepBytes
  }

  private pushTail(chunk: Buffer): void {
    this.ring ??= Buffer.allocUnsafe(this.keepBytes)
    const last = chunk.length > this.keepBytes ? chunk.subarray(chunk.length - this.keepBytes) : chunk
    const untilEnd = Math.min(last.length, this.keepBytes - this.ringEnd)
    last.copy(this.ring, this.ringEnd, 0, untilEnd)
    last.copy(this.ring, 0, untilEnd)
    this.ringEnd = (this.ringEnd + last.length) % this.keepBytes
    this.passed += chunk.length
  }
}
