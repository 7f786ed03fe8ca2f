import { connectDatabase } from '@printyard/server/db/connect-database'
import type { Database } from '@printyard/server/db/database'
import { type Config, readConfig } from '@printyard/server/kernel/config'
import { commandLog } from './command-log.ts'

export interface DataDirOption {
  dataDir?: string
}

/** The settings of the service, with the data directory of the command line if it names one. */
export function readCommandConfig({ dataDir }: DataDirOption): Config {
  return readConfig(process.env, dataDir === undefined ? {} : { PRINTYARD_DATA_DIR: dataDir })
}

/**
 * Runs `work` on the database of the service: beside it while it runs, else on one started for the purpose.
 *
 * @param purpose What others are told who want the data directory meanwhile, such as `keys create`.
 */
export async function withDatabase<T>(
  options: DataDirOption,
  purpose: string,
  work: (db: Database) => Promise<T>,
): Promise<T> {
  const config = readCommandConfig(options)
  const connected = await connectDatabase(
    {
      databaseUrl: config.databaseUrl,
      dataDir: config.dataDir,
      purpose,
      postgresAccount: { uid: config.postgresUid, gid: config.postgresUid },
    },
    commandLog(),
  )
  try {
    return await work(connected.database)
  } finally {
    await connected.close()
  }
}
