import type { FileVersionId, JobId, OrderItemId, PrinterId, SkuId } from '../../../kernel/ids.ts'
import { inTurns } from '../../../kernel/in-turns.ts'
import type { LearntTime } from '../../print-times/learnt-time.ts'
import { type JobOutlook, type Outlook, unknown, unknownJob, whenAll } from './moment.ts'
import { type Free, SoonestFree } from './soonest-free.ts'

/** A printer that takes jobs. */
interface PrinterFact {
  id: PrinterId
  model: string
}

/** A file that is printed, and the model that it is sliced for; null for any. */
interface Sliced {
  fileVersionId: FileVersionId
  fileModel: string | null
}

interface RunningJob extends Sliced {
  id: JobId
  printerId: PrinterId
  model: string
  /** Time when its plate was seen to begin; null while it is about to. */
  startedMs: number | null
  /** The one that prints included. */
  platesLeft: number
}

interface Way extends Sliced {
  /** Plates that are left to print in it. */
  plates: number
}

interface QueuedJob {
  id: JobId
  /** The printer that it was given to; null: any that fits. */
  printerId: PrinterId | null
  /** Each way in which it can be printed. */
  ways: readonly Way[]
}

/** Units that nothing covers yet. */
interface GapFact {
  orderItemId: OrderItemId
  skuId: SkuId
  units: number
  /** Made for this line alone: it shares no plate. */
  isDedicated: boolean
  recipes: readonly (Sliced & { unitsPerPlate: number })[]
}

export interface FarmFacts {
  nowMs: number
  printers: readonly PrinterFact[]
  running: readonly RunningJob[]
  /** In the order of the queue. */
  queued: readonly QueuedJob[]
  /** In the order of service. */
  gaps: readonly GapFact[]
  timeOf(file: FileVersionId, model: string): Pick<LearntTime, 'p50_seconds' | 'p90_seconds'> | undefined
  fits(model: string, fileModel: string | null): boolean
}

export interface FarmForecast {
  jobs: Map<JobId, JobOutlook>
  gaps: Map<OrderItemId, Map<SkuId, Outlook>>
}

/**
 * Answers when all that prints, waits or is still to be queued will be done. Each job goes, in the order of the queue, to the printer that fits and
 * ends it first; what is not queued comes after all that is. Plates are cleared at once, and what is loaded is changed at
 * once: nothing else is known of people. What takes a time that is not known holds up nothing else.
 */
export async function forecastFarm(facts: FarmFacts): Promise<FarmForecast> {
  const { nowMs } = facts
  const free = new Map<PrinterId, Free>(
    facts.printers.map((printer) => [printer.id, { printer, p50Ms: nowMs, p90Ms: nowMs }]),
  )
  const jobs = new Map<JobId, JobOutlook>()
  for (const job of facts.running) jobs.set(job.id, followRunning(facts, free, job))
  const byModel = Map.groupBy(free.values(), ({ printer }) => printer.model)
  const models = new Map([...byModel].map(([model, printers]) => [model, new SoonestFree(printers)]))
  for await (const some of inTurns(facts.queued)) {
    for (const { id, printerId, ways } of some) {
      const given = printerId === null ? undefined : free.get(printerId)
      const own = given && new Map([[given.printer.model, new SoonestFree([given])]])
      jobs.set(id, place(facts, printerId === null ? models : (own ?? new Map()), ways).outlook)
    }
  }
  return { jobs, gaps: await forecastGaps(facts, models) }
}

function followRunning(facts: FarmFacts, free: ReadonlyMap<PrinterId, Free>, job: RunningJob): JobOutlook {
  const { nowMs } = facts
  const time = facts.timeOf(job.fileVersionId, job.model)
  if (!time) return unknownJob('unknown_print_time')
  const endOf = (seconds: number) =>
    Math.max(nowMs, (job.startedMs ?? nowMs) + seconds * 1_000) + seconds * (job.platesLeft - 1) * 1_000
  const p50Ms = endOf(time.p50_seconds)
  const p90Ms = time.p90_seconds === null ? null : endOf(time.p90_seconds)
  const printer = free.get(job.printerId)
  if (printer) Object.assign(printer, { p50Ms, p90Ms })
  const { printerId, startedMs } = job
  return { p50Ms, p90Ms, reason: p90Ms === null ? 'too_few_prints' : null, printerId, startsMs: startedMs ?? nowMs }
}

/** Gives plates to the printer that ends them first, in the way in which it does; in none when nothing is known of any. */
function place<Some extends Way>(
  facts: FarmFacts,
  models: ReadonlyMap<string, SoonestFree>,
  ways: readonly Some[],
): { outlook: JobOutlook; way: Some | undefined } {
  let best: { printer: Free; way: Some; p50Ms: number; p90Ms: number | null } | undefined
  let hasPrinter = false
  for (const [model, printers] of models) {
    const first = printers.first()
    if (!first) continue
    for (const way of ways) {
      if (!facts.fits(model, way.fileModel)) continue
      hasPrinter = true
      const time = facts.timeOf(way.fileVersionId, model)
      if (!time) continue
      const p50Ms = first.p50Ms + time.p50_seconds * way.plates * 1_000
      if (best && best.p50Ms <= p50Ms) continue
      const p90Ms =
        first.p90Ms === null || time.p90_seconds === null ? null : first.p90Ms + time.p90_seconds * way.plates * 1_000
      best = { printer: first, way, p50Ms, p90Ms }
    }
  }
  if (!best) return { outlook: unknownJob(hasPrinter ? 'unknown_print_time' : 'no_printer'), way: undefined }
  const { printer, way, p50Ms, p90Ms } = best
  const [printerId, startsMs] = [printer.printer.id, printer.p50Ms]
  Object.assign(printer, { p50Ms, p90Ms })
  const reason = p90Ms === null ? 'too_few_prints' : null
  return { outlook: { p50Ms, p90Ms, reason, printerId, startsMs }, way }
}

/** Lines of a SKU share plates in the order of service: what a plate yields beyond one line is for the next. */
async function forecastGaps(facts: FarmFacts, models: ReadonlyMap<string, SoonestFree>): Promise<FarmForecast['gaps']> {
  const gaps: FarmForecast['gaps'] = new Map()
  const spare = new Map<SkuId, { units: number; from: Outlook }>()
  for await (const some of inTurns(facts.gaps)) for (const gap of some) placeGap(facts, models, { gaps, spare }, gap)
  return gaps
}

function placeGap(
  facts: FarmFacts,
  models: ReadonlyMap<string, SoonestFree>,
  { gaps, spare }: { gaps: FarmForecast['gaps']; spare: Map<SkuId, { units: number; from: Outlook }> },
  gap: GapFact,
): void {
  const shared = gap.isDedicated ? undefined : spare.get(gap.skuId)
  const taken = Math.min(gap.units, shared?.units ?? 0)
  const missing = gap.units - taken
  const parts: Outlook[] = shared && taken > 0 ? [shared.from] : []
  if (shared) shared.units -= taken
  if (missing > 0) {
    const ways = gap.recipes.map((recipe) => ({ ...recipe, plates: Math.ceil(missing / recipe.unitsPerPlate) }))
    const { outlook: made, way } = place(facts, models, ways)
    parts.push(ways.length === 0 ? unknown('no_recipe') : made)
    const left = way === undefined ? 0 : way.plates * way.unitsPerPlate - missing
    if (!gap.isDedicated) spare.set(gap.skuId, { units: left, from: made })
  }
  const bySku = gaps.get(gap.orderItemId) ?? new Map<SkuId, Outlook>()
  gaps.set(gap.orderItemId, bySku.set(gap.skuId, whenAll(parts, facts.nowMs)))
}
