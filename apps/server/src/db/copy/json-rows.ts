import { Transform } from 'node:stream'
import type { AccountId } from '../../kernel/ids.ts'
import type { Sql } from '../database.ts'

/**
 * The text of `COPY (select row_to_json …) to stdout` as JSON Lines. JSON writes control characters as escapes, so that of what `COPY`
 * escapes only the backslash is in it; each piece that is handed on ends with a row.
 */
export function asJsonLines(): Transform {
  return new Transform({
    transform(piece: Buffer, _encoding, done) {
      done(null, Buffer.from(piece.toString('utf8').replaceAll('\\\\', '\\')))
    },
  })
}

/** Rows of one account that are given as JSON, with the columns that they have. */
interface JsonRows {
  table: string
  accountId: AccountId
  columns: readonly string[]
  /** Key that tells rows of an account apart. */
  key: readonly string[]
  /** A JSON array of objects. */
  text: string
}

/** The key of a row as `keyText` writes it. */
const keyOf = (sql: Sql, alias: string, key: readonly string[]) =>
  sql.unsafe(`jsonb_build_array(${key.map((column) => `${alias}.${quoted(column)}`).join(', ')})::text`)

/**
 * Inserts rows; where they may collide with existing ones, those are kept out. Answers the keys of what was inserted, each a JSON array.
 * PostgreSQL takes no `on conflict` for tables with a deferrable constraint.
 */
export async function insertJsonRows(
  sql: Sql,
  { table, accountId, columns, key, text }: JsonRows,
  { mayCollide }: { mayCollide: boolean },
): Promise<string[]> {
  const names = sql.unsafe(columns.map(quoted).join(', '))
  const rows = await sql<{ key: string }[]>`
    insert into ${sql(table)} as t (account_id, ${names})
    select ${accountId}, ${names} from jsonb_populate_recordset(null::${sql(table)}, ${text}::jsonb)
    ${sql.unsafe(mayCollide ? 'on conflict do nothing' : '')} returning ${keyOf(sql, 't', key)} as key`
  return rows.map((row) => row.key)
}

/** Compares rows with those of the same key. Answers one entry for each that is there, and whether all columns are the same. */
export async function compareJsonRows(
  sql: Sql,
  { table, accountId, columns, key, text }: JsonRows,
): Promise<{ key: string; is_same: boolean }[]> {
  const list = (alias: string) => columns.map((column) => `${alias}.${quoted(column)}`).join(', ')
  const match = key.map((column) => `t.${quoted(column)} = r.${quoted(column)}`).join(' and ')
  return sql<{ key: string; is_same: boolean }[]>`
    select ${keyOf(sql, 't', key)} as key, (${sql.unsafe(list('t'))}) is not distinct from (${sql.unsafe(list('r'))}) as is_same
    from jsonb_populate_recordset(null::${sql(table)}, ${text}::jsonb) r
    join ${sql(table)} t on t.account_id = ${accountId} and ${sql.unsafe(match || 'true')}`
}

/** Sets one column of existing rows, which are told by `id`. */
export async function setJsonColumn(
  sql: Sql,
  { table, accountId, column, text }: { table: string; accountId: AccountId; column: string; text: string },
): Promise<void> {
  await sql`
    update ${sql(table)} t set ${sql(column)} = r.${sql(column)}
    from jsonb_populate_recordset(null::${sql(table)}, ${text}::jsonb) r
    where t.account_id = ${accountId} and t.id = r.id`
}

/** Counts the rows of an account in the tables that have any. */
export async function countRows(
  sql: Sql,
  accountId: AccountId,
  tables: readonly string[],
): Promise<{ table: string; rows: number }[]> {
  const found: { table: string; rows: number }[] = []
  for (const table of tables) {
    const [row] = await sql<{ rows: number }[]>`
      select count(*) as rows from ${sql(table)} where account_id = ${accountId}`
    if (row !== undefined && row.rows > 0) found.push({ table, rows: row.rows })
  }
  return found
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
