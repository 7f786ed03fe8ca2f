import type { Limits } from '../limits.ts'
import type { PrintObject, ReviewCommand } from '../print-file.ts'
import { readNumber } from '../settings/lists.ts'
import { ThumbnailCollector } from './gcode-thumbnails.ts'
import { findLayerMark, type LayerMarkKind, layerMarkKinds } from './layer-marks.ts'
import { LineSplitter } from './line-splitter.ts'
import { MoveTracker } from './move-tracker.ts'
import { objectFromDefinition, objectFromLabel } from './print-objects.ts'
import { WordReader } from './word-reader.ts'

const reviewed = new Map<number, ReviewCommand['command']>([
  [92, 'M92'],
  [112, 'M112'],
  [500, 'M500'],
  [502, 'M502'],
  [851, 'M851'],
])

const semicolon = 0x3b

/** Reads every line of G-code once, in one pass, and keeps what only the whole file can tell. */
export class GcodeScan {
  readonly moves: MoveTracker
  readonly thumbnails: ThumbnailCollector
  readonly review = new Map<string, ReviewCommand>()
  /** Highest target per tool, °C. */
  readonly nozzleTempC = new Map<number, number>()
  bedTempC: number | null = null
  chamberTempC: number | null = null
  /** What the first progress report says is left, in minutes. */
  remainingMinutes: number | null = null
  /** The last (and largest) `;TIME_ELAPSED:` of Cura, in seconds. */
  elapsedSeconds: number | null = null
  /** Sum of Cura's `;LAYER_COUNT:`, which stands once per object when they are printed one after another. */
  announcedLayers = 0
  /** Largest `;Z:` or `; Z_HEIGHT:` of the layer marks, mm. */
  markedZMm: number | null = null
  readonly objects = new Map<string, PrintObject>()
  lineCount = 0
  /** Switched off for slicers that say everything themselves: following the moves takes half of the time. */
  followsMoves = true
  private readonly limits: Limits
  private readonly splitter: LineSplitter
  private readonly layers = new Map<LayerMarkKind, { count: number; offsets: number[] }>()
  private readonly reader = new WordReader()

  constructor(limits: Limits) {
    this.limits = limits
    this.moves = new MoveTracker(limits.maxLayers)
    this.thumbnails = new ThumbnailCollector(limits)
    this.splitter = new LineSplitter(limits.maxLineBytes, (bytes, start, end, offset) =>
      this.line(bytes, start, end, offset),
    )
  }

  push(chunk: Buffer): void {
    this.splitter.push(chunk)
  }

  end(): void {
    this.splitter.end()
    this.thumbnails.end()
  }

  get cutLines(): number {
    return this.splitter.cutLines
  }

  /** Answers how many layers the slicer's own marks make, and where they start; undefined when it wrote none. */
  markedLayers(): { count: number; offsets: number[] } | undefined {
    for (const kind of layerMarkKinds) {
      const found = this.layers.get(kind)
      if (found !== undefined) return found
    }
    return undefined
  }

  private line(bytes: Buffer, from: number, to: number, offset: number): void {
    this.lineCount++
    let start = from
    let end = to
    if (offset === 0 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) start += 3
    while (end > start && bytes[end - 1]! <= 32) end--
    while (start < end && bytes[start]! <= 32) start++
    if (start === end) return
    if (bytes[start] === semicolon) this.comment(bytes, start, end, offset)
    else this.command(bytes, start, end, offset)
  }

  private command(bytes: Buffer, from: number, end: number, offset: number): void {
    let start = from
    if ((bytes[start]! | 0x20) === 0x6e) {
      // A line number, as hosts write them: N12 G1 …
      this.reader.readInteger(bytes, start + 1, end)
      start = this.reader.numberEnd
      while (start < end && bytes[start]! <= 32) start++
    }
    const letter = bytes[start]! | 0x20
    if (letter === 0x67) {
      if (this.followsMoves) this.gCommand(bytes, start, end, offset)
    } else if (letter === 0x6d) this.mCommand(bytes, start, end)
    else if (letter === 0x74) {
      const tool = this.reader.readInteger(bytes, start + 1, end)
      if (this.reader.numberEnd > start + 1) this.moves.selectTool(tool)
    } else if (letter === 0x65) this.objectDefinition(bytes, start, end)
  }

  private gCommand(bytes: Buffer, start: number, end: number, offset: number): void {
    const code = this.reader.readInteger(bytes, start + 1, end)
    if (this.reader.numberEnd === start + 1) return
    if (code <= 3) {
      this.reader.readWords(bytes, this.reader.numberEnd, end)
      this.moves.move(this.reader.words, offset)
    } else if (code === 90 || code === 91) this.moves.setRelative(code === 91)
    else if (code === 92) {
      this.reader.readWords(bytes, this.reader.numberEnd, end)
      this.moves.setPosition(this.reader.words)
    }
  }

  private mCommand(bytes: Buffer, start: number, end: number): void {
    const code = this.reader.readInteger(bytes, start + 1, end)
    if (this.reader.numberEnd === start + 1) return
    if (code === 82 || code === 83) this.moves.setRelativeE(code === 83)
    const command = reviewed.get(code)
    if (command !== undefined) this.recordForReview(command)
    const isHeater = code === 104 || code === 109 || code === 140 || code === 190 || code === 141 || code === 191
    if (!isHeater && code !== 73) return
    this.reader.readWords(bytes, this.reader.numberEnd, end)
    const { s, r, t } = this.reader.words
    if (code === 73) this.remainingMinutes ??= r > 0 ? r : null
    // R is the target too, for firmwares that wait for cooling.
    else this.recordTemperature(code, s > 0 ? s : r, t >= 0 ? t : this.moves.currentTool())
  }

  private recordTemperature(code: number, tempC: number, tool: number): void {
    if (!(tempC > 0 && tempC < 1000)) return
    if (code === 104 || code === 109) {
      if (tool < 64) this.nozzleTempC.set(tool, Math.max(tempC, this.nozzleTempC.get(tool) ?? 0))
    } else if (code === 140 || code === 190) this.bedTempC = Math.max(tempC, this.bedTempC ?? 0)
    else this.chamberTempC = Math.max(tempC, this.chamberTempC ?? 0)
  }

  private recordForReview(command: ReviewCommand['command']): void {
    const found = this.review.get(command)
    if (found === undefined) this.review.set(command, { command, count: 1, firstLine: this.lineCount })
    else found.count++
  }

  private objectDefinition(bytes: Buffer, start: number, end: number): void {
    const text = bytes.toString('utf8', start, Math.min(end, start + 22))
    if (!/^EXCLUDE_OBJECT_DEFINE/i.test(text)) return
    this.recordObject(objectFromDefinition(bytes.toString('utf8', start, end)))
  }

  private recordObject(object: PrintObject | undefined): void {
    if (object === undefined || this.objects.has(object.id)) return
    if (this.objects.size < this.limits.maxObjects) this.objects.set(object.id, object)
  }

  /** Only the few kinds of comments that matter become text: files hold millions of the others. */
  private comment(bytes: Buffer, start: number, end: number, offset: number): void {
    if (this.thumbnails.isInside) {
      this.thumbnails.line(bytes.toString('latin1', start, end))
      return
    }
    let at = start + 1
    while (at < end && bytes[at]! <= 32) at++
    switch (bytes[at]) {
      case 0x74: // t: thumbnail
        this.thumbnails.line(bytes.toString('latin1', start, end))
        break
      case 0x4c: // L: LAYER_CHANGE, LAYER:, LAYER_COUNT:
      case 0x43: // C: CHANGE_LAYER
      case 0x6c: // l: layer 12, Z = 2.4
      case 0x45: // E: END_LAYER_OBJECT
      case semicolon: // ;; --- layer
        this.layerComment(bytes.toString('latin1', start, end), offset)
        break
      case 0x5a: // Z: Z:0.2, Z_HEIGHT: 0.2
        this.heightComment(bytes.toString('latin1', start, end))
        break
      case 0x54: // T: TIME_ELAPSED, not the frequent TYPE
        if (bytes[at + 1] === 0x49) this.timeComment(bytes.toString('latin1', start, end))
        break
      case 0x70: // p: printing object
        if (bytes[at + 1] === 0x72) this.recordObject(objectFromLabel(bytes.toString('utf8', start, end)))
        break
    }
  }

  private layerComment(line: string, offset: number): void {
    const kind = findLayerMark(line)
    if (kind !== undefined) {
      let found = this.layers.get(kind)
      if (found === undefined) {
        found = { count: 0, offsets: [] }
        this.layers.set(kind, found)
      }
      found.count++
      if (found.offsets.length < this.limits.maxLayers) found.offsets.push(offset)
      return
    }
    const count = /^;LAYER_COUNT:(\d{1,7})$/.exec(line)?.[1]
    if (count !== undefined) this.announcedLayers += Number(count)
  }

  private heightComment(line: string): void {
    const z = readNumber(/^;\s?(?:Z|Z_HEIGHT):\s*(\S+)$/.exec(line)?.[1] ?? '')
    if (z > 0 && z > (this.markedZMm ?? 0)) this.markedZMm = z
  }

  private timeComment(line: string): void {
    const seconds = readNumber(/^;TIME_ELAPSED:(\S+)$/.exec(line)?.[1] ?? '')
    if (seconds > 0) this.elapsedSeconds = Math.max(seconds, this.elapsedSeconds ?? 0)
  }
}
