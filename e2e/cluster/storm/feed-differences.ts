interface Identified {
  id: string
}

/** What a feed left out, told twice, made up, or told in another order than that of the rows. Empty when it is whole. */
export function feedDifferences(feed: readonly Identified[], rows: readonly Identified[]): string[] {
  const wrong: string[] = []
  const told = new Set(feed.map(({ id }) => id))
  const there = new Set(rows.map(({ id }) => id))
  if (told.size !== feed.length) wrong.push(`the feed told ${feed.length - told.size} events twice`)
  for (const { id } of rows) if (!told.has(id)) wrong.push(`the feed left out ${id}`)
  for (const id of told) if (!there.has(id)) wrong.push(`the feed told ${id}, which is not there`)
  if (wrong.length > 0) return wrong
  const at = rows.findIndex(({ id }, index) => id !== feed[index]?.id)
  return at === -1 ? [] : [`the feed told ${feed[at]?.id} where ${rows[at]?.id} stands`]
}
