import { type ConnectedDatabase, connectDatabase } from '@printyard/server/db/connect-database'
import type { Database } from '@printyard/server/db/database'
import { postgresOf } from '@printyard/server/db/embedded/postgres-choice'
import { type Config, readConfig } from '@printyard/server/kernel/config'
import { UpgradeGuard } from '@printyard/server/modules/backups/upgrade/upgrade-guard'
import packageJson from '../package.json' with { type: 'json' }
import { commandLog } from './command-log.ts'

export interface DataDirOption {
  dataDir?: string
}

/** The settings of the service, with the data directory of the command line if it names one. */
export function readCommandConfig({ dataDir }: DataDirOption): Config {
  return readConfig(process.env, dataDir === undefined ? {} : { PRINTYARD_DATA_DIR: dataDir })
}

/** Connects a command to the database of the service: beside it while it runs, else to one started for the purpose. */
export async function connectForCommand(config: Config, purpose: string): Promise<ConnectedDatabase> {
  const guard = new UpgradeGuard(config, packageJson.version, commandLog())
  try {
    return await connectDatabase(
      {
        databaseUrl: config.databaseUrl,
        dataDir: config.dataDir,
        purpose,
        beforeUpgrade: guard.beforeUpgrade,
        postgres: postgresOf(config),
      },
      commandLog(),
    )
  } catch (error) {
    throw await guard.explain(error)
  }
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
  const connected = await connectForCommand(readCommandConfig(options), purpose)
  try {
    return await work(connected.database)
  } finally {
    await connected.close()
  }
}
