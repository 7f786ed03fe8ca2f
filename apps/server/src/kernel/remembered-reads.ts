interface Read {
  rows: readonly unknown[]
}

interface Entry {
  mark: string
  result: Promise<Read>
  /** What it counts for: one, and the rows it has. */
  weight: number
}

/**
 * What was read, kept for as long as its mark is the same. A mark tells which state of the data it stands for: who asks has read it
 * after being asked, and what is read after that is at least as new. At most so many rows are kept; what was not asked for
 * longest is dropped first.
 */
export class RememberedReads {
  readonly #entries = new Map<string, Entry>()
  readonly #mostRows: number
  #weight = 0

  constructor(mostRows: number) {
    this.#mostRows = mostRows
  }

  /** Answers what `read` answered for this key under this mark; its caller must not change it. */
  find<T extends Read>(key: string, mark: string, read: () => Promise<T>): Promise<T> {
    const known = this.#entries.get(key)
    if (known) this.#drop(key, known)
    const entry = known?.mark === mark ? known : this.#begin(key, mark, read)
    this.#keep(key, entry)
    // Only what the same reader answered stands under its key.
    return entry.result as Promise<T>
  }

  #begin(key: string, mark: string, read: () => Promise<Read>): Entry {
    const entry: Entry = { mark, result: read(), weight: 1 }
    const ended = (keep: boolean, rows: number) => {
      const isKept = this.#entries.get(key) === entry
      if (isKept) this.#drop(key, entry)
      entry.weight += rows
      // What has no room even alone would only drive out all others.
      if (isKept && keep && entry.weight <= this.#mostRows) this.#keep(key, entry)
    }
    entry.result.then(
      ({ rows }) => ended(true, rows.length),
      () => ended(false, 0),
    )
    return entry
  }

  #keep(key: string, entry: Entry): void {
    this.#entries.set(key, entry)
    this.#weight += entry.weight
    if (this.#weight <= this.#mostRows) return
    for (const [oldest, other] of this.#entries) {
      if (this.#weight <= this.#mostRows) return
      this.#drop(oldest, other)
    }
  }

  #drop(key: string, entry: Entry): void {
    this.#entries.delete(key)
    this.#weight -= entry.weight
  }
}
