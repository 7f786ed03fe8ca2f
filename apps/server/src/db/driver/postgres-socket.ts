import { Socket } from 'node:net'
import type postgres from 'postgres'

/** With this message the server says that it waits for the next statement; the last byte tells of a transaction. */
const readyForQuery = Buffer.from([0x5a, 0, 0, 0, 5])
const readyLength = readyForQuery.length + 1

/**
 * The connection to the server, whose end the driver (3.4.9) hears of in one piece. A plain socket that breaks tells of the
 * error first and of the end later; a statement sent between the two is never answered by the driver, and waits in its books
 * for the answer to a statement of the next connection. So of a break there is only the end, upon which the driver refuses
 * all that waits.
 *
 * Before the server has taken the connection it is the other way round: at a mere end the driver would try again for ever,
 * without a pause, while its statement waits. There every end is an error.
 */
class PostgresSocket extends Socket {
  #isTaken = false
  #tail = Buffer.alloc(0)

  constructor(longestSilenceMs: number | undefined) {
    super()
    this.on('data', (bytes: Buffer) => {
      if (!this.#isTaken) this.#lookForReady(bytes)
    })
    // A server that is gone without a word, as with its network, never answers and never ends the connection.
    if (longestSilenceMs !== undefined) this.setTimeout(longestSilenceMs, () => this.destroy())
  }

  #lookForReady(bytes: Buffer): void {
    this.#tail = Buffer.concat([this.#tail, bytes]).subarray(-readyLength)
    this.#isTaken = this.#tail.subarray(0, readyForQuery.length).equals(readyForQuery)
  }

  override destroy(error?: Error): this {
    return super.destroy(this.#isTaken ? undefined : (error ?? closedEarly()))
  }
}

function closedEarly(): Error {
  return Object.assign(new Error('the server closed the connection before it took it'), { code: 'ECONNRESET' })
}

/**
 * Makes a pool use such sockets. Left to the driver are connections with TLS, which it wraps itself, and addresses with
 * several servers, which it tries in turn.
 *
 * @param longestSilenceMs A connection on which nothing moved for so long is closed, whether idle or without its server;
 *   longer than any statement may take. Without it, none is.
 */
export function usePostgresSockets(options: postgres.ParsedOptions, longestSilenceMs: number | undefined): void {
  const [host, port] = [options.host[0], options.port[0]]
  if (options.ssl || options.host.length > 1 || host === undefined || port === undefined) return
  const open = async () => {
    const socket = new PostgresSocket(longestSilenceMs)
    // The driver begins to listen in the microtasks after this one, and so before the socket can tell of anything.
    await undefined
    return options.path ? socket.connect(options.path) : socket.connect(port, host)
  }
  Object.assign(options, { socket: open })
}
