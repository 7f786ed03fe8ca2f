/** The time of the shop, which stands still while people or the service do not keep up with it. */
export interface ShopClock {
  /** Simulated seconds since the beginning of the month. */
  now(): number
  /** The real time of a moment of the month, as far as it is known now: later, when the clock stands still before it. */
  dateOf(seconds: number): Date
  /** Does a piece of work. The clock runs on for at most `mostLeadSeconds` from its beginning until it is done. */
  keepUpWith<T>(work: () => Promise<T>): Promise<T>
}

/** How far the clock is ahead of work that is not done: as long as between two looks of the owner at the shop. */
export const mostLeadSeconds = 4 * 3_600

/**
 * Runs `speed` simulated seconds for each real one, at most. A machine that is busy with other things takes longer for a month, and what
 * happens in it stays the same: without this, a slow service would have weeks of orders to do in a minute.
 */
export function openClock(speed: number, realNow: () => number = Date.now): ShopClock {
  let atSeconds = 0
  let lookedAtMs = realNow()
  const unfinished = new Set<{ at: number }>()

  function now(): number {
    const realMs = realNow()
    const unhindered = atSeconds + ((realMs - lookedAtMs) / 1_000) * speed
    const limits = [...unfinished].map(({ at }) => at + mostLeadSeconds)
    atSeconds = Math.min(unhindered, ...limits)
    lookedAtMs = realMs
    return atSeconds
  }

  return {
    now,
    dateOf(seconds) {
      const ahead = seconds - now()
      return new Date(lookedAtMs + (ahead / speed) * 1_000)
    },
    async keepUpWith(work) {
      const piece = { at: now() }
      unfinished.add(piece)
      try {
        return await work()
      } finally {
        // What has passed is limited by this piece, too.
        now()
        unfinished.delete(piece)
      }
    },
  }
}
