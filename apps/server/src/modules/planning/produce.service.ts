import type { Context } from '../../context/context.ts'
import { AppError, notFound, validationError } from '../../kernel/errors.ts'
import type { AssemblyTaskId, JobId, OrderId, SkuId } from '../../kernel/ids.ts'
import { createAssembly } from '../assembly/assembly.service.ts'
import { type Work, workIn } from '../events/work.ts'
import { jobPriorities } from '../jobs/job-priority.ts'
import { enqueueJob } from '../jobs/jobs.service.ts'
import type { DemandId } from './plan/facts.ts'
import { produce } from './plan/produce.ts'
import type { NewAssemblyTask, NewJob, Production } from './plan/production.ts'
import { findUnwanted } from './plan/unwanted.ts'
import {
  isOrder,
  listOpenOrders,
  listRestockedSkus,
  listUnknown,
  type OrderScope,
  readAutoProduce,
} from './produce.queries.ts'
import { listSkusOfOrders } from './replan/facts.queries.ts'
import { type Planned, type PlanReader, planFor, replan } from './replan/replan.ts'

/** What was queued, or would be, and the plan from which it follows. */
export interface Produced {
  planned: Planned
  /** The demands that it was asked for. */
  asked: ReadonlySet<DemandId>
  jobs: (NewJob & { jobId: JobId | null })[]
  assemblyTasks: (NewAssemblyTask & { assemblyTaskId: AssemblyTaskId | null })[]
  blocked: Production['blocked']
  /** What could not be queued, such as beyond the quota of jobs; the rest was. */
  refused: Refused[]
}

interface Refused {
  serves: DemandId[]
  skuId: SkuId
  error: AppError
}

/** Answers where the units of an order are, and where those come from that are missing. Changes nothing. */
export async function planOrder(work: PlanReader, orderId: OrderId): Promise<Planned> {
  if (!(await isOrder(work.sql, work.accountId, orderId))) throw notFound('order')
  const skuIds = await listSkusOfOrders(work.sql, work.accountId, [orderId])
  return planFor(work, skuIds, { unmappedOf: orderId })
}

/** Answers what `produceOrder` would queue. Changes nothing. */
export async function tryOrder(work: Work, orderId: OrderId): Promise<Produced> {
  const planned = await planOrder(work, orderId)
  return wouldQueue(planned, itemsOf(planned, new Set([orderId])))
}

/** Queues jobs and assembly tasks for all units of an order that nothing covers yet. Doing it again queues nothing. */
export async function produceOrder(context: Context, work: Work, orderId: OrderId): Promise<Produced> {
  await replan(work, orderId)
  const planned = await planOrder(work, orderId)
  return queue(context, work, wouldQueue(planned, itemsOf(planned, new Set([orderId]))))
}

/** The same for many orders together, which share plates, and for the shelf when nothing narrows it down. */
export async function produceMany(
  context: Context,
  work: Work,
  { dryRun, ...scope }: OrderScope & { dryRun: boolean },
): Promise<Produced> {
  await refuseUnknown(work, scope)
  if (!dryRun) await replan(work)
  const orderIds = await listOpenOrders(work.sql, work.accountId, scope)
  const skuIds = scope.skuIds ?? (await listSkusOfOrders(work.sql, work.accountId, orderIds))
  const isNarrowed = scope.dueBefore !== undefined || scope.orderIds !== undefined
  const shelf = isNarrowed ? [] : (scope.skuIds ?? (await listRestockedSkus(work.sql, work.accountId)))
  const planned = await planFor(work, [...new Set([...skuIds, ...shelf])])
  const asked = itemsOf(planned, new Set(orderIds), scope.skuIds)
  for (const skuId of shelf) asked.add(skuId)
  const wanted = wouldQueue(planned, asked)
  return dryRun ? wanted : queue(context, work, wanted)
}

/** @throws AppError `VALIDATION_ERROR` that names each ID of no order or SKU */
async function refuseUnknown(
  { sql, accountId }: PlanReader,
  { orderIds = [], skuIds = [] }: OrderScope,
): Promise<void> {
  const unknown = await listUnknown(sql, accountId, { orderIds, skuIds })
  if (unknown.length === 0) return
  const told = { order_ids: 'no order has this ID', sku_ids: 'no SKU has this ID' }
  throw validationError(
    Object.fromEntries(unknown.map(({ field, position }) => [`${field}.${position}`, [told[field]]])),
  )
}

/** Queues what the settings of the account say is queued without being asked for. */
export async function produceByItself(context: Context, work: Work, planned: Planned): Promise<void> {
  const { orderIds, skuIds } = await readAutoProduce(work.sql, work.accountId, planned.scope)
  const asked = itemsOf(planned, new Set(orderIds))
  for (const skuId of skuIds) asked.add(skuId)
  if (asked.size > 0) await queue(context, work, wouldQueue(planned, asked))
}

/** Queued jobs and open assembly tasks of which nothing is wanted, all over the account. */
export async function listUnwanted(work: PlanReader): Promise<ReturnType<typeof findUnwanted>> {
  const { plan, facts } = await planFor(work, 'all')
  return findUnwanted(plan, facts)
}

function itemsOf({ plan }: Planned, orderIds: ReadonlySet<OrderId>, skuIds?: readonly SkuId[]): Set<DemandId> {
  return new Set(
    plan.demands.flatMap(({ demand }) =>
      demand.kind === 'order_item' &&
      orderIds.has(demand.orderId) &&
      (skuIds === undefined || (demand.skuId !== null && skuIds.includes(demand.skuId)))
        ? [demand.id]
        : [],
    ),
  )
}

function wouldQueue(planned: Planned, asked: ReadonlySet<DemandId>): Produced {
  const { jobs, assemblyTasks, blocked } = produce(planned.plan, planned.facts, asked)
  return {
    planned,
    asked,
    jobs: jobs.map((job) => ({ ...job, jobId: null })),
    assemblyTasks: assemblyTasks.map((task) => ({ ...task, assemblyTaskId: null })),
    blocked,
    refused: [],
  }
}

/** Each job and task is queued whole or not at all, and one that is refused keeps no other from being queued. */
async function queue(context: Context, work: Work, wanted: Produced): Promise<Produced> {
  const queued: Produced = { ...wanted, jobs: [], assemblyTasks: [], refused: [] }
  for (const job of wanted.jobs) {
    const jobId = await attempt(work, (part) => queueJob(context, part, job))
    if (!(jobId instanceof AppError)) queued.jobs.push({ ...job, jobId })
    else {
      const serves = job.serves.map(({ demandId }) => demandId)
      queued.refused.push({ serves, skuId: job.outputs[0]?.skuId ?? missingOutput(), error: jobId })
    }
  }
  for (const task of wanted.assemblyTasks) {
    const made = await attempt(work, (part) => queueKit(part, task))
    if (made instanceof AppError) queued.refused.push({ serves: [task.demandId], skuId: task.skuId, error: made })
    else queued.assemblyTasks.push({ ...task, assemblyTaskId: made.id })
  }
  return queued
}

/** The refusal, in the place of what was to be done; nothing of it is left then. */
async function attempt<T>(work: Work, act: (part: Work) => Promise<T>): Promise<T | AppError> {
  try {
    return await work.sql.savepoint((part) => act(workIn(part, work)))
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
}

function missingOutput(): never {
  throw new Error('a recipe yields nothing')
}

async function queueKit(work: Work, { skuId, units, orderItemId }: NewAssemblyTask): Promise<{ id: AssemblyTaskId }> {
  return createAssembly(work, {
    product_sku_id: skuId,
    quantity: units,
    kind: 'kit_assembly',
    ...(orderItemId !== null && { order_item_id: orderItemId }),
  })
}

async function queueJob(context: Context, work: Work, job: NewJob): Promise<JobId> {
  // The recipe's own SKU is the first of what a plate yields.
  const main = job.outputs[0] ?? missingOutput()
  const { id } = await enqueueJob(context, work, {
    product_sku_id: main.skuId,
    recipe_ids: job.recipeIds,
    number_of_units: job.plates * main.units,
    quantity_per_print: main.units,
    priority: priorityOf(job),
    ...(job.dueMs !== null && { due_date: new Date(job.dueMs).toISOString() }),
    ...(job.dedicatedTo !== null && { order_item_id: job.dedicatedTo }),
  })
  return id
}

/** Answers the priority of a job: what fills the shelf waits for everything that someone ordered. */
function priorityOf({ isRestock, priority }: NewJob): (typeof jobPriorities)[number] {
  return isRestock || priority === null ? 'low' : (jobPriorities[priority] ?? 'normal')
}
