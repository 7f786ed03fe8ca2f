interface Read {
  rows: readonly unknown[]
}

interface Entry {
  owner: string
  key: string
  mark: string
  result: Promise<Read>
  /** What it counts for: one, and the rows it has. */
  weight: number
  /** Whether it was asked for again since it last might have made room. */
  isInUse: boolean
}

/**
 * What was read, kept for as long as its mark is the same. A mark tells which state of the data it stands for: who asks has read it
 * after being asked, and what is read after that is at least as new. At most so many rows are kept: the oldest
 * makes room first, but for one that was asked for since, which is passed over once. To note at each answer who asked last would cost more
 * than all else about it.
 */
export class RememberedReads {
  // By owner first: an account's name is at hand in each request, while one made of two is made and hashed each time.
  readonly #ofOwner = new Map<string, Map<string, Entry>>()
  readonly #byAge = new Set<Entry>()
  readonly #mostRows: number
  #weight = 0

  constructor(mostRows: number) {
    this.#mostRows = mostRows
  }

  /** Answers what `read` answered for this key of this owner under this mark; its caller must not change it. */
  find<T extends Read>(owner: string, key: string, mark: string, read: () => Promise<T>): Promise<T> {
    const known = this.#ofOwner.get(owner)?.get(key)
    // Only what the same reader answered stands under its key.
    if (known?.mark === mark) {
      known.isInUse = true
      return known.result as Promise<T>
    }
    if (known) this.#drop(known)
    const result = read()
    this.#begin({ owner, key, mark, result, weight: 1, isInUse: false })
    return result
  }

  #begin(entry: Entry): void {
    this.#keep(entry)
    const ended = (keep: boolean, rows: number) => {
      const isKept = this.#byAge.has(entry)
      if (isKept) this.#drop(entry)
      entry.weight += rows
      // What has no room even alone would only drive out all others.
      if (isKept && keep && entry.weight <= this.#mostRows) this.#keep(entry)
    }
    entry.result.then(
      ({ rows }) => ended(true, rows.length),
      () => ended(false, 0),
    )
  }

  #keep(entry: Entry): void {
    // What is put last comes again after all others, no longer in use: each is looked at twice at most.
    for (const oldest of this.#byAge) {
      if (this.#weight + entry.weight <= this.#mostRows) break
      if (oldest.isInUse) {
        oldest.isInUse = false
        this.#byAge.delete(oldest)
        this.#byAge.add(oldest)
      } else this.#drop(oldest)
    }
    const { owner, key } = entry
    const others = this.#ofOwner.get(owner) ?? new Map<string, Entry>()
    this.#ofOwner.set(owner, others.set(key, entry))
    this.#byAge.add(entry)
    this.#weight += entry.weight
  }

  #drop(entry: Entry): void {
    const { owner, key, weight } = entry
    const others = this.#ofOwner.get(owner)
    others?.delete(key)
    if (others?.size === 0) this.#ofOwner.delete(owner)
    this.#byAge.delete(entry)
    this.#weight -= weight
  }
}
