import type { Sql } from '../../db/database.ts'

/** Every column of the database whose rows have this text in them, in whatever case: `table.column`, also of JSON, arrays and bytes. */
export async function findPlaces(sql: Sql, text: string): Promise<string[]> {
  const places = await sql<{ name: string; field: string; type: string }[]>`
    select c.table_name as name, c.column_name as field, c.data_type as type
    from information_schema.columns c
    join information_schema.tables b on b.table_schema = c.table_schema and b.table_name = c.table_name
    where c.table_schema = current_schema() and b.table_type = 'BASE TABLE'
      and c.data_type not in ('boolean', 'integer', 'bigint', 'smallint', 'double precision', 'numeric', 'date',
                              'timestamp with time zone')`
  if (places.length < 300) throw new Error(`only ${places.length} columns are looked at`)
  const found: string[] = []
  for (const { name, field, type } of places) {
    const shown = type === 'bytea' ? `encode("${field}", 'escape')` : `"${field}"::text`
    const [row] = await sql.unsafe(
      `/* every account: what is erased is nowhere */
       select exists (select from "${name}" where ${shown} ilike '%${text}%') as is_there`,
    )
    if (row?.is_there === true) found.push(`${name}.${field}`)
  }
  return found.toSorted()
}
