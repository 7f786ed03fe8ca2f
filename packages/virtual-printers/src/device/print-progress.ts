import { randomAt } from './seeded-noise.ts'

/** How many times longer the first layer takes than a later one: slicers slow it down so that it sticks. */
const firstLayerFactor = 2.5
/** How far the end of a layer may lie from the even grid, in layers; below 0.5, so that layers keep their order. */
const unevenness = 0.35

/** 0 to 1. */
export function fractionPrinted(printedSeconds: number, printTimeSeconds: number): number {
  return Math.min(1, Math.max(0, printedSeconds / printTimeSeconds))
}

/**
 * The layer on which a print works, 1 to `layerCount`, when this fraction of its time is over. The first layer is slow and
 * the others are of uneven length, the same for the same seed. Needs neither memory nor time for large prints.
 */
export function layerAt(fraction: number, layerCount: number, seed: number): number {
  if (fraction >= 1) return layerCount
  const extra = firstLayerFactor - 1
  const position = fraction * (layerCount + extra) - extra
  const nearest = Math.round(position)
  const layersDone = position >= layerEnd(nearest, layerCount, seed) ? nearest : nearest - 1
  return Math.min(layerCount, Math.max(1, layersDone + 1))
}

/** Fraction for people: four decimals, rounded down so that 1 means done. */
export function shownProgress(fraction: number): number {
  return Math.floor(fraction * 10_000) / 10_000
}

function layerEnd(layer: number, layerCount: number, seed: number): number {
  if (layer <= 0 || layer >= layerCount) return layer
  return layer + (randomAt(seed, layer) * 2 - 1) * unevenness
}
