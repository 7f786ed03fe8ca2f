/**
 * What the modules of one service hold in memory: each thing is made at its first use, by the function that makes it, and lives as
 * long as the service. Two services in one process, as in tests, share nothing.
 */
export class Memory {
  readonly #held = new Map<unknown, unknown>()

  /** The one thing that `make` makes in this service. */
  hold<C, T>(make: (context: C) => T, context: C): T {
    if (!this.#held.has(make)) this.#held.set(make, make(context))
    // Only what the same function made stands under it.
    return this.#held.get(make) as T
  }
}
