import type { WorkCard } from '../../lib/api/api-schema.generated.ts'

/** What is done in one go: one task, or equal changes of filament at several printers. Never empty. */
export interface Errand {
  key: string
  first: WorkCard
  cards: readonly WorkCard[]
}

/** One walk to the shelf serves all printers that wait for the same filament. The order is that of the first of each. */
export function errandsOf(cards: readonly WorkCard[]): Errand[] {
  const errands = new Map<string, { key: string; first: WorkCard; cards: WorkCard[] }>()
  for (const card of cards) {
    const key = card.filament_key === null ? card.id : `${card.status} ${card.filament_key}`
    const known = errands.get(key)
    if (known) known.cards.push(card)
    else errands.set(key, { key, first: card, cards: [card] })
  }
  return [...errands.values()]
}
