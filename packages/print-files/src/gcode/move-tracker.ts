/** A step up in Z smaller than this belongs to the same layer: spiral vases rise with every move. */
const leastLayerStepMm = 0.04

/** Tools above this are no tools: firmwares use T255 or T1000 for other things. */
const maxTool = 63

/** The numbers of one G-code command; NaN where the letter is absent. */
export interface CommandWords {
  x: number
  y: number
  z: number
  e: number
  s: number
  p: number
  r: number
  t: number
}

/** Follows what the moves themselves say, for files whose slicer says nothing. */
export class MoveTracker {
  /** Largest Z at which something was printed, mm. */
  maxZMm: number | null = null
  layerCount = 0
  /** Offset of the move that went up to each layer. */
  readonly layerOffsets: number[] = []
  private readonly maxLayers: number
  private readonly extruded = new Map<number, { netMm: number; mostMm: number }>()
  private tool = 0
  private z = 0
  private e = 0
  private zOffset = 0
  private layerZ = Number.NEGATIVE_INFINITY
  private isRelative = false
  private isRelativeE = false

  constructor(maxLayers: number) {
    this.maxLayers = maxLayers
  }

  /** mm of filament that each tool fed, retractions taken off; only tools that fed any. */
  lengthByTool(): Map<number, number> {
    const lengths = new Map<number, number>()
    for (const [tool, { mostMm }] of this.extruded) if (mostMm > 0) lengths.set(tool, mostMm)
    return new Map([...lengths].sort(([a], [b]) => a - b))
  }

  selectTool(tool: number): void {
    if (tool >= 0 && tool <= maxTool) this.tool = tool
  }

  currentTool(): number {
    return this.tool
  }

  /** G90 and G91. E follows G91 as in Marlin, but M83 outlives a G90 as in Klipper: slicers write for both. */
  setRelative(isRelative: boolean): void {
    this.isRelative = isRelative
  }

  /** M82 and M83. */
  setRelativeE(isRelative: boolean): void {
    this.isRelativeE = isRelative
  }

  /** G92: the position is called something else, nothing moves. */
  setPosition(words: CommandWords): void {
    if (!Number.isNaN(words.e)) this.e = words.e
    if (!Number.isNaN(words.z)) this.z = words.z
  }

  /** G0 to G3. */
  move(words: CommandWords, offset: number): void {
    if (!Number.isNaN(words.z)) {
      const z = this.isRelative ? this.z + words.z : words.z
      if (z !== this.z) this.zOffset = offset
      this.z = z
    }
    if (Number.isNaN(words.e)) return
    const isRelativeE = this.isRelative || this.isRelativeE
    const feedMm = isRelativeE ? words.e : words.e - this.e
    this.e = isRelativeE ? this.e + words.e : words.e
    this.feed(feedMm)
    if (feedMm > 0 && !(Number.isNaN(words.x) && Number.isNaN(words.y))) this.printAtCurrentZ()
  }

  private feed(feedMm: number): void {
    let tally = this.extruded.get(this.tool)
    if (tally === undefined) {
      tally = { netMm: 0, mostMm: 0 }
      this.extruded.set(this.tool, tally)
    }
    tally.netMm += feedMm
    if (tally.netMm > tally.mostMm) tally.mostMm = tally.netMm
  }

  private printAtCurrentZ(): void {
    if (this.maxZMm === null || this.z > this.maxZMm) this.maxZMm = this.z
    if (this.z < this.layerZ + leastLayerStepMm) return
    this.layerZ = this.z
    this.layerCount++
    if (this.layerOffsets.length < this.maxLayers) this.layerOffsets.push(this.zOffset)
  }
}
