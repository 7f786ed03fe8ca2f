import { text } from 'node:stream/consumers'
import { connectDatabase } from '../../../db/connect-database.ts'
import { postgresOf } from '../../../db/embedded/postgres-choice.ts'
import { openStoredContents } from '../../../file-store/open-file-store.ts'
import { streamExport } from '../export/export-account.ts'
import type { DownloadOrder } from './download-order.ts'

const quiet = () => undefined
const log = { debug: quiet, info: quiet, warn: quiet, error: quiet }
// Nothing but the service starts this.
const { config, version, accountId, draft } = JSON.parse(await text(process.stdin)) as DownloadOrder
try {
  const { databaseUrl, dataDir } = config
  const postgres = postgresOf(config)
  const connected = await connectDatabase(
    { databaseUrl, dataDir, purpose: 'export', shouldMigrate: false, postgres },
    log,
  )
  try {
    const files = openStoredContents(config)
    await streamExport({ target: connected.target, accountId, version, files }, draft, process.stdout)
  } finally {
    await connected.close()
  }
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
