import type { Sql } from '../../db/database.ts'
import type { AccountId } from '../../kernel/ids.ts'
import { type LearntTime, learnTime } from './learnt-time.ts'
import { type FileOnModel, listPrintedRatios } from './print-times.queries.ts'

/** Answers how long a plate takes; undefined where its file does not say how long it should. */
type TimeOf = (wanted: FileOnModel) => LearntTime | undefined

/** How long plates of these files take on these models, from one statement for all. */
export async function loadPrintTimes(sql: Sql, accountId: AccountId, wanted: readonly FileOnModel[]): Promise<TimeOf> {
  const keyOf = ({ file_version_id, model }: FileOnModel) => `${file_version_id} ${model}`
  const times = new Map(
    (await listPrintedRatios(sql, accountId, wanted)).map((row) => [
      keyOf(row),
      row.print_time_seconds ? learnTime(row.print_time_seconds, row) : undefined,
    ]),
  )
  return (each) => times.get(keyOf(each))
}
