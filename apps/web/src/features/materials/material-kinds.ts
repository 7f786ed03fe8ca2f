import type { Component, FilamentSpool, MaterialMovement, Packaging, Part } from '../../lib/api/api-schema.generated.ts'
import { formatCount, formatGrams } from '../../lib/format.ts'
import { t, tc } from '../../lib/i18n/t.ts'
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
    ...{ title: t('Spools'), one: t('spool'), many: t('spools'), add: t('Add a spool') },
    about: t('Spools of filament. What prints use is booked to the spool that is loaded.'),
  },
  components: {
    ...{ title: t('Components'), one: t('component'), many: t('components'), add: t('Add a component') },
    about: t('Screws, bulbs and whatever else assemblies take.'),
  },
  packaging: {
    ...{ title: t('Packaging'), one: t('packaging'), many: t('packaging'), add: t('Add packaging') },
    about: t('Boxes, bags and cards that are shipped with orders.'),
  },
  parts: {
    ...{ title: t('Printer parts'), one: t('part'), many: t('parts'), add: t('Add a part') },
    about: t('Nozzles, belts and other spare parts of printers.'),
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
  return [material.brand, material.type, material.color].filter(Boolean).join(' ') || t('Spool')
}

export function remainingOf(material: Material): number {
  return isSpool(material) ? material.remaining_grams : material.remaining_units
}

/** `640 g`, `12`. */
export function formatQuantity(kind: MaterialKind, quantity: number): string {
  return kind === 'filament' ? formatGrams(quantity) : formatCount(quantity)
}

export const materialStatuses: Record<Material['status'], { tone: Tone; word: string }> = {
  in_stock: { tone: 'done', word: t('In stock') },
  low: { tone: 'waiting', word: tc('stock', 'Low') },
  out_of_stock: { tone: 'trouble', word: t('None left') },
}

export const reasonWords: Record<MaterialMovement['reason'], string> = {
  added: t('Added'),
  restocked: t('Restocked'),
  consumed: t('Used'),
  printed: t('Printed'),
  assembled: t('Assembled'),
  shipped: t('Left with a parcel'),
  correction: t('Counted or weighed'),
}
