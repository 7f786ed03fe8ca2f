/**
 * Whose status to read next: a printer not read yet, in the order shown, else the one read longest ago. Undefined while
 * the oldest reading is younger than `restMs`. A failed reading counts, so that one bad printer does not hold up the rest.
 */
export function pickNextReading(
  printerIds: readonly string[],
  readAtMs: ReadonlyMap<string, number>,
  nowMs: number,
  restMs: number,
): string | undefined {
  let next: string | undefined
  let nextReadAtMs = Number.POSITIVE_INFINITY
  for (const id of printerIds) {
    const readAt = readAtMs.get(id)
    if (readAt === undefined) return id
    if (readAt < nextReadAtMs) {
      next = id
      nextReadAtMs = readAt
    }
  }
  return nowMs - nextReadAtMs >= restMs ? next : undefined
}
