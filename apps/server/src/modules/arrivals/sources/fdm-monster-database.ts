import { UnreadableSourceError } from './drafts.ts'
import type { FdmMonsterTables } from './fdm-monster.ts'
import { type Fields, textOf } from './fields.ts'

/** The tables of FDM Monster's SQLite database (`fdm-monster.sqlite`), which is only read. */
export async function readFdmMonsterDatabase(path: string): Promise<FdmMonsterTables> {
  // Loaded when it is needed: no other part of the service uses SQLite.
  const { DatabaseSync } = await import('node:sqlite')
  try {
    const database = new DatabaseSync(path, { readOnly: true })
    try {
      const printers = database.prepare('select * from printer order by id').all() as Fields[]
      const positions = database
        .prepare(
          'select f.name as name, p.printerId as printer from floor f join floor_position p on p.floorId = f.id order by f.id',
        )
        .all() as Fields[]
      const floors = Map.groupBy(positions, ({ name }) => textOf(name))
      return {
        printers,
        floors: [...floors].map(([name, rows]) => ({ name, printers: rows.map((row) => textOf(row.printer)) })),
      }
    } finally {
      database.close()
    }
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new UnreadableSourceError(`${path} is no database of FDM Monster: ${why}.`, { cause: error })
  }
}

/** True when a file begins as SQLite's do. */
export function isSqlite(start: Buffer): boolean {
  return start.subarray(0, 16).toString('latin1') === 'SQLite format 3\u0000'
}
