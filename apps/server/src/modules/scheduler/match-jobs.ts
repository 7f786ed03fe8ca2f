import type { Sql } from '../../db/database.ts'
import type { AccountId, JobId, PrinterId } from '../../kernel/ids.ts'
import type { FarmFacts, HeatingGroup, PrinterFacts } from '../matching/farm-facts.ts'
import { fold } from '../matching/filament-match.ts'
import type { LoadedFarm } from '../matching/load-farm.ts'
import type { JobForRules } from '../matching/matching.queries.ts'
import { createPlan, type Match } from './plan.ts'
import { type Candidates, listCandidates, listFileModels } from './scheduler.queries.ts'

/** Jobs that are read at once: so many are reserved in a few tens of ms. */
const pageSize = 250

/** Jobs for each printer that are read first: of a long queue, the first ones often do. */
const firstPerPrinter = 10

/** After so many jobs for each free printer, at least as for 250, the rest of the queue waits for the next round. */
const mostJobsPerPrinter = 20
const leastPrinters = 250

/** What plans of one round share. */
interface SharedByPlans {
  /** What is heating by now; counts what is matched. */
  heating: Map<string, HeatingGroup>
  /** Jobs that were matched already; takes up what is matched. */
  matched: Set<JobId>
  /** Those of them that are just being reserved: the queue still holds them. */
  listReserving: () => readonly JobId[]
  /** Of the files of the account, as `listFileModels` has them. */
  fileModels: readonly string[]
  /** The only printers that people gave queued jobs; left out where all are to be asked for. */
  givenJobs?: ReadonlySet<PrinterId> | undefined
}

/**
 * Which jobs these printers would take, the first in the queue first, page by page of the queue. What a page yields is to be reserved
 * before printers are matched that are freed later.
 *
 * @param shared for a plan beside others
 */
export async function* matchJobs(
  sql: Sql,
  accountId: AccountId,
  printers: readonly PrinterFacts[],
  { farm, jobFacts }: LoadedFarm,
  shared?: SharedByPlans,
): AsyncGenerator<Match[], void> {
  const fileModels = shared?.fileModels ?? (await listFileModels(sql, accountId))
  const plan = createPlan(printers, farm, shared?.heating ?? new Map(farm.heatingGroups))
  const mostJobs = mostJobsPerPrinter * Math.max(leastPrinters, printers.length)
  let after: JobForRules | undefined
  let limit = Math.min(pageSize, firstPerPrinter * printers.length)
  for (let read = 0; read < mostJobs && plan.canTakeMore(); read += limit) {
    // Of a page nothing is for kinds of printers that all have a job by now.
    const left = plan.printersLeft().map(({ id }) => id)
    const printerIds = shared?.givenJobs ? left.filter((id) => shared.givenJobs?.has(id)) : left
    const wanted = { printerIds, ...candidatesFor(plan.kindsLeft(), fileModels, farm) }
    const jobs = await listCandidates(sql, accountId, { ...wanted, except: shared?.listReserving(), limit, after })
    // Another plan may have matched one while it was read.
    const matches = plan.add(jobs.filter(({ id }) => !shared?.matched.has(id)).map(jobFacts))
    for (const { job } of matches) shared?.matched.add(job.id)
    yield matches
    after = jobs.at(-1)
    if (jobs.length < limit) return
    limit = pageSize
  }
}

/** What jobs ask for that printers of these kinds might print. */
export function candidatesFor(
  kinds: readonly PrinterFacts[],
  fileModels: readonly string[],
  farm: FarmFacts,
): Pick<Candidates, 'fileModels' | 'filamentTypes'> {
  const models = [...new Set(kinds.map(({ model }) => model))]
  return {
    fileModels: fileModels.filter((fileModel) => models.some((model) => farm.isSameModel(model, fileModel))),
    filamentTypes: [...new Set(kinds.flatMap(({ places }) => places.map(({ type }) => fold(type))))],
  }
}
