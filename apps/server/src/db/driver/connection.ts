import pg, { type Client, type ClientConfig, type QueryResult } from 'pg'
import { holdForTurn } from '../../kernel/hold-for-turn.ts'
import { systemCodeOf } from '../setup/database-setup-error.ts'
import { addressesOf, type DatabaseTarget, type ServerAddress, settingOption } from './database-target.ts'
import { PostgresSocket, silent } from './postgres-socket.ts'
import type { Rows, WireStatement } from './statement.ts'
import { parserOf } from './values.ts'

export interface ConnectionOptions {
  target: DatabaseTarget
  /** Seen in `pg_stat_activity`. */
  applicationName: string
  /** Limits that the server keeps, in ms. */
  limits?: Pick<ClientConfig, 'statement_timeout' | 'lock_timeout' | 'idle_in_transaction_session_timeout'>
  /** A connection on which nothing moves, or nothing that was asked is answered, for so long is given up. */
  longestSilenceMs?: number
  /** Hears of the IDs of what a statement outside of transactions has changed; the statement is answered after that. */
  onChanged?: (ids: string[]) => Promise<void> | undefined
  /** Hears what is told on the channels that this connection listens to. */
  onNotification?: (channel: string, text: string) => void
  onEnd?: () => void
}

/** By which the functions `tell_change` and `tell_changes` of the database say what they have changed: IDs, with commas between them. */
const changeNotice = 'PY001'

/** Limit of a connection attempt, in ms. */
const connectTimeoutMs = 4_000

/**
 * Statements that the server keeps prepared per connection; then the connection is replaced. Statements differ by filters and
 * numbers of rows, and the server forgets one only with its connection.
 */
const mostPrepared = 500

/** Statements of more values are prepared each time: they differ by the number of rows, and are seldom sent again. */
const mostValuesPrepared = 200

/** In so many ms most statements are answered. */
const shortMs = 10

/** read_only_sql_transaction: what a standby says to whatever writes. */
const readOnlyCode = '25006'

/** Time that reads that are under way on a standby are waited for. */
const standbyGoodbyeMs = 5_000

/** One connection to the server. Statements go out as they come, without waiting for the answers before them. */
export class Connection {
  readonly #client: Client
  readonly #socket: PostgresSocket
  readonly #options: ConnectionOptions
  /** What the statements since the last answer or the begin of the transaction have changed. */
  #changed: string[] = []
  readonly #names = new Map<string, string>()
  /** Texts whose first statement is under way: it is not known yet whether the server prepared it. */
  readonly #firsts = new Set<string>()
  #namesGiven = 0
  /** True when it takes statements. */
  #isOpen = true
  #isLost = false
  /** Statements under way, and when the last one was answered or the first of them was sent. */
  #unanswered = 0
  #answeredAt = 0
  #silenceTimer: NodeJS.Timeout | undefined

  private constructor(client: Client, socket: PostgresSocket, options: ConnectionOptions) {
    this.#client = client
    this.#socket = socket
    this.#options = options
    client.on('error', () => this.#lose())
    client.on('end', () => this.#lose())
    client.on('notice', ({ code, message }) => {
      if (code !== changeNotice || message === undefined) return
      for (const id of message.split(',')) this.#changed.push(id)
    })
    client.on('notification', ({ channel, payload = '' }) => options.onNotification?.(channel, payload))
    const { longestSilenceMs } = options
    if (longestSilenceMs !== undefined) {
      // The socket cannot tell: to it, what is sent into the void moves, and under load something is sent all the time.
      this.#silenceTimer = setInterval(() => {
        const isSilent = this.#unanswered > 0 && performance.now() - this.#answeredAt > longestSilenceMs
        if (isSilent) socket.destroy(silent())
      }, longestSilenceMs / 4).unref()
    }
  }

  #lose(): void {
    const wasLost = this.#isLost
    this.#isOpen = false
    this.#isLost = true
    clearInterval(this.#silenceTimer)
    if (!wasLost) this.#options.onEnd?.()
  }

  /** Tries the addresses of the target in turn. */
  static async open(options: ConnectionOptions): Promise<Connection> {
    let failure: unknown
    for (const address of addressesOf(options.target)) {
      try {
        return await Connection.#connect(options, address, true)
      } catch (error) {
        failure = error
      }
      if (!isPoolersRefusal(failure)) continue
      try {
        return await Connection.#connect(options, address, false)
      } catch (error) {
        failure = error
      }
    }
    throw failure
  }

  /** @param saysSettings whether the session's settings go out with the start, or by a statement after it */
  static async #connect(options: ConnectionOptions, address: ServerAddress, saysSettings: boolean) {
    const socket = new PostgresSocket(address.socketPath, options.longestSilenceMs)
    const client = new pg.Client(clientConfig(options, address, socket, saysSettings))
    // `connect` throws it too; without a listener it would end the process.
    client.on('error', () => undefined)
    try {
      await client.connect()
      if (!saysSettings) await setByStatement(client, options)
      return new Connection(client, socket, options)
    } catch (error) {
      socket.destroy()
      throw connectError(error)
    }
  }

  get isOpen(): boolean {
    return this.#isOpen
  }

  /** Number of statements that the next one would wait for. What takes long already is likely to take long: its time counts as others. */
  get load(): number {
    if (this.#unanswered === 0) return 0
    return this.#unanswered + (performance.now() - this.#answeredAt) / shortMs
  }

  /** True when it has prepared so much that a new one should take its place. */
  get isWorn(): boolean {
    return this.#namesGiven >= mostPrepared
  }

  /**
   * @param isAlone whether it is a transaction of its own. Such a statement is sent again where the server has prepared it no
   *   longer, or for a table that has changed, and what it changes is told as soon as it is done.
   */
  query(statement: WireStatement, isAlone: boolean): Promise<Rows> {
    return new Promise((resolve, reject) => {
      const answer = (result: QueryResult) => {
        const told = isAlone && this.#changed.length > 0 ? this.#options.onChanged?.(this.takeChanged()) : undefined
        if (told === undefined) resolve(rowsOf(result))
        else told.then(() => resolve(rowsOf(result)), reject)
      }
      const fail = (error: unknown) => {
        if (isAlone) this.takeChanged()
        reject(error)
      }
      this.#send(statement, isAlone, answer, fail)
    })
  }

  /** The IDs of what was changed since they were last taken. */
  takeChanged(): string[] {
    if (this.#changed.length === 0) return []
    const changed = [...new Set(this.#changed)]
    this.#changed = []
    return changed
  }

  /** Runs `begin`, `commit` and their like, and answers what the server says that it did. */
  control(text: string): Promise<string> {
    const statement = { text, values: [], isPrepared: false, origin: () => '' }
    return new Promise((resolve, reject) => {
      this.#send(statement, false, (result) => resolve(result.command), reject)
    })
  }

  #send(
    statement: WireStatement,
    canRepeat: boolean,
    resolve: (result: QueryResult) => void,
    reject: (error: unknown) => void,
  ): void {
    if (!this.#isOpen) {
      reject(connectionClosed())
      return
    }
    const { text, values } = statement
    const name = statement.isPrepared ? this.#nameOf(text, values.length) : undefined
    const isFirst = name !== undefined && !this.#names.has(text)
    if (isFirst) this.#firsts.add(text)
    holdForTurn(this.#socket)
    const config = name === undefined ? { text, values } : { text, values, name }
    if (this.#unanswered === 0) this.#answeredAt = performance.now()
    this.#unanswered += 1
    void this.#client.query(config, (error: Error | null, result: QueryResult) => {
      this.#unanswered -= 1
      this.#answeredAt = performance.now()
      if (isFirst) this.#firsts.delete(text)
      if (error === null) {
        if (isFirst) this.#names.set(text, name)
        return resolve(result)
      }
      if (name !== undefined && isStale(error)) {
        this.#names.delete(text)
        if (canRepeat && !isFirst && this.#isOpen) return this.#send(statement, false, resolve, reject)
      }
      reject(this.#failure(error, statement))
      // The next one goes to wherever the address leads by then.
      if (systemCodeOf(error) === readOnlyCode) void this.close(standbyGoodbyeMs)
    })
  }

  /**
   * The name under which the server has prepared a text, or a new one. None while the first statement of a text is under way:
   * the client library believes it prepared from then on, and statements behind it would fail with it.
   */
  #nameOf(text: string, valueCount: number): string | undefined {
    const known = this.#names.get(text)
    if (known !== undefined || this.#firsts.has(text) || valueCount > mostValuesPrepared) return known
    this.#namesGiven += 1
    return `p${this.#namesGiven}`
  }

  #failure(error: Error, statement: WireStatement): Error {
    if (error instanceof pg.DatabaseError) {
      error.stack = `${error.stack ?? error.message}\n${statement.origin()}`
      return error
    }
    // The library's errors of a connection have no code; those of reading a value come while the connection is whole.
    return !this.#isLost || systemCodeOf(error) !== undefined ? error : connectionClosed(error)
  }

  /** Ends the connection when the statements under way are answered, at the latest after `patienceMs`. */
  async close(patienceMs: number): Promise<void> {
    if (!this.#isOpen) return
    this.#isOpen = false
    const timer = setTimeout(() => this.destroy(), patienceMs)
    await this.#client.end()
    clearTimeout(timer)
  }

  /** Drops the connection, and fails what is under way. */
  destroy(): void {
    this.#lose()
    this.#socket.destroy()
  }
}

function rowsOf(result: QueryResult | QueryResult[]): Rows {
  const last = Array.isArray(result) ? result.at(-1) : result
  // Not listed, so that the rows compare equal to a plain list.
  return Object.defineProperty(last?.rows ?? [], 'count', { value: last?.rowCount ?? 0 }) as Rows
}

/** Settings of each session: what was changed is told by notices, whatever an address asks for. */
const sessionSettings = { TimeZone: 'UTC', client_min_messages: 'notice', 'printyard.notices': 'joined' }

/** A pooler between, such as PgBouncer, takes few settings with the start of a session. */
function isPoolersRefusal(error: unknown): boolean {
  return error instanceof Error && /^unsupported startup parameter/.test(error.message)
}

/** Sets what a pooler did not take; it clears the session before it gives it to another client. */
async function setByStatement(client: Client, { limits }: ConnectionOptions): Promise<void> {
  for (const [name, value] of Object.entries({ ...limits, ...sessionSettings })) {
    await client.query('select set_config($1, $2, false)', [name, String(value)])
  }
}

function clientConfig(
  { limits, applicationName }: ConnectionOptions,
  { config }: ServerAddress,
  socket: PostgresSocket,
  saysSettings: boolean,
): ClientConfig {
  const own = saysSettings ? Object.entries(sessionSettings).map(([name, value]) => settingOption(name, value)) : []
  // The last one counts.
  const startOptions = [config.options ?? '', ...own].join(' ').trim()
  return {
    application_name: applicationName,
    ...config,
    ...(saysSettings && limits),
    options: startOptions === '' ? undefined : startOptions,
    pipeline: true,
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: 60_000,
    stream: () => socket,
    types: { getTypeParser: (type: number) => parserOf(type) },
  }
}

/** invalid_sql_statement_name; or feature_not_supported, where the columns of a prepared statement are others now. */
function isStale(error: Error): boolean {
  if (!(error instanceof pg.DatabaseError)) return false
  return error.code === '26000' || (error.code === '0A000' && error.routine === 'RevalidateCachedQuery')
}

function connectionClosed(cause?: Error): Error {
  const error = new Error('the connection to the database is closed', cause === undefined ? {} : { cause })
  return Object.assign(error, { code: 'CONNECTION_CLOSED' })
}

/** The library gives no code to a server that does not answer in time, nor to one that closes the connection early. */
function connectError(error: unknown): unknown {
  if (systemCodeOf(error) !== undefined || !(error instanceof Error)) return error
  if (error.message === 'timeout expired') {
    return Object.assign(new Error('the database server does not answer', { cause: error }), {
      code: 'CONNECT_TIMEOUT',
    })
  }
  return /^Connection terminated/.test(error.message) ? connectionClosed(error) : error
}
