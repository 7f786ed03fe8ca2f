import type { AccountId } from '../kernel/ids.ts'
import { Coherence } from './coherence/coherence.ts'
import { type ChangeListener, type ChangeNotice, deliverNotices } from './commit-notices.ts'
import type { DatabaseTarget } from './driver/database-target.ts'
import { aroundOthers, Pool } from './driver/pool.ts'
import { createSql, type Run, type Sql, type Transaction } from './driver/statement.ts'
import type { TransactionWork } from './driver/transaction.ts'

export type { DatabaseTarget } from './driver/database-target.ts'
export type { Fragment, Json, Sql, Transaction } from './driver/statement.ts'

/** Sees the whole text of each statement before it is sent; throws to refuse it. */
export type StatementGuard = (statement: string) => void

export interface DatabaseOptions {
  target: DatabaseTarget
  /** Seen in `pg_stat_activity`. Default: `printyard`. */
  applicationName?: string
  /** Connections for single statements, which are pipelined on them. Default: 2. */
  statementConnections?: number
  /** Transactions that may run at once; more wait. Each connection is opened when so many run for the first time. Default: 8. */
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
  /**
   * `begin` for what waits for other transactions of this process while it runs, such as a turn that is held for them: of the connections
   * one is always left to those.
   */
  beginAround<T>(work: (sql: Transaction) => Promise<T>): Promise<T>
  /**
   * `begin` for what a caller asks for: accounts take turns at the connections, and none holds more of them than it leaves free.
   * `begin` itself is for what the service does, and for callers whose account is not known yet.
   */
  beginFor<T>(accountId: AccountId, work: (sql: Transaction) => Promise<T>): Promise<T>
  /** `beginFor` for what may come to one statement, on `closing`: it waits for its turn at its first statement, and not before `work` runs. */
  beginLateFor<T>(accountId: AccountId, work: TransactionWork<T>): Promise<T>
  /** `beginFor` for what the hubs and printers of an account report, which waits for nothing that its callers ask for. */
  beginForFarm<T>(accountId: AccountId, work: (sql: Transaction) => Promise<T>): Promise<T>
  /** For long statements of the service itself, on connections of their own with a longer limit. */
  reports: Sql
  /** For long reads that a caller asks for: accounts take turns, and one has one of them under way. */
  reportsFor(accountId: AccountId): Sql
  /** State of what this process remembers of the database: whether it is still so. */
  coherence: Coherence
  /** Hears of each change that `notifyWhenCommitted` was told of in this process, in the order of the commits. */
  onChange(listener: ChangeListener): () => void
  /** Hears of changes that other processes made, as far as `reportChangeElsewhere` is told of them. Sweeps find the rest. */
  onChangeElsewhere(listener: ChangeListener): () => void
  /** Says that another process made a change, which is visible here. */
  reportChangeElsewhere(notice: ChangeNotice): void
  /** Lets running statements finish for up to 2 s, then drops them. */
  close(): Promise<void>
}

/** One more than an account may have under way, so that no report waits for that of another account. */
const reportConnections = 2

/** Opens no connection yet; the first statement does. */
export function openDatabase(options: DatabaseOptions): Database {
  const { statementTimeoutMs = 10_000, reportTimeoutMs = 120_000, guard } = options
  const coherence = new Coherence(options.target, options.applicationName)
  const pool = (size: number, limitMs: number) => openPool(options, size, limitMs, coherence)
  const statements = pool(options.statementConnections ?? 2, statementTimeoutMs)
  const transactions = pool(options.transactionConnections ?? 8, statementTimeoutMs)
  const reports = pool(reportConnections, reportTimeoutMs)
  const reportsOf = (owner?: AccountId) => createSql(guarded((statement) => reports.runFor(owner, statement)))
  const listeners = new Set<ChangeListener>()
  const listenersElsewhere = new Set<ChangeListener>()
  const tell = (notice: ChangeNotice) => {
    for (const listener of listeners) listener(notice)
  }
  const guarded = (run: Run): Run => (guard === undefined ? run : guardedRun(run, guard))
  const sql = createSql(guarded(statements.run))
  deliverNotices(sql, tell)
  async function begin<T>(work: TransactionWork<T>, owner?: string, isLate = false): Promise<T> {
    const notices: ChangeNotice[] = []
    let told: Promise<void> | undefined
    const collect = (transaction: Transaction, closing: Sql) => {
      deliverNotices(closing, (notice) => notices.push(notice))
      return work(collecting(transaction, notices), closing)
    }
    const result = await transactions.begin(collect, {
      owner,
      isLate,
      wrap: guarded,
      onChanged(ids) {
        told = coherence.tell(ids)
      },
    })
    for (const notice of notices) tell(notice)
    await told
    return result
  }
  return {
    sql,
    begin: (work) => begin(work),
    beginAround: (work) => begin(work, aroundOthers),
    beginFor: (accountId, work) => begin(work, accountId),
    beginLateFor: (accountId, work) => begin(work, accountId, true),
    beginForFarm: (accountId, work) => begin(work, `farm of ${accountId}`),
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    onChangeElsewhere(listener) {
      listenersElsewhere.add(listener)
      return () => listenersElsewhere.delete(listener)
    },
    reportChangeElsewhere(notice) {
      for (const listener of listenersElsewhere) listener(notice)
    },
    reports: reportsOf(),
    reportsFor: reportsOf,
    coherence,
    async close() {
      await coherence.close()
      await Promise.all([statements, transactions, reports].map((pool) => pool.end(2_000)))
    },
  }
}

/** A transaction whose notices gather in `notices`; those of a savepoint only once it has held. */
function collecting(transaction: Transaction, notices: ChangeNotice[]): Transaction {
  deliverNotices(transaction, (notice) => notices.push(notice))
  const { savepoint } = transaction
  return Object.assign(transaction, {
    async savepoint<T>(part: (sql: Transaction) => Promise<T>): Promise<T> {
      const own: ChangeNotice[] = []
      const result = await savepoint((inner) => part(collecting(inner, own)))
      notices.push(...own)
      return result
    },
  })
}

function guardedRun(run: Run, guard: StatementGuard): Run {
  return async (statement) => {
    guard(statement.text)
    return await run(statement)
  }
}

/** The server ends a statement at its limit; one that says nothing for so long after that is gone. */
const silenceMarginMs = 10_000

function openPool(
  { target, applicationName = 'printyard' }: DatabaseOptions,
  size: number,
  limitMs: number,
  coherence: Coherence,
): Pool {
  const limits = {
    statement_timeout: limitMs,
    lock_timeout: Math.min(5_000, limitMs),
    idle_in_transaction_session_timeout: 15_000,
  }
  const onChanged = (ids: string[]) => coherence.tell(ids)
  return new Pool({ target, applicationName, limits, longestSilenceMs: limitMs + silenceMarginMs, onChanged }, size)
}
