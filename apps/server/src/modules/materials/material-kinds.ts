/** The kinds of materials, by the word in their address. */
export const materialKinds = ['filament', 'components', 'packaging', 'parts'] as const
export type MaterialKind = (typeof materialKinds)[number]

interface KindWords {
  /** Name of one of them in a sentence. */
  one: string
  /** Name where an answer holds one. */
  key: string
  /** Name of its schema in the API description. */
  title: string
  /** Whole numbers that are stored for one of what callers give: grams are stored as milligrams. */
  scale: number
  remainingField: 'remaining_grams' | 'remaining_units'
}

export const kindWords: Record<MaterialKind, KindWords> = {
  filament: { one: 'spool', key: 'filament', title: 'FilamentSpool', scale: 1_000, remainingField: 'remaining_grams' },
  components: { one: 'component', key: 'component', title: 'Component', scale: 1, remainingField: 'remaining_units' },
  packaging: { one: 'packaging', key: 'packaging', title: 'Packaging', scale: 1, remainingField: 'remaining_units' },
  parts: { one: 'part', key: 'part', title: 'Part', scale: 1, remainingField: 'remaining_units' },
}

/** A quantity as it is stored: whole milligrams or pieces. */
export function toStored(kind: MaterialKind, quantity: number): number {
  return Math.round(quantity * kindWords[kind].scale)
}

/** A quantity as callers know it: grams or pieces. */
export function fromStored(kind: MaterialKind, stored: number): number {
  return stored / kindWords[kind].scale
}
