/** What the shop has, and what it was told. Null: nothing yet. */
interface Levels {
  wanted: number
  level: number
  told: number | null
  seen: number | null
}

/**
 * Answers what to do about a level at the shop. A level that is not the one that we told means that the shop has sold since, or someone has
 * counted; its orders may not have been read yet, and to set the stock over them would sell units twice. So it is set only once its orders
 * were read with the level at rest.
 */
export function decideStock({ wanted, level, told, seen }: Levels): 'same' | 'set' | 'wait' {
  if (level === wanted) return 'same'
  return level === told || level === seen ? 'set' : 'wait'
}

/** Answers what a shop may sell of a listing: whole packs of what is available, less what is kept back. */
export function sellable({
  available,
  buffer,
  packSize,
}: {
  available: number
  buffer: number
  packSize: number
}): number {
  return Math.max(0, Math.floor((available - buffer) / packSize))
}
