/** Values that look random and depend on nothing but their arguments, so that a simulation can be computed at any moment. */

/** A number for a text, the same in every process. */
export function seedOf(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  return hash >>> 0
}

/** 0 (included) to 1 (excluded) for a whole number `index` in the series that `seed` stands for. */
export function randomAt(seed: number, index: number): number {
  let hash = Math.imul((seed >>> 0) ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(index % 4_294_967_296, 0xc2b2ae35)
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
  hash = Math.imul(hash ^ (hash >>> 12), 0x297a2d39)
  return ((hash ^ (hash >>> 15)) >>> 0) / 4_294_967_296
}

/** -1 to 1, wandering steadily: a new direction every two seconds of `seconds`. */
export function wanderAt(seed: number, seconds: number): number {
  const position = seconds / 2
  const index = Math.floor(position)
  const from = randomAt(seed, index)
  return (from + (randomAt(seed, index + 1) - from) * (position - index)) * 2 - 1
}
