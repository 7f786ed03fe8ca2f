import type { PrinterId } from '../../../kernel/ids.ts'

/** When a printer is free, in ms. No p90: something of which it is not known is printed before. */
export interface Free {
  printer: { id: PrinterId; model: string }
  p50Ms: number
  p90Ms: number | null
}

interface Entry {
  free: Free
  /** Of several that are free at the same time the first counts. */
  place: number
  /** As it was when the entry got its place in the heap. */
  p50Ms: number
}

/**
 * Printers by when they are free. Each is free later and later: an entry that is not up to date stands too early, and is moved when it
 * comes to the top, so that a queue of any length costs each of its jobs the logarithm of the number of printers.
 */
export class SoonestFree {
  readonly #heap: Entry[]

  constructor(printers: readonly Free[]) {
    this.#heap = printers.map((free, place) => ({ free, place, p50Ms: free.p50Ms })).sort(compare)
  }

  /** The one that is free first; undefined when there are none. */
  first(): Free | undefined {
    for (;;) {
      const [top] = this.#heap
      if (!top || top.p50Ms === top.free.p50Ms) return top?.free
      top.p50Ms = top.free.p50Ms
      this.#sink(top)
    }
  }

  /** Moves the entry at the top to its place. */
  #sink(entry: Entry): void {
    const heap = this.#heap
    let at = 0
    for (;;) {
      const [left, right] = [heap[2 * at + 1], heap[2 * at + 2]]
      if (!left) break
      const isRight = right !== undefined && compare(right, left) < 0
      const next = isRight ? right : left
      if (compare(entry, next) <= 0) break
      heap[at] = next
      at = 2 * at + (isRight ? 2 : 1)
    }
    heap[at] = entry
  }
}

const compare = (a: Entry, b: Entry) => a.p50Ms - b.p50Ms || a.place - b.place
