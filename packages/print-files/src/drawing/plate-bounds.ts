/** A step up in Z smaller than this belongs to the same layer. */
const leastStepMm = 0.04

/** What a print covers, in mm. */
export interface Bounds {
  minX: number
  maxX: number
  minY: number
  maxY: number
  minZ: number
  maxZ: number
}

const nothing = (): Bounds => ({
  minX: Infinity,
  maxX: -Infinity,
  minY: Infinity,
  maxY: -Infinity,
  minZ: Infinity,
  maxZ: -Infinity,
})

/**
 * Finds what a print covers from the moves that lay filament. The first layer counts only where it is the only one: lines to prime the
 * nozzle, skirts and brims lie there, and would make what is printed small.
 */
export class PlateBounds {
  private readonly first = nothing()
  private readonly above = nothing()

  add(fromX: number, fromY: number, toX: number, toY: number, z: number): void {
    if (z < this.first.minZ - leastStepMm) {
      // What was taken for the first layer was drawn higher up, such as a line beside the plate.
      Object.assign(this.first, nothing())
    }
    const bounds = z > this.first.minZ + leastStepMm ? this.above : this.first
    include(bounds, fromX, fromY, z)
    include(bounds, toX, toY, z)
  }

  /** Undefined where nothing was printed, or numbers make no plate. */
  found(): Bounds | undefined {
    const hasLayers = this.above.maxZ > this.first.minZ
    const bounds = hasLayers ? { ...this.above, minZ: this.first.minZ } : this.first
    const sides = [bounds.maxX - bounds.minX, bounds.maxY - bounds.minY, bounds.maxZ - bounds.minZ]
    // Larger than any printer: the numbers are of something else.
    if (sides.some((side) => !(side >= 0 && side < 10_000)) || Math.max(...sides) === 0) return undefined
    return bounds
  }
}

function include(bounds: Bounds, x: number, y: number, z: number): void {
  if (x < bounds.minX) bounds.minX = x
  if (x > bounds.maxX) bounds.maxX = x
  if (y < bounds.minY) bounds.minY = y
  if (y > bounds.maxY) bounds.maxY = y
  if (z < bounds.minZ) bounds.minZ = z
  if (z > bounds.maxZ) bounds.maxZ = z
}
