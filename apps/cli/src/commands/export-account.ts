import { openStoredContents } from '@printyard/server/file-store/open-file-store'
import {
  type MadeExport,
  exportAccount as makeExport,
} from '@printyard/server/modules/account-data/export/export-account'
import { AccountDataError } from '@printyard/server/modules/account-data/format/account-data-error'
import packageJson from '../../package.json' with { type: 'json' }
import { type Answer, count } from '../answer.ts'
import { CommandError } from '../command-error.ts'
import { getAccountId } from '../known-account.ts'
import { showStep } from '../show-step.ts'
import { connectForCommand, type DataDirOption, readCommandConfig } from '../with-database.ts'

export interface ExportAccountOptions extends DataDirOption {
  account: string
  to: string
}

/** Exports all of an account, beside the running service or without it. */
export async function exportAccount(options: ExportAccountOptions): Promise<Answer> {
  const config = readCommandConfig(options)
  const connected = await connectForCommand(config, 'export')
  const step = showStep('Exporting')
  try {
    const accountId = await getAccountId(connected.database.sql, options.account)
    const made = await explained(
      makeExport({
        target: connected.target,
        accountId,
        files: openStoredContents(config),
        version: packageJson.version,
        to: options.to,
        onProgress: step.show,
      }),
    )
    step.clear()
    const { manifest, path, rows } = made
    return {
      document: {
        path,
        rows,
        content_id: manifest.content_id,
        taken_at: manifest.taken_at,
        files: manifest.files.count,
        missing_files: manifest.missing_files,
      },
      text: describe(made),
    }
  } finally {
    step.clear()
    await connected.close()
  }
}

function describe({ path, manifest, rows }: MadeExport): string {
  const { missing_files: missing, files, account } = manifest
  return [
    `Exported "${account.name}" to ${path}: ${count(rows, 'row')} of ${manifest.kinds.length} kinds, ${count(files.count, 'file')}.`,
    'No secrets are in it: credentials of printers, API keys, webhooks and notification channels are entered again elsewhere.',
    'It holds names and addresses of customers: keep it as safe as the farm itself.',
    ...(missing.length === 0
      ? []
      : [
          `${count(missing.length, 'file')} could not be read and ${missing.length === 1 ? 'is' : 'are'} not in it: ${missing.slice(0, 5).join(', ')}`,
        ]),
  ].join('\n')
}

/** A failure of an export or import as one of the command: its message says what to do. */
export async function explained<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (error instanceof AccountDataError)
      throw new CommandError(`${error.message} (${error.code})`, 1, { cause: error })
    throw error
  }
}
