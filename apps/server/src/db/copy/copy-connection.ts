import { PassThrough, type Readable } from 'node:stream'
import pg, { type Client, type ClientConfig, type Connection, type Submittable } from 'pg'
import { addressesOf, type DatabaseTarget } from '../driver/database-target.ts'
import { PostgresSocket } from '../driver/postgres-socket.ts'

/** Rows of a statement, each value as the text that the server sends. */
type TextRow = Record<string, string | null>

/** Rows are handed on in pieces of about this size; the server sends each as a message of its own. */
const pieceBytes = 64 * 1024

/**
 * One plain connection for `COPY`, which the pipelined connections of the service do not speak. The forms of dates and
 * numbers are fixed, so that the same row is the same text on every server.
 */
export class CopyConnection {
  readonly #client: Client

  private constructor(client: Client) {
    this.#client = client
  }

  /** Tries the addresses of the target in turn. */
  static async open(target: DatabaseTarget, applicationName: string): Promise<CopyConnection> {
    let failure: unknown
    for (const { socketPath, config } of addressesOf(target)) {
      const client = new pg.Client(clientConfig(config, applicationName, new PostgresSocket(socketPath, undefined)))
      // The statement under way fails with it; without a listener it would end the process.
      client.on('error', () => undefined)
      try {
        await client.connect()
        const connection = new CopyConnection(client)
        await connection.run(sessionSettings)
        return connection
      } catch (error) {
        failure = error
      }
    }
    throw failure
  }

  /** Runs one statement or several, and answers the rows of the last. */
  async run(text: string, values: readonly string[] = []): Promise<TextRow[]> {
    const result = await (values.length === 0
      ? this.#client.query<TextRow>(text)
      : this.#client.query<TextRow>(text, [...values]))
    // Several statements in one text answer a list, which the types do not say.
    const last: unknown = Array.isArray(result) ? result.at(-1) : result
    return (last as { rows?: TextRow[] } | undefined)?.rows ?? []
  }

  /**
   * The rows of `COPY … TO STDOUT` as bytes, read no faster than they are taken.
   *
   * @param onRow Sees each row once, with its line end.
   */
  copyOut(text: string, onRow: (row: Buffer) => void): Readable {
    const copy = new CopyOut(text, onRow)
    this.#client.query(copy)
    return copy.content
  }

  /** Runs `COPY … FROM STDIN` with these bytes. Rejects with what the server refuses, or with the failure of `content`. */
  async copyIn(text: string, content: AsyncIterable<Buffer>): Promise<void> {
    const copy = new CopyIn(text, content)
    this.#client.query(copy)
    await copy.done
  }

  async close(): Promise<void> {
    await this.#client.end()
  }
}

const sessionSettings = `
  set datestyle = 'ISO, YMD'; set intervalstyle = 'postgres'; set timezone = 'UTC'; set bytea_output = 'hex';
  set extra_float_digits = 1; set statement_timeout = 0; set idle_in_transaction_session_timeout = 0;
  set client_encoding = 'UTF8'`

function clientConfig(config: ClientConfig, applicationName: string, socket: PostgresSocket): ClientConfig {
  return {
    ...config,
    application_name: applicationName,
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    stream: () => socket,
    types: { getTypeParser: () => (text: string) => text },
  }
}

/** For messages that tell nothing new. */
const ignore = () => undefined

/** What the client library asks of a statement that reads its own messages. */
abstract class Copy implements Submittable {
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  submit(connection: Connection): void {
    connection.query(this.#text)
  }

  abstract handleReadyForQuery(): void
  abstract handleError(error: Error): void
  readonly handleCommandComplete = ignore
  readonly handleRowDescription = ignore
  readonly handleDataRow = ignore
  readonly handleEmptyQuery = ignore
}

class CopyOut extends Copy {
  readonly content = new PassThrough({ highWaterMark: 4 * pieceBytes })
  readonly #onRow: (row: Buffer) => void
  #pieces: Buffer[] = []
  #size = 0
  #isPaused = false

  constructor(text: string, onRow: (row: Buffer) => void) {
    super(text)
    this.#onRow = onRow
  }

  handleCopyData({ chunk }: { chunk: Buffer }, connection: Connection): void {
    // The library reads the next messages into the same memory.
    const row = Buffer.from(chunk)
    this.#onRow(row)
    this.#pieces.push(row)
    this.#size += row.length
    if (this.#size >= pieceBytes) this.#flush(connection)
  }

  #flush(connection: Connection): void {
    const piece = Buffer.concat(this.#pieces)
    this.#pieces = []
    this.#size = 0
    if (this.content.write(piece) || this.#isPaused) return
    this.#isPaused = true
    connection.stream.pause()
    this.content.once('drain', () => {
      this.#isPaused = false
      connection.stream.resume()
    })
    // Anyone who stops reading early must not leave the connection paused.
    this.content.once('close', () => connection.stream.resume())
  }

  override handleReadyForQuery(): void {
    if (!this.content.destroyed) this.content.end(Buffer.concat(this.#pieces))
  }

  override handleError(error: Error): void {
    this.content.destroy(error)
  }
}

class CopyIn extends Copy {
  readonly done: Promise<void>
  readonly #content: AsyncIterable<Buffer>
  #resolve: () => void = () => undefined
  #reject: (error: unknown) => void = () => undefined
  #refusal: unknown
  #hasEnded = false

  constructor(text: string, content: AsyncIterable<Buffer>) {
    super(text)
    this.#content = content
    this.done = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
  }

  handleCopyInResponse(connection: Connection): void {
    void this.#send(connection)
  }

  async #send(connection: Connection): Promise<void> {
    // Not in the types of the library.
    const wire = connection as Connection & {
      sendCopyFromChunk(chunk: Buffer): void
      endCopyFrom(): void
      sendCopyFail(reason: string): void
    }
    try {
      for await (const chunk of this.#content) {
        if (this.#hasEnded) return
        wire.sendCopyFromChunk(chunk)
        await drained(connection)
      }
    } catch (error) {
      this.#refusal = error
      wire.sendCopyFail('the source could not be read')
      return
    }
    wire.endCopyFrom()
  }

  override handleReadyForQuery(): void {
    this.#hasEnded = true
    if (this.#refusal === undefined) this.#resolve()
    else this.#reject(this.#refusal)
  }

  override handleError(error: Error): void {
    this.#hasEnded = true
    this.#reject(this.#refusal ?? error)
  }
}

function drained({ stream }: Connection): Promise<void> {
  if (!stream.writableNeedDrain || stream.destroyed) return Promise.resolve()
  return new Promise((resolve) => {
    const settle = () => {
      stream.off('drain', settle)
      stream.off('close', settle)
      resolve()
    }
    stream.on('drain', settle)
    stream.on('close', settle)
  })
}
