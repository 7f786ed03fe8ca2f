import type { ConnectionOptions } from './connection.ts'
import type { DatabaseTarget } from './database-target.ts'
import { Pool } from './pool.ts'
import { createSql, type Sql, type Transaction } from './statement.ts'

/** Plain connections, without limits on their statements. */
export interface Driver extends Sql {
  begin<T>(work: (sql: Transaction) => Promise<T>): Promise<T>
  /** Lets running statements finish for up to 5 s, then drops them. */
  end(): Promise<void>
}

/** For migrations, probes and tests; everything else goes through `openDatabase`. Opens no connection yet. */
export function openDriver(
  target: DatabaseTarget,
  applicationName: string,
  { connections = 1, ...options }: { connections?: number } & Pick<ConnectionOptions, 'longestSilenceMs'> = {},
): Driver {
  const pool = new Pool({ target, applicationName, ...options }, connections)
  return Object.assign(createSql(pool.run), {
    begin: <T>(work: (sql: Transaction) => Promise<T>) => pool.begin(work),
    end: () => pool.end(5_000),
  })
}
