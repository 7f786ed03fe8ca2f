interface Spacing<T> {
  write: (newest: T) => Promise<void>
  /** Time after a write before the next one is made. */
  everyMs: number
  /** True when a value is written at once, whenever the last write was. */
  isUrgent?: (value: T, last: T) => boolean
  onError: (error: unknown) => void
}

/**
 * Writes values that follow one another quickly, such as how far something is, now and then and one at a time. What comes between is
 * left out: the next value says more.
 */
export function spaceWrites<T>({ write, everyMs, isUrgent = () => false, onError }: Spacing<T>) {
  let last: { value: T; atMs: number } | undefined
  let writing: Promise<void> | undefined
  return {
    tell(value: T): void {
      const nowMs = performance.now()
      const isDue = last === undefined || nowMs - last.atMs >= everyMs || isUrgent(value, last.value)
      if (!isDue || writing !== undefined) return
      last = { value, atMs: nowMs }
      writing = write(value)
        .catch(onError)
        .finally(() => {
          writing = undefined
        })
    },
    /** Resolves when nothing is being written. */
    settled: async (): Promise<void> => writing,
  }
}
