export const sectionTypes = ['subtitle', 'step', 'note', 'warning'] as const

/** One part of an article. `number` is that of a step, as a reader sees it. */
export interface Section {
  id: string
  type: (typeof sectionTypes)[number]
  order: number
  content: string
  title: string
  description: string
  image_url: string
  notes: string
  warnings: string[]
  number: number | null
}

export type GivenSection = Pick<Section, 'type'> & Partial<Section>

/**
 * Sections with all their fields, sorted by `order`. A section without an order has that of its place in the list
 * (from 0); those of equal order stay as they were given. `makeId` names those without an ID.
 */
export function arrangeSections(given: readonly GivenSection[], makeId: () => string): Section[] {
  return given
    .map((section, index) => ({
      id: section.id ?? makeId(),
      type: section.type,
      order: section.order ?? index,
      content: section.content ?? '',
      title: section.title ?? '',
      description: section.description ?? '',
      image_url: section.image_url ?? '',
      notes: section.notes ?? '',
      warnings: section.warnings ?? [],
      number: section.number ?? null,
    }))
    .sort((a, b) => a.order - b.order)
}

/** Places (from 0) of the sections whose ID an earlier one has. */
export function findRepeatedIds(given: readonly GivenSection[]): number[] {
  const seen = new Set<string>()
  return given.flatMap(({ id }, index) => {
    if (id === undefined) return []
    if (seen.has(id)) return [index]
    seen.add(id)
    return []
  })
}
