/**
 * What waits, in turns: the owner who was served longest ago is next, and of what one owner waits for what came first. An owner who
 * waits for a thousand things holds up another by one of them.
 */
export class FairQueue<Owner, Item> {
  /** The owner who is next stands first. */
  readonly #waiting = new Map<Owner, Item[]>()

  get isEmpty(): boolean {
    return this.#waiting.size === 0
  }

  add(owner: Owner, item: Item): void {
    const items = this.#waiting.get(owner)
    if (items === undefined) this.#waiting.set(owner, [item])
    else items.push(item)
  }

  /** Takes out what is next of those owners who may be served now. */
  next(canBeServed: (owner: Owner) => boolean): Item | undefined {
    for (const [owner, items] of this.#waiting) {
      if (!canBeServed(owner)) continue
      const item = items.shift()
      this.#waiting.delete(owner)
      if (items.length > 0) this.#waiting.set(owner, items)
      return item
    }
    return undefined
  }
}
