import type { Sql } from '../../db/database.ts'
import type { AccountId } from '../../kernel/ids.ts'
import { inTurns } from '../../kernel/in-turns.ts'
import { rememberModels } from '../matching/farm-facts.ts'
import { type LearntTime, learnTime } from './learnt-time.ts'
import { type FileOnModel, listRatiosOfFiles, listRatiosOfModels, listWrittenModels } from './print-times.queries.ts'

/** Answers how long a plate takes; undefined where its file does not say how long it should. */
type TimeOf = (wanted: FileOnModel) => LearntTime | undefined

/** Answers how long plates of these files take on these models, from a few statements for all, where they are not very many. */
export async function loadPrintTimes(sql: Sql, accountId: AccountId, wanted: readonly FileOnModel[]): Promise<TimeOf> {
  const keyOf = ({ file_version_id, model }: FileOnModel) => `${file_version_id} ${model}`
  if (wanted.length === 0) return () => undefined
  const isSame = rememberModels()
  const written = await listWrittenModels(sql, accountId)
  const spelled = [...new Set(wanted.map(({ model }) => model))].flatMap((model) =>
    written.filter((each) => each === model || isSame(each, model)).map((each) => ({ model, written: each })),
  )
  const ofModels = await listRatiosOfModels(sql, accountId, spelled)
  const times = new Map<string, LearntTime>()
  for await (const some of inTurns(wanted)) {
    for (const row of await listRatiosOfFiles(sql, accountId, some, spelled)) {
      const ratios = { of_file: row.of_file, of_model: ofModels.get(row.model) ?? [] }
      if (row.print_time_seconds) times.set(keyOf(row), learnTime(row.print_time_seconds, ratios))
    }
  }
  return (each) => times.get(keyOf(each))
}
