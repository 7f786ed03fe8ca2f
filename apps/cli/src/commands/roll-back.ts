import { rollBack as rollBackDatabase } from '@printyard/server/modules/backups/upgrade/roll-back'
import packageJson from '../../package.json' with { type: 'json' }
import { type Answer, count } from '../answer.ts'
import { commandLog } from '../command-log.ts'
import { type DataDirOption, readCommandConfig } from '../with-database.ts'
import { explained } from './back-up.ts'

export interface RollBackOptions extends DataDirOption {
  snapshot?: string
  discardNewer?: boolean
}

/** Brings the database back to the snapshot of before an upgrade. */
export async function rollBack(options: RollBackOptions): Promise<Answer> {
  const config = readCommandConfig(options)
  const done = await explained(
    rollBackDatabase({
      config,
      version: packageJson.version,
      snapshot: options.snapshot,
      discardNewer: options.discardNewer === true,
      log: commandLog(),
    }),
  )
  const former = done.version === null ? 'the version that you used before' : `Printyard ${done.version}`
  const missing = done.missing_files.length
  return {
    document: done,
    text: [
      `The database is that of ${done.taken_at} again: ${count(done.rows, 'row')} of ${done.tables} tables.`,
      `The replaced database is kept aside in ${done.set_aside}; \`rollback --snapshot\` with that name brings it back.`,
      ...(missing > 0
        ? [`${count(missing, 'file')} that it names ${missing === 1 ? 'was' : 'were'} removed since.`]
        : []),
      `Start ${former} now: this version would upgrade the database again.`,
    ].join('\n'),
  }
}
