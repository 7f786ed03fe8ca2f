import { systemCodeOf } from '../setup/database-setup-error.ts'
import type { Connection } from './connection.ts'
import { createSql, type Run, type Sql, type Transaction } from './statement.ts'

/** in_failed_sql_transaction: says of a later statement that an earlier one failed. */
const inFailedTransaction = '25P02'

/**
 * What runs in a transaction. The second handle is for the statement that ends it: it goes out together with the commit, and where nothing was
 * sent before it, alone, as a transaction of its own. No statement may come after it, and what the work does then is not undone by an error.
 */
export type TransactionWork<T> = (sql: Transaction, closing: Sql) => Promise<T>

/** Where the statements of a transaction go. */
interface Turn {
  /** Waits for a connection that no other transaction has. It is taken once. */
  take(): Promise<Connection>
  /** Runs a statement that is a transaction of its own. */
  runAlone: Run
}

/**
 * Runs work between `begin`, which goes out with the first statement, and `commit`. A statement that failed outside a savepoint fails the
 * transaction, even when the work caught its error: the server would roll it back at its commit without a word.
 *
 * @param wrap what stands between the statements of the work and the connection, such as a guard.
 * @param isLate whether the connection is waited for at the first statement, and not before the work runs
 */
export async function runTransaction<T>(
  turn: Turn,
  work: TransactionWork<T>,
  { wrap = (run) => run, isLate }: { wrap?: ((run: Run) => Run) | undefined; isLate: boolean },
): Promise<T> {
  const bracket = new Bracket(turn)
  if (!isLate) await bracket.take()
  let savepoints = 0
  const runPart = async <P>(part: TransactionWork<P>, rollback: string): Promise<P> => {
    const scope = new Scope(wrap(bracket.run))
    const closing = createSql(scope.closing(wrap(bracket.close)))
    const savepoint = async <S>(inner: (sql: Transaction) => Promise<S>): Promise<S> => {
      savepoints += 1
      const name = `s${savepoints}`
      await scope.run({ text: `savepoint ${name}`, values: [], isPrepared: false, origin: () => '' })
      return await runPart(inner, `rollback to ${name}`)
    }
    try {
      const result = await part(Object.assign(createSql(scope.run), { savepoint }), closing)
      scope.end()
      return result
    } catch (error) {
      scope.isOver = true
      // Where not even this succeeds, the transaction ends with its connection.
      await bracket.undo(rollback).catch(() => bracket.destroy())
      throw systemCodeOf(error) === inFailedTransaction ? (scope.failure ?? error) : error
    }
  }
  const result = await runPart(work, 'rollback')
  await bracket.commit()
  return result
}

/** What can only read: outside of a transaction, too, it changes nothing. */
const reads = /^\s*select\b/i

/**
 * Puts statements between `begin` and `commit`. Reads go out together with `begin`, which saves waiting for its answer; what may write
 * waits, and so does all behind that: had `begin` failed, it would be committed by itself.
 */
class Bracket {
  readonly #turn: Turn
  #taking: Promise<Connection> | undefined
  #connection: Connection | undefined
  /** True when there is nothing to commit or to roll back: nothing was sent yet, or the end of it was. */
  #isEmpty = true
  #begin: Promise<unknown> | undefined
  #state: 'sent' | 'waited for' | 'open' = 'sent'

  constructor(turn: Turn) {
    this.#turn = turn
  }

  take(): Promise<Connection> {
    if (this.#taking === undefined) {
      this.#taking = this.#turn.take()
      // The first to hear of it, so that nothing overtakes what waits; all others hear of a failure.
      this.#taking.then(
        (connection) => {
          this.#connection = connection
        },
        () => undefined,
      )
    }
    return this.#taking
  }

  readonly run: Run = (statement) =>
    this.#inOrder(reads.test(statement.text), (connection) => connection.query(statement, false))

  /** Sends the last statement, and the commit behind it without waiting for its answer. */
  readonly close: Run = async (statement) => {
    if (this.#isEmpty && this.#taking === undefined) return await this.#turn.runAlone(statement)
    const rows = this.#inOrder(false, (connection) => connection.query(statement, false))
    // The statement says why, where both fail.
    const [answer, commit] = await Promise.allSettled([rows, this.commit()])
    if (answer.status === 'rejected') throw answer.reason
    if (commit.status === 'rejected') throw commit.reason
    return answer.value
  }

  /** @throws when the server has rolled the transaction back, because of a statement that the work did not wait for. */
  async commit(): Promise<void> {
    if (this.#isEmpty) return
    const done = this.#inOrder(true, (connection) => connection.control('commit'))
    this.#isEmpty = true
    if ((await done) !== 'COMMIT') throw new Error('a statement of the transaction failed')
  }

  /** Rolls back, to a savepoint or to the begin. */
  async undo(rollback: string): Promise<void> {
    if (!this.#isEmpty) await this.#inOrder(true, (connection) => connection.control(rollback))
  }

  destroy(): void {
    this.#connection?.destroy()
  }

  #inOrder<T>(canGo: boolean, send: (connection: Connection) => Promise<T>): Promise<T> {
    this.#isEmpty = false
    return this.#connection
      ? this.#afterBegin(this.#connection, canGo, send)
      : this.take().then((connection) => this.#afterBegin(connection, canGo, send))
  }

  #afterBegin<T>(connection: Connection, canGo: boolean, send: (connection: Connection) => Promise<T>): Promise<T> {
    this.#begin ??= this.#sendBegin(connection)
    if (this.#state === 'open' || (this.#state === 'sent' && canGo)) return send(connection)
    this.#state = 'waited for'
    return this.#begin.then(() => send(connection))
  }

  #sendBegin(connection: Connection): Promise<unknown> {
    const begin = connection.control('begin')
    // The first to hear of it, so that nothing overtakes what waits.
    begin.then(
      () => {
        this.#state = 'open'
      },
      () => connection.destroy(),
    )
    return begin
  }
}

/** The statements of a transaction or of a savepoint. */
class Scope {
  /** Reason why the first statement of it failed. */
  failure: unknown
  isOver = false
  readonly run: Run

  constructor(run: Run) {
    this.run = this.#watched(run, () => this.isOver)
  }

  /** The same for the statement after which there is none. */
  closing(run: Run): Run {
    return this.#watched(run, () => {
      const wasOver = this.isOver
      this.isOver = true
      return wasOver
    })
  }

  #watched(run: Run, isOver: () => boolean): Run {
    return async (statement) => {
      if (isOver()) throw lateStatement()
      try {
        return await run(statement)
      } catch (error) {
        this.failure ??= error
        throw error
      }
    }
  }

  /** @throws why a statement failed, even where the work caught it. */
  end(): void {
    this.isOver = true
    if (this.failure !== undefined) throw this.failure
  }
}

function lateStatement(): Error {
  return Object.assign(new Error('the transaction of this statement is over'), { code: 'CONNECTION_CLOSED' })
}
