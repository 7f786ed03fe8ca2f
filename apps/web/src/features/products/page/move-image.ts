/** The order of pictures after one has taken the place of another; those between move up or down by one. */
export function moveImage(ids: readonly string[], id: string, toId: string): string[] {
  const from = ids.indexOf(id)
  const to = ids.indexOf(toId)
  if (from < 0 || to < 0) return [...ids]
  return ids.toSpliced(from, 1).toSpliced(to, 0, id)
}
