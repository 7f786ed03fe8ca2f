import { openStoredContents } from '@printyard/server/file-store/open-file-store'
import { openSecretBox } from '@printyard/server/kernel/secret-box'
import {
  type ImportReport,
  importAccount as loadExport,
} from '@printyard/server/modules/account-data/import/import-account'
import { type Answer, count, formatTable } from '../answer.ts'
import { CommandError } from '../command-error.ts'
import { getAccountId } from '../known-account.ts'
import { showStep, stepWords } from '../show-step.ts'
import { connectForCommand, type DataDirOption, readCommandConfig } from '../with-database.ts'
import { explained } from './export-account.ts'

export interface ImportAccountOptions extends DataDirOption {
  account?: string
  dryRun?: boolean
}

/** Imports an export of an account of another service into an empty account. */
export async function importAccount(from: string, options: ImportAccountOptions): Promise<Answer> {
  const { account } = options
  if (account === undefined) throw new CommandError('Name the account to import into with --account.', 2)
  const config = readCommandConfig(options)
  const connected = await connectForCommand(config, 'import')
  const step = showStep('Importing')
  try {
    const accountId = await getAccountId(connected.database.sql, account)
    const report = await explained(
      loadExport({
        from,
        accountId,
        db: connected.database,
        secrets: await openSecretBox(config),
        files: openStoredContents(config),
        isDryRun: options.dryRun === true,
        actor: 'cli',
        now: new Date(),
        onProgress: (what, done, total) =>
          step.show(stepWords(what, done, total, what === 'files' ? '' : 'rows').trim()),
      }),
    )
    step.clear()
    return { document: report, text: describe(report) }
  } finally {
    step.clear()
    await connected.close()
  }
}

/** Rows that are named one by one; the JSON document has all. */
const mostNamed = 20

function describe(report: ImportReport): string {
  const { kinds, source_account: source, files, new_people: people, imported_before_at: before } = report
  const rows = kinds.filter((kind) => kind.rows > 0)
  const table = formatTable(
    ['kind', 'rows', 'new', 'there already', 'changed since', 'adapted'],
    rows.map((kind) => [
      kind.kind.replaceAll('_', ' '),
      ...[kind.rows, kind.inserted, kind.existed, kind.changed_since, kind.adapted.length].map(String),
    ]),
  )
  const adapted = rows.flatMap(({ kind, adapted: each }) =>
    each.map(({ key, change }) => `  ${kind} ${key}: ${change}`),
  )
  return [
    headline(report),
    table,
    ...(adapted.length > 0 ? ['Adapted:', ...adapted.slice(0, mostNamed)] : []),
    ...(adapted.length > mostNamed ? [`  and ${adapted.length - mostNamed} more (--json lists all)`] : []),
    `${count(files.added, 'file')} added, ${files.existed} there already.`,
    ...(files.missing.length > 0
      ? [`${count(files.missing.length, 'file')} were missing from "${source.name}" already.`]
      : []),
    ...(people.length > 0
      ? [`New here, without a password: ${people.join(', ')}. Give each a link by \`printyard people reset-link\`.`]
      : []),
    ...(before === null
      ? [
          'Enter the credentials of the printers again, let the hubs join, and make new API keys, webhooks and channels.',
        ]
      : []),
  ].join('\n')
}

function headline({
  is_dry_run: isDryRun,
  source_account: source,
  taken_at: takenAt,
  imported_before_at: before,
}: ImportReport) {
  const what = `"${source.name}" of ${takenAt}`
  if (before !== null) return `${what} was imported at ${before}; nothing was changed.`
  return isDryRun ? `Dry run: this would become of ${what}. Nothing was written.` : `Imported ${what}.`
}
