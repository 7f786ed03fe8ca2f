import postgres from 'postgres'
import { backOffMs } from '../kernel/back-off.ts'
import { type ChangeListener, type ChangeNotice, deliverNotices } from './commit-notices.ts'
import { isConnectionError } from './database-errors.ts'
import { addArrayTypes } from './driver/array-types.ts'
import { usePostgresSockets } from './driver/postgres-socket.ts'
import { checkParameter, checkParameterCount, JsonText, makeSerializersSafe } from './driver/sendable-parameters.ts'

/** Runs statements: a pool or a transaction. Query functions take it first. */
export type Sql = postgres.ISql
/** Runs statements of one transaction; has `savepoint`. Usable wherever `Sql` is asked for. */
export type Transaction = postgres.TransactionSql

/** What a `jsonb` column holds. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json }

/** A Unix socket of this machine, or the address of a server (`postgres://…`). */
export type DatabaseTarget = { socketPath: string; database: string; user: string } | { url: string }

/** Sees the whole text of each statement before it is sent; throws to refuse it. */
export type StatementGuard = (statement: string) => void

export interface DatabaseOptions {
  target: DatabaseTarget
  /** Seen in `pg_stat_activity`. Default: `printyard`. */
  applicationName?: string
  /** Connections for single statements, which are pipelined on them. Default: 2. */
  statementConnections?: number
  /** Transactions that may run at once; more wait. Default: 4. */
  transactionConnections?: number
  /** Limit of a statement outside reports, in ms. Default: 10 s. */
  statementTimeoutMs?: number
  /** Limit of a statement on `reports`, in ms. Default: 2 min. */
  reportTimeoutMs?: number
  guard?: StatementGuard
}

/**
 * Values: `int8` is a number (an int8 beyond 2^53 is an error), `numeric` stays text (cast sums to int8 or float8),
 * `timestamptz` is a Date, cut to milliseconds, `date` is text `YYYY-MM-DD`, `jsonb` is parsed. A text given for a
 * timestamptz goes to the server as it is, with its microseconds. Sessions run in UTC. Arrays are those of the types in
 * `array-types.ts`.
 */
export interface Database {
  /** For single statements. They share few connections, so a slow one holds up others: that is what `reports` is for. */
  sql: Sql
  /** Runs `work` in a transaction: committed when it resolves, rolled back when it throws. Nothing slow belongs inside. */
  begin<T>(work: (sql: Transaction) => Promise<T>): Promise<T>
  /** For long reads, on a connection of their own with a longer limit. */
  reports: Sql
  /** Hears of each change that `tellWhenCommitted` was told of in this process, in the order of the commits. */
  onChange(listener: ChangeListener): () => void
  /** Lets running statements finish for up to 2 s, then drops them. */
  close(): Promise<void>
}

/** Opens no connection yet; the first statement does. */
export function openDatabase(options: DatabaseOptions): Database {
  const { statementTimeoutMs = 10_000, reportTimeoutMs = 120_000, guard } = options
  // Each a pool of one: a pool of several keeps a queue of its connections that grows for as long as it is never empty, and
  // searches it for each statement (driver 3.4.9). After 300,000 statements under load one cost ten times as much.
  const statements = Array.from({ length: options.statementConnections ?? 2 }, () =>
    openPool(options, 1, statementTimeoutMs),
  )
  const transactions = openPool(options, options.transactionConnections ?? 4, statementTimeoutMs)
  const reports = openPool(options, 1, reportTimeoutMs)
  const listeners = new Set<ChangeListener>()
  const tell = (notice: ChangeNotice) => {
    for (const listener of listeners) listener(notice)
  }
  const statementSql = checkedSql(anyOf(statements), guard)
  deliverNotices(statementSql, tell)
  return {
    sql: statementSql,
    async begin(work) {
      const notices: ChangeNotice[] = []
      // The driver waits for the elements of a returned array, as Promise.all does; in a box the result stays itself.
      const life: TransactionLife = { isLost: false, isOver: false }
      try {
        const { result } = await transactions.begin(async (sql) => ({
          result: await unlessLost(life, () =>
            work(checkedTransaction(sql, guard, life, (notice) => notices.push(notice))),
          ),
        }))
        for (const notice of notices) tell(notice)
        return result
      } finally {
        life.isOver = true
      }
    },
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    reports: checkedSql(reports, guard),
    async close() {
      await Promise.all([...statements, transactions, reports].map((pool) => pool.end({ timeout: 2 })))
    },
  }
}

/** One tag over several connections: each statement goes to any of them, so that a slow one holds up only its share. */
function anyOf(pools: postgres.Sql[]): AnySql {
  const [first] = pools
  if (first === undefined) throw new RangeError('statementConnections must be at least 1')
  const pick = () => pools[Math.floor(Math.random() * pools.length)] ?? first
  // The driver's tag is overloaded; the arguments are passed on unchanged.
  const tag = (...args: unknown[]) => (pick() as unknown as (...args: unknown[]) => object)(...args)
  const unsafe: postgres.Sql['unsafe'] = (...args) => pick().unsafe(...args)
  return Object.assign(tag, first, { unsafe }) as unknown as AnySql
}

/**
 * The driver (3.4.9) rejects a transaction when its connection closes, and then sends it a rollback or a commit all the
 * same: on a socket that is gone, which ends the process. So work whose connection was lost never ends for the driver.
 */
interface TransactionLife {
  /** A statement of it failed because the connection broke. */
  isLost: boolean
  /** Its caller has the outcome. */
  isOver: boolean
}

/** The outcome of the work; of work whose connection was lost there is none, and the driver has told its caller. */
async function unlessLost<T>(life: TransactionLife, work: () => Promise<T>): Promise<T> {
  const never = () => new Promise<never>(() => undefined)
  try {
    const result = await work()
    return life.isOver ? await never() : result
  } catch (error) {
    if (life.isLost || life.isOver) return await never()
    throw error
  }
}

/**
 * Makes the first message of a connection so long that the driver (3.4.9) writes it at once. Where a connection breaks while
 * a shorter write waits for its turn, that turn never comes again: every later connection in its place would wait for ever.
 */
const startupPadding = '-'.repeat(1024)

/** The driver's options that both the pools and the migration runner use. */
export function driverOptions(target: DatabaseTarget, applicationName = 'printyard') {
  return {
    ...('url' in target ? {} : { path: target.socketPath, user: target.user, database: target.database }),
    connect_timeout: 4,
    // A server that comes back should be noticed within a second; the default waits up to 20.
    backoff: (retries: number) => backOffMs(retries + 1, { firstMs: 50, longestMs: 1_000 }) / 1_000,
    onnotice: () => undefined,
    fetch_types: false,
    types: valueTypes,
    connection: { application_name: applicationName, TimeZone: 'UTC', 'printyard.padding': startupPadding },
  }
}

/** A plain pool of the driver. A connection on which nothing moves for `longestSilenceMs` is given up. */
export function openDriver(
  target: DatabaseTarget,
  options: ReturnType<typeof driverOptions> & { max: number },
  longestSilenceMs?: number,
): postgres.Sql {
  const pool = 'url' in target ? postgres(...readUrl(target.url, options)) : postgres(options)
  addArrayTypes(pool.options)
  makeSerializersSafe(pool.options)
  usePostgresSockets(pool.options, longestSilenceMs)
  return pool
}

/** The driver does not know the usual way to write a socket in an address: `postgresql://user@localhost/name?host=/run/x`. */
function readUrl<T extends object>(text: string, options: T): [string, T & { path?: string }] {
  const url = new URL(text)
  const directory = url.searchParams.get('host')
  if (directory === null || !directory.startsWith('/')) return [text, options]
  url.searchParams.delete('host')
  return [url.href, { ...options, path: `${directory}/.s.PGSQL.${url.port || 5432}` }]
}

/** The server ends a statement at its limit; one that says nothing for so long after that is gone. */
const silenceMarginMs = 10_000

function openPool({ target, applicationName }: DatabaseOptions, max: number, statementTimeoutMs: number): postgres.Sql {
  const options = driverOptions(target, applicationName)
  const limited = {
    ...options,
    max,
    connection: {
      ...options.connection,
      statement_timeout: statementTimeoutMs,
      lock_timeout: Math.min(5_000, statementTimeoutMs),
      idle_in_transaction_session_timeout: 15_000,
    },
  } as typeof options & { max: number }
  return openDriver(target, limited, statementTimeoutMs + silenceMarginMs)
}

/** Object identifiers of pg_catalog.pg_type, fixed for ever. */
const oid = { int8: 20, json: 114, date: 1082, timestamp: 1114, timestamptz: 1184, jsonb: 3802 }

const valueTypes = {
  int8: { to: oid.int8, from: [oid.int8], serialize: String, parse: parseInt8 },
  timestamptz: {
    to: oid.timestamptz,
    from: [oid.timestamptz],
    serialize: (value: unknown) => (value instanceof Date ? value.toISOString() : String(value)),
    parse: (text: string) => new Date(text),
  },
  // A calendar day has no time zone; as a Date it would shift by one for half of the world.
  date: { to: oid.date, from: [oid.date, oid.timestamp], serialize: String, parse: (text: string) => text },
  json: {
    to: oid.jsonb,
    from: [oid.json, oid.jsonb],
    serialize: (value: unknown) => (value instanceof JsonText ? value.text : JSON.stringify(value)),
    parse: (text: string): unknown => JSON.parse(text),
  },
}

function parseInt8(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value))
    throw new RangeError(`The int8 ${text} does not fit a JavaScript number; select it as text`)
  return value
}

type AnySql = postgres.ISql & Partial<Pick<postgres.TransactionSql, 'savepoint'>>

/** What is known about the objects that pass through a tag: how they read inside a statement, and their parameters. */
interface Part {
  text: () => string
  parameters: number
}
const parts = new WeakMap<object, Part>()
const isPart = (value: object) => parts.has(value)

function checkedTransaction(
  sql: postgres.TransactionSql,
  guard: StatementGuard | undefined,
  life: TransactionLife,
  note: ChangeListener,
): Transaction {
  const checked = checkedSql(sql, guard, life)
  deliverNotices(checked, note)
  const savepoint = (...args: unknown[]) => {
    const work = args.pop() as (sql: Transaction) => Promise<unknown>
    const name = typeof args[0] === 'string' ? args[0] : undefined
    const inner = (nested: postgres.TransactionSql) =>
      unlessLost(life, () => work(checkedTransaction(nested, guard, life, note)))
    return name === undefined ? sql.savepoint(inner) : sql.savepoint(name, inner)
  }
  // The driver's transaction is its tag with these members; ours is the checked tag with the checked savepoint.
  return Object.assign(checked, { savepoint }) as unknown as Transaction
}

/** The driver's tag with every parameter checked before the driver sees it, and the guard asked before it sends. */
function checkedSql(sql: AnySql, guard: StatementGuard | undefined, life?: TransactionLife): Sql {
  const tag = (first: unknown, ...rest: unknown[]): unknown => {
    const isTemplate = Array.isArray(first) && 'raw' in first
    const part = isTemplate ? readTemplate(first as unknown as TemplateStringsArray, rest) : readHelper(first, rest)
    // The driver's tag is overloaded on exactly this distinction; it is passed on unchanged.
    const made = (sql as unknown as (...args: unknown[]) => object)(first, ...rest)
    parts.set(made, part)
    if (isTemplate) {
      closeGaps(made)
      if (guard || life) askBeforeSending(made, part.text, guard, life)
    }
    return made
  }
  const members = {
    unsafe(text: string, args: unknown[] = [], options = {}) {
      for (const arg of args) checkParameter(arg, isPart)
      const made = sql.unsafe(text, args as never[], options)
      parts.set(made, { text: () => text, parameters: args.length })
      closeGaps(made)
      if (guard || life) askBeforeSending(made, () => text, guard, life)
      return made
    },
    json: (value: unknown) => remember(sql.json(new JsonText(value) as never)),
    array(value: unknown[], type?: number) {
      checkParameter(value, isPart)
      return remember(sql.array(value as never[], type))
    },
    typed(value: unknown, type: number) {
      checkParameter(value, isPart)
      return remember(sql.typed(value, type))
    },
  }
  return Object.assign(tag, sql, members, { types: members.typed }) as unknown as Sql
}

function remember<T extends object>(parameter: T): T {
  parts.set(parameter, { text: () => '$', parameters: 1 })
  return parameter
}

function partOf(value: unknown): Part | undefined {
  return typeof value === 'object' && value !== null ? parts.get(value) : undefined
}

function readTemplate(strings: TemplateStringsArray, values: unknown[]): Part {
  let parameters = 0
  for (const value of values) {
    checkParameter(value, isPart)
    parameters += countParameters(value)
  }
  checkParameterCount(parameters)
  const textOf = (value: unknown): string =>
    isFragmentList(value) ? value.map(textOf).join(' ') : (partOf(value)?.text() ?? '$')
  return {
    parameters,
    text: () => strings.reduce((text, string, index) => text + textOf(values[index - 1]) + string),
  }
}

function countParameters(value: unknown): number {
  if (isFragmentList(value)) return value.reduce<number>((sum, each) => sum + countParameters(each), 0)
  return partOf(value)?.parameters ?? 1
}

function isFragmentList(value: unknown): value is unknown[] {
  return Array.isArray(value) && partOf(value[0]) !== undefined
}

/** `sql('name')`, `sql(row, 'a', 'b')`, `sql(rows)`, `sql([1, 2])`. */
function readHelper(first: unknown, rest: unknown[]): Part {
  if (typeof first === 'string') return { text: () => [first, ...rest].join(', '), parameters: 0 }
  const rows = Array.isArray(first) ? first : [first]
  const names = rest.length > 0 ? (rest.flat() as string[]) : isRecord(rows[0]) ? Object.keys(rows[0]) : []
  let parameters = 0
  for (const row of rows) {
    const values = isRecord(row) ? names.map((name) => row[name]) : Array.isArray(row) ? row : [row]
    for (const value of values) checkParameter(value, isPart)
    parameters += values.length
  }
  return { text: () => `(${names.join(', ')})`, parameters }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date) && !isPart(value)
  )
}

/**
 * The driver (3.4.9) counts the rows of a result and begins again only when a statement ends well. After one that failed
 * or lost its connection amid its rows, the next result would have as many empty places before its first row.
 */
function closeGaps(query: object): void {
  // A member of the driver's Query class that its types leave out; tests fail should it move.
  const internals = query as { resolve: (result: unknown) => void }
  const { resolve } = internals
  internals.resolve = (result) => {
    if (Array.isArray(result) && result.length > 0 && !(0 in result)) result.splice(0, Number(Object.keys(result)[0]))
    resolve(result)
  }
}

/** A statement reaches a connection through its `handler`; a fragment never does, so only whole statements are seen. */
function askBeforeSending(
  query: object,
  text: () => string,
  guard: StatementGuard | undefined,
  life: TransactionLife | undefined,
): void {
  // Members of the driver's Query class (3.4.9) that its types leave out; tests fail should they move.
  const internals = query as { handler: (query: unknown) => void; reject: (error: unknown) => void }
  const { handler: send, reject } = internals
  if (life) {
    internals.reject = (error) => {
      if (isConnectionError(error)) life.isLost = true
      reject(error)
    }
  }
  internals.handler = (self) => {
    try {
      guard?.(text())
      if (life?.isOver || life?.isLost) throw lateStatement()
    } catch (error) {
      internals.reject(error)
      return
    }
    send(self)
  }
}

function lateStatement(): Error {
  return Object.assign(new Error('the transaction is over: its connection was closed'), { code: 'CONNECTION_CLOSED' })
}
