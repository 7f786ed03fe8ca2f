/** In the order in which they are tried: a plate can be textured and cool. */
const kinds: readonly [kind: string, words: RegExp][] = [
  ['supertack', /super\s?tack/],
  ['textured cool', /(textured.*cool|cool.*textured)/],
  ['textured PEI', /(textured|\bpte\b)/],
  ['cool', /\bcool\b/],
  ['engineering', /\beng(ineering)?\b/],
  ['high temperature', /(\bhigh\s?temp|\bhot\b|smooth\s?pei)/],
]

/**
 * The kind of a build plate, as slicers (`Textured PEI Plate`, `textured_plate`) or people name it; null for a text that names none of
 * the kinds that slicers tell apart.
 */
export function plateKind(text: string): string | null {
  const words = text.toLowerCase().replaceAll(/[^a-z0-9]+/g, ' ')
  return kinds.find(([, pattern]) => pattern.test(words))?.[0] ?? null
}
