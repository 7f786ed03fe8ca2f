import type { Readable } from 'node:stream'
import { CopyConnection } from '../../../db/copy/copy-connection.ts'
import { asJsonLines } from '../../../db/copy/json-rows.ts'
import { publicName } from '../../../db/copy/tables.ts'
import type { DatabaseTarget } from '../../../db/database.ts'
import type { AccountId } from '../../../kernel/ids.ts'
import { exportedTables } from '../format/exported-tables.ts'
import { composedKinds } from '../format/other-tables.ts'

/** Columns that name contents of files. */
const hashColumns = ['sha256', 'thumb_sha256', 'thumbnail_sha256']

/** All rows of one account as they were at one moment. */
export class AccountSnapshot {
  readonly #connection: CopyConnection
  readonly #account: string

  private constructor(connection: CopyConnection, accountId: AccountId) {
    this.#connection = connection
    // COPY takes no parameters.
    this.#account = `'${accountId.replaceAll("'", "''")}'`
  }

  /** Takes the snapshot. Until it is closed no migration changes a table of it; nothing else waits for it. */
  static async open(target: DatabaseTarget, accountId: AccountId): Promise<AccountSnapshot> {
    const connection = await CopyConnection.open(target, 'printyard export')
    try {
      const tables = [...composedKinds.flatMap((kind) => kind.tables), ...exportedTables.map(({ name }) => name)]
      await connection.run('begin transaction isolation level repeatable read, read only')
      await connection.run(`lock table ${tables.map(publicName).join(', ')} in access share mode`)
      return new AccountSnapshot(connection, accountId)
    } catch (error) {
      await connection.close()
      throw error
    }
  }

  /** The account, and when the snapshot was taken. */
  async describe(): Promise<{ name: string; taken_at: string }> {
    const [row] = await this.#connection.run(`
      select name, to_char(transaction_timestamp(), 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as taken_at
      from accounts where id = ${this.#account}`)
    if (row === undefined) throw new Error('The account is gone since it was looked up.')
    return { name: String(row.name), taken_at: String(row.taken_at) }
  }

  /** The rows of a kind as JSON Lines, by its key. */
  readKind(kind: string, onRow: () => void): Readable {
    return this.#read(this.#selectionOf(kind), onRow)
  }

  /** The rows of a statement about this account as JSON Lines; `$account` in it stands for its ID. */
  readRows(statement: string): Readable {
    return this.#read(
      statement.replaceAll('$account', () => this.#account),
      () => undefined,
    )
  }

  #read(statement: string, onRow: () => void): Readable {
    const rows = this.#connection.copyOut(`copy (select row_to_json(r) from (${statement}) r) to stdout`, onRow)
    const lines = asJsonLines()
    rows.on('error', (error) => lines.destroy(error))
    lines.on('close', () => rows.destroy())
    return rows.pipe(lines)
  }

  #selectionOf(kind: string): string {
    if (kind === 'account') {
      return `select id, name, time_zone, requeue_rejected_units, require_second_factor, created_at, updated_at
        from accounts where id = ${this.#account}`
    }
    if (kind === 'members') {
      return `select m.id, m.user_id, u.email, u.name, m.role, m.created_at, m.updated_at
        from members m join users u on u.id = m.user_id where m.account_id = ${this.#account} order by m.id`
    }
    const table = exportedTables.find(({ name }) => name === kind)
    if (table === undefined) throw new Error(`There is no kind ${kind}.`)
    // A table with one row for each account has no key beside it.
    const order = table.key.length === 0 ? '' : `order by ${table.key.map(quoted).join(', ')}`
    return `select ${table.columns.map(quoted).join(', ')} from ${publicName(kind)} where account_id = ${this.#account} ${order}`
  }

  /** The hashes of all files that rows of the account name, in their order. */
  async listFiles(): Promise<string[]> {
    const hashes = new Set<string>()
    for (const { name, columns } of exportedTables) {
      for (const column of columns.filter((each) => hashColumns.includes(each))) {
        const rows = await this.#connection.run(
          `select distinct ${column} as sha256 from ${publicName(name)} where account_id = ${this.#account} and ${column} ~ '^[0-9a-f]{64}$'`,
        )
        for (const { sha256 } of rows) hashes.add(String(sha256))
      }
    }
    return [...hashes].sort()
  }

  async close(): Promise<void> {
    await this.#connection.close()
  }
}

/** Names of the catalogue hold letters, digits and underscores alone. */
const quoted = (column: string) => `"${column}"`
