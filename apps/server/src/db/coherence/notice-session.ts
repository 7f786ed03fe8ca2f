import { Connection } from '../driver/connection.ts'
import type { DatabaseTarget } from '../driver/database-target.ts'
import { createSql, type Sql } from '../driver/statement.ts'

/** What is told on a session, in the order in which it was committed. */
export interface Listener {
  /** The ID of what a committed transaction has changed. */
  changed(id: string): void
  /** Someone wants to know that everything told before this was heard. */
  asked(by: string, question: number): void
  confirmed(question: number, pid: number): void
  ended(): void
}

/** Any two numbers that nothing else of the service locks by. */
export const lockClass = 1_886_548_340
const lockNumber = 1

const changes = 'printyard_changes'
const questions = 'printyard_questions'

/** A session that says nothing for so long is given up, in ms. It is asked far more often. */
const longestSilenceMs = 4_000

/**
 * A session of the database on which a process hears of changes and on which it proves that it has heard all of them: what the server
 * answers here to a question comes after every notice of what was committed before the question.
 */
export class NoticeSession {
  readonly #connection: Connection
  readonly #sql: Sql
  readonly #address: string
  readonly pid: number

  private constructor(connection: Connection, address: string, pid: number) {
    this.#connection = connection
    this.#sql = sqlOver(connection)
    this.#address = address
    this.pid = pid
  }

  static async open(target: DatabaseTarget, applicationName: string, listener: Listener): Promise<NoticeSession> {
    const connection = await Connection.open({
      target,
      applicationName,
      limits: { statement_timeout: longestSilenceMs },
      longestSilenceMs,
      onNotification: (channel, text) => hear(listener, channel, text),
      onEnd: () => listener.ended(),
    })
    try {
      const sql = sqlOver(connection)
      const [own] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`
      const pid = own?.pid ?? 0
      const address = `printyard_answers_${pid}`
      // Nothing is stored by this session: it need not wait for the disk when it tells.
      await sql.unsafe(`set synchronous_commit = off; listen ${address}`)
      return new NoticeSession(connection, address, pid)
    } catch (error) {
      connection.destroy()
      throw error
    }
  }

  /** From here on it hears of changes, and those who change something wait for it. */
  async join(): Promise<void> {
    await this.#sql.unsafe(`listen ${changes}; listen ${questions}`)
    await this.#sql`select pg_advisory_lock_shared(${lockClass}::int4, ${lockNumber}::int4)`
  }

  /** @throws Error when another session answers: a pooler stands between, and notices may go anywhere. */
  async prove(): Promise<void> {
    const [own] = await this.#sql<{ pid: number }[]>`select pg_backend_pid() as pid`
    if (own?.pid !== this.pid)
      throw new Error('the statements of one connection go to several sessions of the database')
  }

  /** The sessions, by their process at the server, for which those who change something wait. */
  async listMembers(): Promise<number[]> {
    const rows = await this.#sql<{ pid: number }[]>`
      select pid from pg_locks
      where locktype = 'advisory' and classid = ${lockClass}::oid and objid = ${lockNumber}::oid and objsubid = 2
        and granted and database = (select oid from pg_database where datname = current_database())`
    return rows.map(({ pid }) => pid)
  }

  /** Asks all members to confirm that they have heard what was committed before this. */
  async ask(question: number): Promise<void> {
    await this.#sql`select pg_notify(${questions}, ${`${this.#address} ${question}`})`
  }

  async confirm(by: string, question: number): Promise<void> {
    await this.#sql`select pg_notify(${by}, ${`${question} ${this.pid}`})`
  }

  /** Ends the sessions of members that do not answer, so that no one waits for them again. */
  async expel(pids: number[]): Promise<void> {
    await this.#sql`
      select pg_terminate_backend(pid) from pg_locks
      where locktype = 'advisory' and classid = ${lockClass}::oid and objid = ${lockNumber}::oid and objsubid = 2
        and pid = any(${pids})`
  }

  async close(): Promise<void> {
    await this.#connection.close(500)
  }

  destroy(): void {
    this.#connection.destroy()
  }
}

function sqlOver(connection: Connection): Sql {
  return createSql((statement) => connection.query(statement, false))
}

function hear(listener: Listener, channel: string, text: string): void {
  const [first = '', second = ''] = text.split(' ')
  if (channel === changes) listener.changed(text)
  else if (channel === questions) listener.asked(first, Number(second))
  else listener.confirmed(Number(first), Number(second))
}
