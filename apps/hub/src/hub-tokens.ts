import { createHash } from 'node:crypto'
import type { HubConfig } from './config.ts'
import { findJoinedHub, writeJoinedHub } from './joined-hub.ts'

/** Number of former tokens that are kept: that of the connection on which two were given, and one for a service that was restored. */
const mostFormer = 2

/**
 * The token of a hub, and those before it. The service may replace it; the former ones stay beside it on the disk, because the database
 * of the service may be restored from before it was replaced.
 */
export class HubTokens {
  readonly #dataDir: string
  readonly #hubId: string | undefined
  #known: readonly string[]
  #place = 0
  #replacing: Promise<unknown> = Promise.resolve()

  constructor({ dataDir, token, keptToken }: Pick<HubConfig, 'dataDir' | 'token' | 'keptToken'>) {
    this.#dataDir = dataDir
    this.#hubId = keptToken?.hubId
    this.#known = [token, ...(keptToken?.former ?? [])]
  }

  /** True when the token lies in the data directory, so that another one can be kept in its place. */
  get areKept(): boolean {
    return this.#hubId !== undefined
  }

  /** The one to connect with. */
  get current(): string {
    return this.#known[this.#place] ?? ''
  }

  /** The service does not know the current token: the next one is current. True when that was not refused just before. */
  moveToNext(): boolean {
    this.#place = (this.#place + 1) % this.#known.length
    return this.#place !== 0
  }

  /**
   * Keeps another token in place of the one in use, which becomes a former one. Both are on the disk when this resolves, with the SHA-256
   * of the new one (hexadecimal). Rejects when it cannot be opened or written, or the hub was joined again meanwhile: nothing has changed then.
   *
   * @param open gives the token that was sealed for the hub of this ID
   */
  replace(open: (boundTo: string) => unknown): Promise<string> {
    const replaced = this.#replacing.then(() => this.#replace(open))
    this.#replacing = replaced.catch(() => undefined)
    return replaced
  }

  async #replace(open: (boundTo: string) => unknown): Promise<string> {
    if (this.#hubId === undefined) throw new Error('the token of this hub comes from its settings')
    const token = open(this.#hubId)
    if (typeof token !== 'string' || !/^[\x21-\x7e]{1,200}$/.test(token)) throw new Error('it is no token')
    const joined = await findJoinedHub(this.#dataDir)
    if (!joined || !this.#known.includes(joined.token)) throw new Error('this hub was joined again meanwhile')
    // The one in use first: the service knows it.
    const { current } = this
    const former = [current, ...this.#known.filter((each) => each !== current)].slice(0, mostFormer)
    await writeJoinedHub(this.#dataDir, { ...joined, token, former_tokens: former })
    this.#known = [token, ...former]
    this.#place = 0
    return createHash('sha256').update(token).digest('hex')
  }
}
