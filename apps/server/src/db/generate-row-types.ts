import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Sql } from './database.ts'
import { openDatabase } from './database.ts'
import { claimDataDirectory } from './embedded/data-directory.ts'
import { startEmbeddedPostgres } from './embedded/embedded-postgres.ts'
import { migrate } from './migrate.ts'
import { type CatalogueColumn, formatRowTypes } from './row-types.ts'
import { silentLog } from './setup/database-log.ts'

/** The checked-in output of this program. */
export const rowTypesFile = join(import.meta.dirname, 'rows.generated.ts')

/** Row types of all tables of the present schema, as the text of a TypeScript file. */
export async function printRowTypes(sql: Sql): Promise<string> {
  const columns = await sql<CatalogueColumn[]>`
    select
      classes.relname as table_name,
      attributes.attname as column_name,
      pg_catalog.format_type(attributes.atttypid, null) as type,
      not attributes.attnotnull as is_nullable,
      array(
        select labels.enumlabel::text from pg_catalog.pg_enum labels
        where labels.enumtypid = attributes.atttypid order by labels.enumsortorder
      ) as enum_labels,
      array(
        select pg_catalog.pg_get_constraintdef(checks.oid) from pg_catalog.pg_constraint checks
        where checks.conrelid = classes.oid and checks.contype = 'c' and checks.conkey = array[attributes.attnum]
        order by checks.conname
      ) as checks
    from pg_catalog.pg_class classes
    join pg_catalog.pg_namespace namespaces on namespaces.oid = classes.relnamespace
    join pg_catalog.pg_attribute attributes on attributes.attrelid = classes.oid
    where namespaces.nspname = current_schema() and classes.relkind in ('r', 'p') and not classes.relispartition
      and classes.relname <> 'schema_migrations' and attributes.attnum > 0 and not attributes.attisdropped
    order by classes.relname, attributes.attnum`
  return formatRowTypes(columns)
}

async function printFromMigrations(): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), 'printyard-rows-'))
  // As root, PostgreSQL runs as another user who must be able to pass.
  chmodSync(directory, 0o711)
  const claim = await claimDataDirectory(directory, { purpose: 'generate row types' })
  const server = await startEmbeddedPostgres({ claim, log: silentLog, isDisposable: true })
  try {
    await migrate({ target: server.connection, log: silentLog })
    const database = openDatabase({ target: server.connection })
    const text = await printRowTypes(database.sql)
    await database.close()
    return text
  } finally {
    await server.stop()
    await claim.release()
    rmSync(directory, { recursive: true, force: true })
  }
}

if (import.meta.main) {
  const text = await printFromMigrations()
  if (!process.argv.includes('--check')) {
    writeFileSync(rowTypesFile, text)
  } else if (readFileSync(rowTypesFile, 'utf8') !== text) {
    console.error(
      'apps/server/src/db/rows.generated.ts does not match the migrations; run node apps/server/src/db/generate-row-types.ts',
    )
    process.exitCode = 1
  }
}
