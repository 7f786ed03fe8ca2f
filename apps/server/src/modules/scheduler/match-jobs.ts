import type { Sql } from '../../db/database.ts'
import type { AccountId, JobId } from '../../kernel/ids.ts'
import type { FarmFacts, HeatingGroup, PrinterFacts } from '../matching/farm-facts.ts'
import { fold } from '../matching/filament-match.ts'
import type { LoadedFarm } from '../matching/load-farm.ts'
import type { JobForRules } from '../matching/matching.queries.ts'
import { createPlan, type Match } from './plan.ts'
import { listCandidates, listFileModels } from './scheduler.queries.ts'

/** Jobs that are read at once: so many are reserved in a few tens of ms. */
const pageSize = 250

/** After so many jobs for each free printer, at least as for 250, the rest of the queue waits for the next round. */
const mostJobsPerPrinter = 20
const leastPrinters = 250

/**
 * Which jobs these printers would take, the first in the queue first, page by page of the queue. What a page yields is to be reserved
 * before printers are matched that are freed later.
 *
 * @param heating what is heating by now; counts what is matched, and is shared by the plans of a round
 * @param listTaken jobs that are just being reserved, which the queue still holds
 */
export async function* matchJobs(
  sql: Sql,
  accountId: AccountId,
  printers: readonly PrinterFacts[],
  { farm, jobFacts }: LoadedFarm,
  heating: Map<string, HeatingGroup> = new Map(farm.heatingGroups),
  listTaken: () => ReadonlySet<JobId> = () => new Set(),
): AsyncGenerator<Match[], void> {
  const fileModels = await listFileModels(sql, accountId)
  const plan = createPlan(printers, farm, heating)
  const mostJobs = mostJobsPerPrinter * Math.max(leastPrinters, printers.length)
  let after: JobForRules | undefined
  for (let read = 0; read < mostJobs && plan.canTakeMore(); read += pageSize) {
    // Of a page nothing is for kinds of printers that all have a job by now.
    const left = plan.printersLeft()
    // Those that are taken while the page is read may have been read before.
    const taken = listTaken()
    const jobs = await listCandidates(sql, accountId, {
      printerIds: left.map(({ id }) => id),
      fileModels: fileModels.filter((model) => isModelOfAny(model, left, farm)),
      filamentTypes: [...new Set(left.flatMap(({ places }) => places.map(({ type }) => fold(type))))],
      limit: pageSize,
      after,
    })
    yield plan.add(jobs.filter(({ id }) => !taken.has(id)).map(jobFacts))
    after = jobs.at(-1)
    if (jobs.length < pageSize) return
  }
}

function isModelOfAny(fileModel: string, printers: readonly PrinterFacts[], farm: FarmFacts): boolean {
  const models = [...new Set(printers.map(({ model }) => model))]
  return models.some((model) => farm.isSameModel(model, fileModel))
}
