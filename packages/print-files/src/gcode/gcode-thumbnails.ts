import { checkThumbnail } from '../images/thumbnails.ts'
import type { Limits } from '../limits.ts'
import type { Thumbnail } from '../print-file.ts'

const beginning = /^; thumbnail(?:_[A-Za-z]+)? begin \d+\s*[x ]\s*\d+ (\d+)/

/** Gathers the pictures that slicers write as base64 into comment lines. */
export class ThumbnailCollector {
  readonly thumbnails: Thumbnail[] = []
  readonly warnings: string[] = []
  private readonly limits: Limits
  private parts: string[] | undefined
  private length = 0
  private seen = 0

  constructor(limits: Limits) {
    this.limits = limits
  }

  get isInside(): boolean {
    return this.parts !== undefined
  }

  /** A comment line. Any line that is neither base64 nor the end closes a picture that never ended. */
  line(text: string): void {
    if (beginning.test(text)) this.begin()
    else if (this.parts !== undefined) {
      if (/^; thumbnail(?:_[A-Za-z]+)? end/.test(text)) this.finish()
      else if (/^;\s*[A-Za-z0-9+/=]*$/.test(text)) this.add(text.slice(1).trim())
      else this.abandon('it has no end')
    }
  }

  /** The file, or its comments, ended. */
  end(): void {
    if (this.parts !== undefined) this.abandon('it has no end')
  }

  private begin(): void {
    if (this.parts !== undefined) this.abandon('it has no end')
    this.seen++
    this.length = 0
    this.parts = this.seen <= this.limits.maxThumbnails ? [] : undefined
  }

  private add(base64: string): void {
    this.length += base64.length
    // Four characters hold three bytes.
    if (this.length > (this.limits.maxThumbnailBytes / 3) * 4) this.abandon('it is too large')
    else this.parts?.push(base64)
  }

  private finish(): void {
    const bytes = Buffer.from(this.parts!.join(''), 'base64')
    this.parts = undefined
    const checked = checkThumbnail(bytes, this.limits)
    if (typeof checked === 'string') this.warn(checked)
    else this.thumbnails.push(checked)
  }

  private abandon(reason: string): void {
    this.parts = undefined
    this.warn(reason)
  }

  private warn(reason: string): void {
    this.warnings.push(`Thumbnail ${this.seen} was left out: ${reason}.`)
  }
}
