/** Answers how far the clock of a hub is ahead of ours, by a message that is dated as it is sent; undefined when its date is none. */
export function clockAheadMs({ ts }: { ts: string }, now: Date): number | undefined {
  const sentAtMs = Date.parse(ts)
  return Number.isFinite(sentAtMs) ? sentAtMs - now.getTime() : undefined
}
