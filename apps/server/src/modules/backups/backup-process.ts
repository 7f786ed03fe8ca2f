import { text } from 'node:stream/consumers'
import { BackupError } from './archive/backup-error.ts'
import { anotherRuns, type BackupOrder } from './backup-order.ts'
import { runBackup } from './run-backup.ts'

const quiet = () => undefined
// Nothing but the service starts this.
const order = JSON.parse(await text(process.stdin)) as BackupOrder
try {
  await runBackup({
    ...order,
    to: undefined,
    passphraseFile: undefined,
    log: { debug: quiet, info: quiet, warn: quiet, error: quiet },
    onStart: (id) => process.stdout.write(`${id}\n`),
  })
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = error instanceof BackupError && error.code === 'BACKUP_RUNNING' ? anotherRuns : 1
}
