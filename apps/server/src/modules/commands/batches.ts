interface Batch<Item> {
  items: Item[]
  done: PromiseWithResolvers<void>
}

/**
 * Does for many at once what is asked for one by one. Per key one batch is under way; what is asked for meanwhile is the next one, so
 * that nothing waits where little happens.
 */
export class Batches<Key extends string, Item> {
  readonly #work: (key: Key, items: readonly Item[]) => Promise<void>
  readonly #most: number
  /** Of each key with a batch under way those that wait. */
  readonly #waiting = new Map<Key, Batch<Item>[]>()

  /** @param most items of one batch; more make another one */
  constructor(work: (key: Key, items: readonly Item[]) => Promise<void>, most: number) {
    this.#work = work
    this.#most = most
  }

  /** Resolves when the batch that holds the item is done. @throws what the work on that batch threw */
  add(key: Key, item: Item): Promise<void> {
    const waiting = this.#waiting.get(key)
    const last = waiting?.at(-1)
    if (last && last.items.length < this.#most) {
      last.items.push(item)
      return last.done.promise
    }
    const batch: Batch<Item> = { items: [item], done: Promise.withResolvers() }
    if (waiting) waiting.push(batch)
    else void this.#run(key, batch)
    return batch.done.promise
  }

  async #run(key: Key, first: Batch<Item>): Promise<void> {
    const waiting: Batch<Item>[] = []
    this.#waiting.set(key, waiting)
    for (let batch: Batch<Item> | undefined = first; batch; batch = waiting.shift()) {
      try {
        await this.#work(key, batch.items)
        batch.done.resolve()
      } catch (error) {
        batch.done.reject(error)
      }
    }
    this.#waiting.delete(key)
  }
}
