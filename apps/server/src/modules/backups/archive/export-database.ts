import { join } from 'node:path'
import { CopyConnection } from '../../../db/copy/copy-connection.ts'
import { RowDigest } from '../../../db/copy/row-digest.ts'
import { copyOutOf, listTables, publicName, readSequences } from '../../../db/copy/tables.ts'
import type { DatabaseTarget } from '../../../db/database.ts'
import type { ArchiveKey } from './archive-key.ts'
import { BackupError } from './backup-error.ts'
import type { Manifest } from './manifest.ts'
import { writePart } from './parts.ts'

/** Number of rows that go by between two words of how many there were. */
const rowsPerWord = 1_000

/** What the manifest says of the database. */
type ExportedDatabase = Pick<
  Manifest,
  'taken_at' | 'postgres_version' | 'migrations' | 'tables' | 'sequences' | 'installation'
>

/** Answers where the rows of a table lie in a backup. */
export function tablePart(folder: string, table: string, key: ArchiveKey | undefined) {
  const path = join(folder, 'database', `${table}.copy.gz${key === undefined ? '' : '.sealed'}`)
  return { path, form: { key, purpose: `table ${table}`, isCompressed: true } }
}

/** A snapshot of the whole database, held open by a transaction that reads only. */
export class DatabaseSnapshot {
  readonly #connection: CopyConnection

  private constructor(connection: CopyConnection) {
    this.#connection = connection
  }

  /**
   * Takes the snapshot. Until it is closed no migration changes a table: the locks are those of any reader, which only changes of
   * the tables themselves wait for.
   */
  static async open(target: DatabaseTarget): Promise<DatabaseSnapshot> {
    const connection = await CopyConnection.open(target, 'printyard backup')
    try {
      for (;;) {
        const tables = (await listTables(connection)).map(({ name }) => name)
        await connection.run('begin transaction isolation level repeatable read, read only')
        if (tables.length > 0)
          await connection.run(`lock table ${tables.map(publicName).join(', ')} in access share mode`)
        const locked = (await listTables(connection)).map(({ name }) => name)
        if (locked.join() === tables.join()) return new DatabaseSnapshot(connection)
        // A migration came between the list and the locks.
        await connection.run('rollback')
      }
    } catch (error) {
      await connection.close()
      throw error
    }
  }

  /** Writes all tables to a folder, one after the other. `onRows` is told how many rows were written. */
  async export(
    folder: string,
    key: ArchiveKey | undefined,
    onRows: (rows: number) => void = () => undefined,
  ): Promise<ExportedDatabase> {
    const connection = this.#connection
    const [about] = await connection.run(`
      select to_char(transaction_timestamp(), 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as taken_at,
        current_setting('server_version') as postgres_version`)
    const migrations = await connection.run('select number, file, checksum from schema_migrations order by number')
    const tables: ExportedDatabase['tables'] = []
    let written = 0
    for (const table of await listTables(connection)) {
      const { path, form } = tablePart(folder, table.name, key)
      const digest = new RowDigest()
      const rows = connection.copyOut(copyOutOf(table), (row) => {
        digest.add(row)
        written += 1
        if (written % rowsPerWord === 0) onRows(written)
      })
      const stored = await writePart(path, rows, form)
      tables.push({ ...table, rows: digest.rows, digest: digest.hex, ...stored })
      onRows(written)
    }
    return {
      taken_at: String(about?.taken_at),
      postgres_version: String(about?.postgres_version),
      installation: await readInstallation(connection),
      migrations: migrations.map((row) => ({
        number: Number(row.number),
        file: String(row.file),
        checksum: String(row.checksum),
      })),
      tables,
      // Last: numbers are given out outside of snapshots, and must not lie below those that the rows have.
      sequences: await readSequences(connection),
    }
  }

  /** The hashes of all files that rows of the snapshot name. */
  async listFiles(): Promise<Set<string>> {
    const columns = await this.#connection.run(`
      select quote_ident(table_name) as table, quote_ident(column_name) as column from information_schema.columns
      where table_schema = 'public' and (column_name = 'sha256' or column_name like '%\\_sha256')`)
    const hashes = new Set<string>()
    for (const { table, column } of columns) {
      const rows = await this.#connection.run(
        `select distinct ${column} as sha256 from public.${table} where ${column} ~ '^[0-9a-f]{64}$'`,
      )
      for (const { sha256 } of rows) hashes.add(String(sha256))
    }
    return hashes
  }

  async close(): Promise<void> {
    await this.#connection.close()
  }
}

/** Zeros for a database of before the first backups, which has none. */
async function readInstallation(connection: CopyConnection): Promise<string> {
  const [table] = await connection.run(`select to_regclass('public.backup_schedule')::text as name`)
  if (table?.name == null) return '00000000-0000-0000-0000-000000000000'
  const [schedule] = await connection.run('select installation_id::text as id from backup_schedule')
  return String(schedule?.id)
}

/** Compares the tables of a database with those of a backup. @throws BackupError `BACKUP_UNVERIFIED` */
export async function compareTables(
  connection: CopyConnection,
  manifest: Pick<Manifest, 'tables'>,
  onRows: (rows: number) => void = () => undefined,
): Promise<void> {
  const found = await listTables(connection)
  let compared = 0
  const add = (digest: RowDigest, row: Buffer) => {
    digest.add(row)
    compared += 1
    if (compared % rowsPerWord === 0) onRows(compared)
  }
  const wrong: string[] = []
  for (const expected of manifest.tables) {
    const table = found.find(({ name }) => name === expected.name)
    const digest = new RowDigest()
    if (table !== undefined) {
      // Read to the end for its digest alone.
      for await (const _piece of connection.copyOut(copyOutOf(table), (row) => add(digest, row)));
      onRows(compared)
    }
    const isSame = table?.columns.join() === expected.columns.join() && digest.hex === expected.digest
    if (!isSame || digest.rows !== expected.rows) {
      wrong.push(`${expected.name} (${digest.rows} of ${expected.rows} rows)`)
    }
  }
  for (const { name } of found)
    if (!manifest.tables.some((table) => table.name === name)) wrong.push(`${name} (unknown)`)
  if (wrong.length === 0) return
  throw new BackupError('BACKUP_UNVERIFIED', `The restored tables differ from the backup: ${wrong.join(', ')}.`)
}
