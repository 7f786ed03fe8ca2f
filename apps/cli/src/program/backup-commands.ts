import type { Command } from 'commander'
import type { AnswerOptions } from '../answer.ts'
import type { BackUpOptions, RestoreOptions } from '../commands/back-up.ts'
import type { RollBackOptions } from '../commands/roll-back.ts'
import { dataDirOption, leaf, type ProgramParts } from './program-parts.ts'

/** Adds the commands that back up an installation and restore it. */
export function addBackupCommands(program: Command, { answer }: ProgramParts): void {
  leaf(program, 'backup', '--to /media/backups')
    .description('Back up everything except the secret key, also while the service runs')
    .option(
      '--to <folder>',
      'folder for backups, or s3://BUCKET/PREFIX (default: PRINTYARD_BACKUP_DIR, else backups in the data directory)',
    )
    .option('--passphrase-file <file>', 'encrypt it with the passphrase in this file')
    .option('--copy-secret-key-to <file>', 'copy the secret key as well, to a file apart from the backup')
    .addOption(dataDirOption())
    .action(async (options: BackUpOptions & AnswerOptions) => {
      const { backUp } = await import('../commands/back-up.ts')
      await answer(options, backUp(options))
    })
  leaf(program, 'restore', '/media/backups/backup-2026-11-23T02-00-00Z --data-dir ./restored')
    .description('Restore a backup into an empty data directory')
    .argument('<backup>', 'folder of the backup')
    .option('--passphrase-file <file>', 'file with its passphrase, where it is encrypted')
    .option('--secret-key-file <file>', 'your copy of secret.key (default: one that lies beside the backup)')
    .option('--without-secret-key', 'restore without the key: stored secrets of printers must be entered again')
    .addOption(dataDirOption())
    .action(async (from: string, options: RestoreOptions & AnswerOptions) => {
      const { restore } = await import('../commands/back-up.ts')
      await answer(options, restore(from, options))
    })

  leaf(program, 'rollback', '--data-dir ./data')
    .description('Restore the database from the snapshot before an upgrade; the service must be stopped')
    .option('--snapshot <name>', 'name of the snapshot (default: the newest before an upgrade)')
    .option('--discard-newer', 'restore although rows were written since; they are kept aside')
    .addOption(dataDirOption())
    .action(async (options: RollBackOptions & AnswerOptions) => {
      const { rollBack } = await import('../commands/roll-back.ts')
      await answer(options, rollBack(options))
    })
}
