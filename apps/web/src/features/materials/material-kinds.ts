import type { Component, FilamentSpool, MaterialMovement, Packaging, Part } from '../../lib/api/api-schema.generated.ts'
import { formatCount, formatGrams } from '../../lib/format.ts'
import type { Tone } from '../../ui/tone.ts'

export type MaterialKind = 'filament' | 'components' | 'packaging' | 'parts'
export type Material = FilamentSpool | Component | Packaging | Part

interface KindWords {
  /** Of the list. */
  title: string
  /** What one of them is called, and several. */
  one: string
  many: string
  /** Of the button that adds one. */
  add: string
  /** What the list is for. */
  about: string
}

export const kindWords: Record<MaterialKind, KindWords> = {
  filament: {
    ...{ title: 'Spools', one: 'spool', many: 'spools', add: 'Add a spool' },
    about: 'Spools of filament. What prints use is booked to the spool that is loaded.',
  },
  components: {
    ...{ title: 'Components', one: 'component', many: 'components', add: 'Add a component' },
    about: 'Screws, bulbs and whatever else assemblies take.',
  },
  packaging: {
    ...{ title: 'Packaging', one: 'packaging', many: 'packaging', add: 'Add packaging' },
    about: 'Boxes, bags and cards that go out with what is sold.',
  },
  parts: {
    ...{ title: 'Printer parts', one: 'part', many: 'parts', add: 'Add a part' },
    about: 'Nozzles, belts and other spare parts of printers.',
  },
}

export const materialKinds = Object.keys(kindWords) as MaterialKind[]

export function readKind(text: unknown): MaterialKind | undefined {
  return materialKinds.find((kind) => kind === text)
}

export function isSpool(material: Material): material is FilamentSpool {
  return 'remaining_grams' in material
}

/** `Plain PETG black`, `Screw M3x8`. */
export function nameOf(material: Material): string {
  if (!isSpool(material)) return [material.name, material.size].filter(Boolean).join(' ')
  return [material.brand, material.type, material.color].filter(Boolean).join(' ') || 'Spool'
}

export function remainingOf(material: Material): number {
  return isSpool(material) ? material.remaining_grams : material.remaining_units
}

/** `640 g`, `12`. */
export function formatQuantity(kind: MaterialKind, quantity: number): string {
  return kind === 'filament' ? formatGrams(quantity) : formatCount(quantity)
}

export const materialStatuses: Record<Material['status'], { tone: Tone; word: string }> = {
  in_stock: { tone: 'done', word: 'In stock' },
  low: { tone: 'waiting', word: 'Low' },
  out_of_stock: { tone: 'trouble', word: 'None left' },
}

export const reasonWords: Record<MaterialMovement['reason'], string> = {
  added: 'Added',
  restocked: 'Restocked',
  consumed: 'Used',
  printed: 'Printed',
  assembled: 'Assembled',
  shipped: 'Left with a parcel',
  correction: 'Counted or weighed',
}
