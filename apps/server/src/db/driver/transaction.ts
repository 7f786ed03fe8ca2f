import { systemCodeOf } from '../setup/database-setup-error.ts'
import type { Connection } from './connection.ts'
import { createSql, type Run, type Transaction } from './statement.ts'

/** in_failed_sql_transaction: says of a later statement that an earlier one failed. */
const inFailedTransaction = '25P02'

/**
 * Runs work between `begin` and `commit`. A statement that failed outside a savepoint fails the transaction, even when the work
 * caught its error: the server would roll it back at its commit without a word.
 *
 * @param wrap what stands between the statements of the work and the connection, such as a guard.
 */
export async function runTransaction<T>(
  connection: Connection,
  work: (sql: Transaction) => Promise<T>,
  wrap: (run: Run) => Run = (run) => run,
): Promise<T> {
  const { run, control } = behindBegin(connection)
  let savepoints = 0
  const runPart = async <P>(part: (sql: Transaction) => Promise<P>, rollback: string): Promise<P> => {
    const scope = new Scope(wrap(run))
    const savepoint = async <S>(inner: (sql: Transaction) => Promise<S>): Promise<S> => {
      savepoints += 1
      const name = `s${savepoints}`
      await scope.run({ text: `savepoint ${name}`, values: [], isPrepared: false, origin: () => '' })
      return await runPart(inner, `rollback to ${name}`)
    }
    try {
      const result = await part(Object.assign(createSql(scope.run), { savepoint }))
      scope.end()
      return result
    } catch (error) {
      scope.isOver = true
      // Where not even this succeeds, the transaction ends with its connection.
      await control(rollback).catch(() => connection.destroy())
      throw systemCodeOf(error) === inFailedTransaction ? (scope.failure ?? error) : error
    }
  }
  const result = await runPart(work, 'rollback')
  // The server rolls back what a statement broke that the work did not wait for.
  if ((await control('commit')) !== 'COMMIT') throw new Error('a statement of the transaction failed')
  return result
}

/** What can only read: outside of a transaction, too, it changes nothing. */
const reads = /^\s*select\b/i

/**
 * Sends `begin`, and what comes behind it in order. Reads go out together with it, which saves waiting for its answer; what may write
 * waits, and so does all behind that: had `begin` failed, it would be committed by itself.
 */
function behindBegin(connection: Connection): { run: Run; control: (text: string) => Promise<string> } {
  let state: 'sent' | 'waited for' | 'open' = 'sent'
  const begin = connection.control('begin')
  // The first to hear of it, so that nothing overtakes what waits.
  begin.then(
    () => {
      state = 'open'
    },
    () => connection.destroy(),
  )
  function inOrder<T>(canGo: boolean, send: () => Promise<T>): Promise<T> {
    if (state === 'open' || (state === 'sent' && canGo)) return send()
    state = 'waited for'
    return begin.then(send)
  }
  return {
    run: (statement) => inOrder(reads.test(statement.text), () => connection.query(statement, false)),
    control: (text) => inOrder(true, () => connection.control(text)),
  }
}

/** The statements of a transaction or of a savepoint. */
class Scope {
  /** Reason why the first statement of it failed. */
  failure: unknown
  isOver = false
  readonly #run: Run

  constructor(run: Run) {
    this.#run = run
  }

  readonly run: Run = async (statement) => {
    if (this.isOver) throw lateStatement()
    try {
      return await this.#run(statement)
    } catch (error) {
      this.failure ??= error
      throw error
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
