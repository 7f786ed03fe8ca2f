import type { Bounds } from './plate-bounds.ts'

/** Edges are smooth because each pixel is the mean of so many by so many. */
const samples = 2

/** Share of a picture's side that stays free around what is drawn. */
const margin = 0.06

/** Width of a line of filament, in mm: what most nozzles lay. */
const lineMm = 0.45

/** Seen from the front left, from above: `across` and `up` of the picture, in mm per mm of the plate. */
const acrossX = Math.SQRT1_2
const upXY = 1 / Math.sqrt(6)
const upZ = Math.sqrt(2 / 3)

type Rgb = readonly [red: number, green: number, blue: number]

/** A picture of a print, drawn line by line; what is nearer to the eye covers what is behind. */
export class PlateCanvas {
  private readonly side: number
  private readonly scale: number
  private readonly left: number
  private readonly bottom: number
  private readonly radius: number
  private readonly color: Rgb
  private readonly nearness: Float32Array
  private readonly shade: Float32Array

  /** @param side of the picture in pixels */
  constructor(bounds: Bounds, side: number, color: Rgb) {
    this.side = side * samples
    this.color = color
    const { minX, maxX, minY, maxY, minZ, maxZ } = bounds
    const [minAcross, maxAcross] = [(minX - maxY) * acrossX, (maxX - minY) * acrossX]
    const [minUp, maxUp] = [(minX + minY) * upXY + minZ * upZ, (maxX + maxY) * upXY + maxZ * upZ]
    const room = this.side * (1 - 2 * margin)
    this.scale = room / Math.max(maxAcross - minAcross, maxUp - minUp)
    this.left = (minAcross + maxAcross) / 2 - this.side / 2 / this.scale
    this.bottom = (minUp + maxUp) / 2 - this.side / 2 / this.scale
    this.radius = Math.min(this.side / 16, Math.max(0.75, (lineMm * this.scale) / 2))
    this.nearness = new Float32Array(this.side * this.side).fill(-Infinity)
    this.shade = new Float32Array(this.side * this.side)
  }

  line(fromX: number, fromY: number, toX: number, toY: number, z: number): void {
    const { scale } = this
    const [dx, dy] = [toX - fromX, toY - fromY]
    const lengthMm = Math.hypot(dx, dy)
    const shade = shadeOf(dx / lengthMm, dy / lengthMm)
    const across = ((fromX - fromY) * acrossX - this.left) * scale
    const up = ((fromX + fromY) * upXY + z * upZ - this.bottom) * scale
    const [acrossBy, upBy] = [(dx - dy) * acrossX * scale, (dx + dy) * upXY * scale]
    const near = z - fromX - fromY
    const nearBy = -dx - dy
    // A dot every half of its width leaves no gap; a line that leaves the picture has no more of them than fit into it.
    const steps = Math.max(1, Math.min(4 * this.side, Math.ceil(Math.hypot(acrossBy, upBy) / this.radius)))
    for (let step = 0; step <= steps; step++) {
      const share = step / steps
      this.dot(across + acrossBy * share, up + upBy * share, near + nearBy * share, shade)
    }
  }

  private dot(across: number, up: number, near: number, shade: number): void {
    const { side, radius } = this
    const [fromColumn, toColumn] = [
      Math.max(0, Math.round(across - radius)),
      Math.min(side, Math.round(across + radius)),
    ]
    const [fromRow, toRow] = [Math.max(0, Math.round(up - radius)), Math.min(side, Math.round(up + radius))]
    for (let row = fromRow; row < toRow; row++) {
      // Rows of a picture count from its top.
      const start = (side - 1 - row) * side
      for (let at = start + fromColumn; at < start + toColumn; at++) {
        if (near <= this.nearness[at]!) continue
        this.nearness[at] = near
        this.shade[at] = shade
      }
    }
  }

  /** RGBA, row by row; what nothing was drawn on is transparent. */
  pixels(): Uint8Array {
    const { side, shade, nearness, color } = this
    const small = side / samples
    const pixels = new Uint8Array(small * small * 4)
    for (let row = 0; row < small; row++) {
      for (let column = 0; column < small; column++) {
        let [light, covered] = [0, 0]
        for (let part = 0; part < samples * samples; part++) {
          const at = (row * samples + Math.floor(part / samples)) * side + column * samples + (part % samples)
          if (nearness[at] === -Infinity) continue
          light += shade[at]!
          covered++
        }
        if (covered === 0) continue
        const to = (row * small + column) * 4
        for (let part = 0; part < 3; part++) pixels[to + part] = Math.min(255, (color[part]! * light) / covered)
        pixels[to + 3] = (255 * covered) / (samples * samples)
      }
    }
    return pixels
  }
}

/** Walls along X face the eye's right and those along Y its left; most lines of a top run across both. */
function shadeOf(x: number, y: number): number {
  return 0.62 + 0.2 * x * x + 0.36 * Math.abs(x * y) * 2
}
