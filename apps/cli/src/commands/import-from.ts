import { openSecretBox } from '@printyard/server/kernel/secret-box'
import { type ArrivalResult, importArrivals } from '@printyard/server/modules/arrivals/import-arrivals'
import { UnreadableSourceError } from '@printyard/server/modules/arrivals/sources/drafts'
import { readSource, type SourceName } from '@printyard/server/modules/arrivals/sources/read-source'
import { workIn } from '@printyard/server/modules/events/work'
import { type Answer, count, formatTable } from '../answer.ts'
import { CommandError } from '../command-error.ts'
import { getAccountId } from '../known-account.ts'
import { showStep, stepWords } from '../show-step.ts'
import { connectForCommand, type DataDirOption, readCommandConfig } from '../with-database.ts'

export interface ImportFromOptions extends DataDirOption {
  account: string
  dryRun?: boolean
  model: string
}

/** Rolls a dry run back. */
class DryRunEnded extends Error {}

/** Makes what another program has and what is not here yet. Ends with 1 when anything was refused. */
export async function importFrom(source: SourceName, paths: string[], options: ImportFromOptions): Promise<Answer> {
  const arrivals = await readSource(source, paths, options.model).catch((error: unknown) => {
    throw error instanceof UnreadableSourceError ? new CommandError(error.message, 1, { cause: error }) : error
  })
  const config = readCommandConfig(options)
  const isDryRun = options.dryRun === true
  const connected = await connectForCommand(config, 'import')
  const step = showStep('Importing from')
  let results: ArrivalResult[] = []
  try {
    const accountId = await getAccountId(connected.database.sql, options.account)
    const secrets = await openSecretBox(config)
    await connected.database.begin(async (sql) => {
      const work = workIn(sql, { accountId, actor: 'cli', now: new Date() })
      results = await importArrivals({ secrets }, work, arrivals, (done) =>
        step.show(stepWords(source, done, arrivals.drafts.length, 'entries')),
      )
      if (isDryRun) throw new DryRunEnded()
    })
  } catch (error) {
    if (!(error instanceof DryRunEnded)) throw error
  } finally {
    step.clear()
    await connected.close()
  }
  const counts = { created: 0, exists: 0, skipped: 0, refused: 0 }
  for (const { outcome } of results) counts[outcome] += 1
  return {
    document: { dry_run: isDryRun, source, ...counts, results },
    text: describe(results, counts, isDryRun),
    exitCode: counts.refused > 0 ? 1 : 0,
  }
}

function describe(
  results: readonly ArrivalResult[],
  { created, exists, skipped, refused }: Record<ArrivalResult['outcome'], number>,
  isDryRun: boolean,
): string {
  const table = formatTable(
    ['where', 'what', 'name', 'outcome', ''],
    results.map(({ from, kind, name, outcome, notes }) => [from, kind, name, outcome, notes.join('; ')]),
  )
  const end = `${count(created, 'new one')}, ${exists} here already, ${skipped} skipped, ${refused} refused.`
  return [table, isDryRun ? `Dry run, nothing was written: ${end}` : end].join('\n')
}
