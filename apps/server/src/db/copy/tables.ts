import type { CopyConnection } from './copy-connection.ts'

/** A table with the columns that are stored as given: what the server computes follows from them. */
interface CopiedTable {
  name: string
  columns: string[]
}

interface SequenceValue {
  name: string
  /** The last number given out; null where none was. A decimal text: it may be larger than a JavaScript number. */
  last_value: string | null
}

/** All tables of the service in this database, by name. */
export async function listTables(connection: CopyConnection): Promise<CopiedTable[]> {
  const rows = await connection.run(`
    select c.relname as name, a.attname as column
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    left join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    where n.nspname = 'public' and c.relkind = 'r'
    order by c.relname, a.attnum`)
  const tables = Map.groupBy(rows, (row) => String(row.name))
  return [...tables].map(([name, columns]) => ({
    name,
    columns: columns.flatMap(({ column }) => (column === null || column === undefined ? [] : [column])),
  }))
}

export async function readSequences(connection: CopyConnection): Promise<SequenceValue[]> {
  const rows = await connection.run(
    `select sequencename as name, last_value::text as last_value from pg_sequences where schemaname = 'public' order by 1`,
  )
  return rows.map((row) => ({ name: String(row.name), last_value: row.last_value ?? null }))
}

/** Lets the sequences go on after the numbers that were given out. */
export async function setSequences(connection: CopyConnection, sequences: readonly SequenceValue[]): Promise<void> {
  for (const { name, last_value } of sequences) {
    if (last_value === null) continue
    await connection.run('select setval(to_regclass($1)::oid::regclass, $2::bigint)', [publicName(name), last_value])
  }
}

/** Removes all rows of tables that no foreign key of another table names. */
export async function emptyTables(connection: CopyConnection, tables: readonly { name: string }[]): Promise<void> {
  await connection.run(`truncate ${tables.map(({ name }) => publicName(name)).join(', ')}`)
}

/** `COPY` of a table to this client. */
export function copyOutOf({ name, columns }: CopiedTable): string {
  return `copy ${publicName(name)} (${columns.map(quote).join(', ')}) to stdout`
}

/** `COPY` of a table from this client. */
export function copyInto({ name, columns }: CopiedTable): string {
  return `copy ${publicName(name)} (${columns.map(quote).join(', ')}) from stdin`
}

export function publicName(name: string): string {
  return `public.${quote(name)}`
}

function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

/**
 * Takes away foreign keys and triggers for a load in any order, and gives the function that brings them back. Each foreign key is
 * checked against all rows then. Needs no more than the owner of the tables; belongs in the transaction of the load.
 */
export async function liftConstraints(connection: CopyConnection): Promise<() => Promise<void>> {
  const keys = await connection.run(`
    select c.relname as table, k.conname as name, pg_get_constraintdef(k.oid) as definition
    from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_namespace n on n.oid = c.relnamespace
    where k.contype = 'f' and n.nspname = 'public' order by 1, 2`)
  const tables = await listTables(connection)
  const each = async (statements: string[]) => {
    if (statements.length > 0) await connection.run(statements.join(';\n'))
  }
  const tableOf = (key: (typeof keys)[number]) => publicName(String(key.table))
  await each(keys.map((key) => `alter table ${tableOf(key)} drop constraint ${quote(String(key.name))}`))
  await each(tables.map(({ name }) => `alter table ${publicName(name)} disable trigger user`))
  return async () => {
    await each(tables.map(({ name }) => `alter table ${publicName(name)} enable trigger user`))
    await each(
      keys.map((key) => `alter table ${tableOf(key)} add constraint ${quote(String(key.name))} ${key.definition}`),
    )
  }
}

/**
 * Drops all tables, sequences and functions of the schema, in the transaction of the connection. Fails where anything outside of it, such
 * as a view of the user's own, needs one of them.
 */
export async function dropEverything(connection: CopyConnection): Promise<void> {
  const tables = await listTables(connection)
  if (tables.length > 0) await connection.run(`drop table ${tables.map(({ name }) => publicName(name)).join(', ')}`)
  const rest = await connection.run(`
    select 'sequence ' || c.oid::regclass as what from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'S' and not exists (${ofExtension('c.oid')})
    union all
    select 'function ' || p.oid::regprocedure from pg_proc p
    where p.pronamespace = 'public'::regnamespace and not exists (${ofExtension('p.oid')})`)
  for (const { what } of rest) await connection.run(`drop ${what}`)
}

const ofExtension = (id: string) => `select from pg_depend d where d.objid = ${id} and d.deptype = 'e'`
