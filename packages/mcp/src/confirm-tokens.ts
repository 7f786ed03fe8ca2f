import { createHmac, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto'

const lifetimeMs = 2 * 60_000

interface Redeemed {
  /** Key of this token alone, so that its action is done at most once. */
  idempotencyKey: string
}

/**
 * Tokens between the dry run of an action and the action. Each is good for one tool with exactly these arguments under one API
 * key, for two minutes and once. They end with the process.
 */
export class ConfirmTokens {
  readonly #secret = randomBytes(32)
  readonly #apiKey: string
  readonly #now: () => number
  /** The IDs of those that were used, with when they expire. */
  readonly #used = new Map<string, number>()

  constructor(apiKey: string, now: () => number = Date.now) {
    this.#apiKey = apiKey
    this.#now = now
  }

  issue(tool: string, args: object): string {
    const id = randomUUID()
    const expiresAt = this.#now() + lifetimeMs
    return `${id}.${expiresAt}.${this.#sign(id, expiresAt, tool, args).toString('base64url')}`
  }

  /** Uses a token up, or says why it is refused. */
  redeem(token: string, tool: string, args: object): Redeemed | string {
    const [id = '', expiry = '', signature = ''] = token.split('.')
    const expiresAt = Number(expiry)
    const expected = this.#sign(id, expiresAt, tool, args)
    const given = Buffer.from(signature, 'base64url')
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
      return 'The confirm_token belongs to another tool or to other arguments.'
    }
    const now = this.#now()
    if (now >= expiresAt) return 'The confirm_token has expired.'
    if (this.#used.has(id)) return 'The confirm_token was used already.'
    for (const [usedId, until] of this.#used) if (until <= now) this.#used.delete(usedId)
    this.#used.set(id, expiresAt)
    return { idempotencyKey: `mcp-${id}` }
  }

  #sign(id: string, expiresAt: number, tool: string, args: object): Buffer {
    const text = JSON.stringify([id, expiresAt, tool, this.#apiKey, inOneOrder(args)])
    return createHmac('sha256', this.#secret).update(text).digest()
  }
}

/** The same arguments give the same text, whatever the order of their names. */
function inOneOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOneOrder)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))
  return entries.map(([name, part]) => [name, inOneOrder(part)])
}
