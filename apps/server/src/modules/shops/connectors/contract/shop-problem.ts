/**
 * Reason why a call to a shop came to nothing. `away`: it did not answer, or with an error of its own; `busy`: it asks for time; `credentials`: it
 * does not let us in; `missing`: it has no such thing; `refused`: it does not do that; `unlike`: it answered what such a shop does not.
 */
export type ShopProblemKind = 'away' | 'busy' | 'credentials' | 'missing' | 'refused' | 'unlike'

/** A call to a shop that came to nothing. The message is for people, and holds no secret. */
export class ShopProblem extends Error {
  readonly kind: ShopProblemKind
  /** Time that the shop asks to be left alone. */
  readonly retryAfterMs: number

  constructor(kind: ShopProblemKind, message: string, { retryAfterMs = 0 } = {}) {
    super(message)
    this.name = 'ShopProblem'
    this.kind = kind
    this.retryAfterMs = retryAfterMs
  }
}
