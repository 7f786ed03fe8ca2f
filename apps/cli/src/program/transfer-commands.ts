import { Argument, type Command } from 'commander'
import type { AnswerOptions } from '../answer.ts'
import type { ExportAccountOptions } from '../commands/export-account.ts'
import type { ImportAccountOptions } from '../commands/import-account.ts'
import type { ImportFromOptions } from '../commands/import-from.ts'
import { dataDirOption, leaf, type ProgramParts } from './program-parts.ts'

/** Adds the commands that carry an account, or data of another program, from one installation to another. */
export function addTransferCommands(program: Command, { answer }: ProgramParts): void {
  leaf(program, 'export', '--account acc_… --to ./my-farm')
    .description('Export all of an account: rows as JSON Lines, spreadsheets and files, without any secret')
    .requiredOption('--account <id>', 'account to export')
    .requiredOption('--to <path>', 'a new folder, or a new file that ends in .tar.gz')
    .addOption(dataDirOption())
    .action(async (options: ExportAccountOptions & AnswerOptions) => {
      const { exportAccount } = await import('../commands/export-account.ts')
      await answer(options, exportAccount(options))
    })
  const importing = leaf(program, 'import', './my-farm --account acc_… --dry-run')
    .description('Import an export of another service into an empty account, or the data of another program')
    .enablePositionalOptions()
    .argument('<path>', 'folder or .tar.gz that `printyard export` wrote')
    // Required, but not so that the commands below it would have to have it as well.
    .option('--account <id>', 'account that receives the export')
    .option('--dry-run', 'preview the import without writing anything')
    .addOption(dataDirOption())
    .action(async (path: string, options: ImportAccountOptions & AnswerOptions) => {
      const { importAccount } = await import('../commands/import-account.ts')
      await answer(options, importAccount(path, options))
    })
  leaf(importing, 'from', 'fdm-monster export.yaml --account acc_… --dry-run')
    .description('Import printers, spools, products or stock of another program; existing ones are left unchanged')
    .addArgument(new Argument('<program>', 'which one').choices(importSources))
    .argument('<paths...>', 'its export or database; for Spoolman also its address')
    .requiredOption('--account <id>', 'account to import into')
    .option('--model <name>', 'model of printers whose source does not know it', 'Unknown')
    .option('--dry-run', 'preview the outcome of every row without writing anything')
    .addOption(dataDirOption())
    .action(async (program: ImportSource, paths: string[], options: ImportFromOptions & AnswerOptions) => {
      const { importFrom } = await import('../commands/import-from.ts')
      await answer(options, importFrom(program, paths, options))
    })
}

/** As `readSource` of the service knows them, which is loaded when it is needed. */
const importSources = ['fdm-monster', 'octofarm', 'spoolman', 'csv'] as const
type ImportSource = (typeof importSources)[number]
