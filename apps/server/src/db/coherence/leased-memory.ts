import type { Coherence } from './coherence.ts'

/** What is remembered, and the IDs of all rows that it was made of. */
export interface Remembered<T> {
  value: T
  ids: readonly string[]
}

interface Entry<T> extends Remembered<T> {
  readAt: number
}

/** After this even what was never changed is read again, in ms. */
const longestMs = 60_000

/**
 * What was read from the database, used only while it is proven to be so still. What was not asked for longest makes room. What is not
 * there is not remembered: nothing tells of what is made.
 */
export class LeasedMemory<T> {
  readonly #coherence: Pick<Coherence, 'isCurrent' | 'term' | 'onForget'>
  readonly #capacity: number
  readonly #entries = new Map<string, Entry<T>>()
  /** The last one of the entries, unless it is not there any more. */
  #lastAsked: Entry<T> | undefined
  readonly #keysById = new Map<string, Set<string>>()
  /** What was changed since each of the reads that are under way began; undefined: anything. */
  readonly #reads = new Set<Set<string | undefined>>()

  constructor(coherence: Pick<Coherence, 'isCurrent' | 'term' | 'onForget'>, capacity: number) {
    this.#coherence = coherence
    this.#capacity = capacity
    coherence.onForget((id) => this.#forget(id))
  }

  /** Answers what is known to be under this key at this moment. */
  get(key: string): T | undefined {
    const entry = this.#entries.get(key)
    if (entry === undefined || !this.#coherence.isCurrent) return undefined
    if (performance.now() - entry.readAt > longestMs) return undefined
    if (this.#lastAsked !== entry) {
      // The last in the order is the one that was asked for last.
      this.#entries.delete(key)
      this.#entries.set(key, entry)
      this.#lastAsked = entry
    }
    return entry.value
  }

  /** Answers what `read` answers, and remembers it unless it was changed meanwhile. */
  async read(key: string, read: () => Promise<Remembered<T> | undefined>): Promise<T | undefined> {
    const { term } = this.#coherence
    const changed = new Set<string | undefined>()
    this.#reads.add(changed)
    try {
      const found = await read()
      const wasMissed = changed.has(undefined) || found?.ids.some((id) => changed.has(id))
      if (found && term !== undefined && term === this.#coherence.term && !wasMissed) this.#keep(key, found)
      return found?.value
    } finally {
      this.#reads.delete(changed)
    }
  }

  #keep(key: string, { value, ids }: Remembered<T>): void {
    this.#drop(key)
    this.#lastAsked = { value, ids, readAt: performance.now() }
    this.#entries.set(key, this.#lastAsked)
    for (const id of ids) {
      const keys = this.#keysById.get(id) ?? new Set()
      this.#keysById.set(id, keys.add(key))
    }
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= this.#capacity) return
      this.#drop(oldest)
    }
  }

  #drop(key: string): void {
    const entry = this.#entries.get(key)
    if (entry === undefined) return
    this.#entries.delete(key)
    for (const id of entry.ids) {
      const keys = this.#keysById.get(id)
      keys?.delete(key)
      if (keys?.size === 0) this.#keysById.delete(id)
    }
  }

  #forget(id: string | undefined): void {
    for (const changed of this.#reads) changed.add(id)
    if (id === undefined) {
      this.#entries.clear()
      this.#keysById.clear()
      return
    }
    for (const key of [...(this.#keysById.get(id) ?? [])]) this.#drop(key)
  }
}
