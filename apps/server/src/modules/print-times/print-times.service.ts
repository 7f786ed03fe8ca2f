import type { Sql } from '../../db/database.ts'
import type { AccountId } from '../../kernel/ids.ts'
import { rememberModels } from '../matching/farm-facts.ts'
import { type LearntTime, learnTime } from './learnt-time.ts'
import { type FileOnModel, listPrintedRatios, listWrittenModels } from './print-times.queries.ts'

/** Answers how long a plate takes; undefined where its file does not say how long it should. */
type TimeOf = (wanted: FileOnModel) => LearntTime | undefined

/** How long plates of these files take on these models, from two statements for all. */
export async function loadPrintTimes(sql: Sql, accountId: AccountId, wanted: readonly FileOnModel[]): Promise<TimeOf> {
  const keyOf = ({ file_version_id, model }: FileOnModel) => `${file_version_id} ${model}`
  if (wanted.length === 0) return () => undefined
  const isSame = rememberModels()
  const written = await listWrittenModels(sql, accountId)
  const spelled = [...new Set(wanted.map(({ model }) => model))].flatMap((model) =>
    written.filter((each) => each === model || isSame(each, model)).map((each) => ({ model, written: each })),
  )
  const times = new Map(
    (await listPrintedRatios(sql, accountId, wanted, spelled)).map((row) => [
      keyOf(row),
      row.print_time_seconds ? learnTime(row.print_time_seconds, row) : undefined,
    ]),
  )
  return (each) => times.get(keyOf(each))
}
