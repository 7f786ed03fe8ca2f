import { Socket } from 'node:net'

/** The socket of a connection to the server. */
export class PostgresSocket extends Socket {
  readonly #path: string | undefined

  /**
   * @param path of a Unix socket, to which it connects whatever host is named.
   * @param longestSilenceMs A connection on which nothing moved for so long is closed, whether idle or without its server,
   *   which may be gone without a word, as with its network. Longer than any statement may take.
   */
  constructor(path: string | undefined, longestSilenceMs: number | undefined) {
    super()
    this.#path = path
    if (longestSilenceMs !== undefined) this.setTimeout(longestSilenceMs, () => this.destroy(silent()))
  }

  // The client library connects by port and host; a path of any name can only be given here.
  override connect(...args: unknown[]): this {
    const connect = super.connect as (...args: unknown[]) => this
    return this.#path === undefined ? connect.apply(this, args) : connect.call(this, this.#path)
  }
}

export function silent(): Error {
  return Object.assign(new Error('the database server has not answered'), { code: 'ETIMEDOUT' })
}
