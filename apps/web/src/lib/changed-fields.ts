/** The fields of `after` that differ from those of `before`. */
export function changedFields<Fields extends object>(before: Fields, after: Partial<Fields>): Partial<Fields> {
  const entries = Object.entries(after).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name as keyof Fields]),
  )
  // What is left are fields of `after` with their own values.
  return Object.fromEntries(entries) as Partial<Fields>
}
