import Type, { type Static } from 'typebox'
import { idOf, nullable, oneOf, optionalRequest, request, resource, timestamp } from '../../http/schema.ts'
import type { MaterialId, OrderId, OrderItemId, SkuId } from '../../kernel/ids.ts'
import { type GroupTimes, noTimes, OrderPromise, unknownBecause } from '../promises/shown/promise.schema.ts'
import type { Told } from './group-times.ts'
import type { NamedItem, Names, OrderedLine } from './names.queries.ts'
import type { BlockReason, Demand, DemandId } from './plan/facts.ts'
import type { Blocker, DemandPlan, UnitGroup } from './plan/plan.ts'
import type { Produced } from './produce.service.ts'
import type { Planned } from './replan/replan.ts'

const mostIds = 500

/** Lines in one answer; what is queued is answered whole. */
const mostLines = 500
/** The first and the last are of units that a plan has done with; only the plan of one order tells them. */
const unitStates = [
  'shipped',
  'picked',
  'reserved',
  'to_assemble',
  'on_live_job',
  'to_print',
  'blocked',
  'cancelled',
] as const
const blockReasons = [
  'unmapped',
  'no_recipe',
  'recipe_fits_no_printer',
  'missing_component',
  'sku_inactive',
  'bom_cycle',
  'too_many_parts',
] as const satisfies BlockReason[]

export const ProduceBody = optionalRequest({
  due_before: Type.Optional(timestamp('Only orders that have to leave before then')),
  order_ids: Type.Optional(
    Type.Array(idOf('order', 'ID of an order'), { maxItems: mostIds, description: 'Only these orders' }),
  ),
  sku_ids: Type.Optional(
    Type.Array(idOf('sku', 'ID of a SKU'), {
      maxItems: mostIds,
      description: 'Only lines of these SKUs, and their restock',
    }),
  ),
  dry_run: Type.Optional(Type.Boolean({ description: 'Dry run: only answers what would be queued; default: false' })),
})

export const ProduceOrderBody = optionalRequest({
  dry_run: Type.Optional(
    Type.Boolean({
      description: 'Dry run: only answers what would be queued, as `POST /orders/{id}/plan` does; default: false',
    }),
  ),
})

export const HoldBody = request({
  units: Type.Integer({
    minimum: 0,
    maximum: 1_000_000,
    description: 'Units that it is to hold; 0 releases them',
  }),
  product_sku_id: Type.Optional(idOf('sku', 'The SKU of the units: a part of the line; default: the SKU of the line')),
  job_id: Type.Optional(idOf('job', 'The live job that yields them; default: they are on the shelf')),
})

const units = (description: string) => Type.Integer({ description })
const skuFields = {
  product_sku_id: nullable(Type.String({ description: 'The SKU; null while the line is not mapped' })),
  sku: Type.String({ description: 'Code of the SKU' }),
}

export const PlanBlocker = resource('PlanBlocker', 'Reason why units cannot be made until a person does something', {
  reason: oneOf(blockReasons, {
    description:
      'unmapped: the line names no SKU; no_recipe: nothing says how the SKU is made; recipe_fits_no_printer: no printer of ' +
      'the farm is of a model that a recipe is sliced for; missing_component: too few components; sku_inactive: the SKU ' +
      'is no longer made; bom_cycle: it is a part of itself; too_many_parts: more than can be counted',
  }),
  ...skuFields,
  material_id: nullable(Type.String({ description: 'The component that is missing' })),
  message: Type.String({ description: 'The same as a sentence' }),
})

const PlanGroup = resource('PlanGroup', 'Units of a line that are equally far', {
  state: oneOf(unitStates, {
    description:
      'shipped: left; picked: off the shelf, to be packed; reserved: on the shelf, held for this line; to_assemble: there, to be put together; on_live_job: being printed or ' +
      'queued; to_print: nothing covers them yet; blocked: they cannot be made; cancelled: no longer wanted. Shipped, ' +
      'picked and cancelled units are told apart by `GET /orders/{id}/plan` alone',
  }),
  units: units('Units of the SKU'),
  expected_at: nullable(
    timestamp(
      'Time by which the last of them is printed, for jobs that print, from the times of the slicer; null when they are there, and while it is not known',
    ),
  ),
  ready_p50_at: nullable(
    timestamp(
      'Time by which the last of them is printed in half of all cases, from learnt times; null when they are there, and while it is not known',
    ),
  ),
  ready_p90_at: nullable(timestamp('The same in nine of ten cases')),
  unknown_because: unknownBecause,
  blockers: Type.Array(PlanBlocker, { description: 'Reasons why they cannot be made; empty unless blocked' }),
})

const PlanLine = resource('PlanLine', 'Plan of an order line: where its units are', {
  order_item_id: Type.String({ description: 'The order item' }),
  order_id: Type.String({ description: 'Its order' }),
  order_number: Type.String({ description: 'Number of its order' }),
  ...skuFields,
  product_name: Type.String({ description: 'Name of the product in the order' }),
  units: units('Units of the SKU that the line asks for'),
  shipped: units('Units of the line that were taken from stock for the customer'),
  from_stock: units('Held on the shelf, or picked'),
  picked: units('Units of the line that are off the shelf, to be packed; only told by `GET /orders/{id}/plan`'),
  from_assembly: units('Units in stock, to be put together'),
  on_live_jobs: units('Units of jobs that print or are queued'),
  to_print: units('Units that nothing covers'),
  blocked: units('Units that cannot be made'),
  cancelled: units('Units that are no longer needed'),
  groups: Type.Array(PlanGroup, {
    description: 'Groups of the units by where they are, those first that left or are nearest',
  }),
})

export const OrderPlan = resource(
  'OrderPlan',
  'Plan of an order: where its units are, and when the last of them is expected',
  {
    order_id: Type.String({ description: 'The order' }),
    lines: Type.Array(PlanLine, { description: 'All of its lines; each unit is in one group' }),
    expected_at: nullable(
      timestamp('Time by which all of it is printed; null when it is there, and while that is not known'),
    ),
    promise: OrderPromise,
  },
)

const PlannedOutput = resource('PlannedOutput', 'Units of one SKU', {
  product_sku_id: Type.String({ description: 'The SKU' }),
  sku: Type.String({ description: 'Code of the SKU' }),
  units: units('Number of units'),
})

const PlannedJob = resource('PlannedJob', 'A job that was queued, or would be', {
  job_id: nullable(Type.String({ description: 'The job; null in a dry run' })),
  recipe_ids: Type.Array(Type.String(), { description: 'Recipes that make the same, the preferred one first' }),
  plates: units('Plates to print'),
  outputs: Type.Array(PlannedOutput, { description: 'Output of each plate' }),
  surplus: Type.Array(PlannedOutput, { description: 'Units beyond the demand: they go on the shelf' }),
  due_date: nullable(timestamp('The earliest date by which one of its orders has to leave')),
  serves: Type.Array(
    resource('PlannedServing', 'Units of a job for one demand', {
      order_item_id: nullable(Type.String({ description: 'The order item; null: for the shelf' })),
      product_sku_id: Type.String({ description: 'The SKU that is printed' }),
      units: units('Number of units'),
    }),
    { description: 'Demands that the units are for, the most urgent first' },
  ),
})

const PlannedAssembly = resource('PlannedAssembly', 'A kit to put together', {
  assembly_task_id: nullable(Type.String({ description: 'The assembly task; null in a dry run' })),
  order_item_id: nullable(Type.String({ description: 'The order item; null: for the shelf' })),
  product_sku_id: Type.String({ description: 'The kit' }),
  sku: Type.String({ description: 'Code of the kit' }),
  units: units('Number of units'),
})

const RefusedProduction = resource('RefusedProduction', 'A SKU whose job could not be queued', {
  ...skuFields,
  code: Type.String({ description: 'Code of the error' }),
  message: Type.String({ description: 'Reason, in a sentence' }),
})

export const Production = resource('Production', 'Jobs and assembly tasks for the units that nothing covered', {
  dry_run: Type.Boolean({ description: 'Whether it was a dry run, which changes nothing' }),
  lines: Type.Array(PlanLine, { description: 'The lines that were asked for, as they were before' }),
  lines_left_out: Type.Integer({ description: 'Number of further lines: answers carry 500 at most' }),
  jobs: Type.Array(PlannedJob, { description: 'Jobs for the units to print' }),
  assembly_tasks: Type.Array(PlannedAssembly, { description: 'Tasks for the kits to put together' }),
  refused: Type.Array(RefusedProduction, { description: 'SKUs whose jobs could not be queued; all others were' }),
  shortages: Type.Array(PlanBlocker, { description: 'Components that are missing' }),
  unmatched_items: Type.Array(
    resource('UnmatchedItem', 'A line with units that cannot be made', {
      order_item_id: Type.String({ description: 'The order item' }),
      units: units('Units that cannot be made'),
      blockers: Type.Array(PlanBlocker, { description: 'Reasons why its units cannot be made' }),
    }),
    { description: 'Lines that cannot be made as they are' },
  ),
})

/** Answers what a plan names. */
export function idsOf({ plan, facts }: Planned): {
  skus: SkuId[]
  materials: MaterialId[]
  items: OrderItemId[]
} {
  const blockers = plan.demands.flatMap(({ groups }) =>
    groups.flatMap((group) => (group.state === 'blocked' ? group.blockers : [])),
  )
  return {
    skus: facts.stock.map(({ skuId }) => skuId),
    materials: blockers.flatMap(({ materialId }) => materialId ?? []),
    items: plan.demands.flatMap(({ demand }) => (demand.kind === 'order_item' ? [demand.id] : [])),
  }
}

const isoOf = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString())

const sentences: Record<BlockReason, (name: string) => string> = {
  unmapped: () => 'The line names no SKU: map it first',
  no_recipe: (name) => `${name} has no recipe`,
  recipe_fits_no_printer: (name) => `No printer of the farm fits a recipe of ${name}`,
  missing_component: (name) => `Too few ${name}`,
  sku_inactive: (name) => `${name} is no longer made`,
  bom_cycle: (name) => `${name} is a part of itself`,
  too_many_parts: (name) => `${name} would need more parts than can be counted`,
}

export function presentBlocker({ reason, skuId, materialId }: Blocker, names: Names): Static<typeof PlanBlocker> {
  const sku = (skuId && names.skus.get(skuId)?.sku) ?? ''
  const name = (materialId && names.materials.get(materialId)) ?? sku
  return { reason, product_sku_id: skuId, sku, material_id: materialId, message: sentences[reason](name) }
}

function presentGroup(group: UnitGroup, names: Names, times: GroupTimes): Static<typeof PlanGroup> {
  return {
    state: group.state,
    units: group.units,
    expected_at: isoOf(group.expectedAtMs),
    ...times,
    blockers: group.state === 'blocked' ? group.blockers.map((blocker) => presentBlocker(blocker, names)) : [],
  }
}

type PresentedGroup = Static<typeof PlanGroup>

const groupsOf = (line: DemandPlan, names: Told): PresentedGroup[] => {
  const times = names.timesOf(line)
  return line.groups.map((group, index) => presentGroup(group, names, times[index] ?? noTimes))
}

function lineOf(item: NamedItem, groups: PresentedGroup[]): Static<typeof PlanLine> {
  const unitsIn = (...states: PresentedGroup['state'][]) =>
    groups.reduce((sum, group) => sum + (states.includes(group.state) ? group.units : 0), 0)
  return {
    order_item_id: item.id,
    order_id: item.order_id,
    order_number: item.order_number,
    product_sku_id: item.product_sku_id,
    sku: item.sku,
    product_name: item.product_name,
    units: item.units,
    shipped: item.fulfilled,
    from_stock: unitsIn('reserved', 'picked'),
    picked: unitsIn('picked'),
    from_assembly: unitsIn('to_assemble'),
    on_live_jobs: unitsIn('on_live_job'),
    to_print: unitsIn('to_print'),
    blocked: unitsIn('blocked'),
    cancelled: unitsIn('cancelled'),
    groups,
  }
}

function presentLine(line: DemandPlan, names: Told): Static<typeof PlanLine>[] {
  const item = line.demand.kind === 'order_item' ? names.items.get(line.demand.id) : undefined
  return item ? [lineOf(item, groupsOf(line, names))] : []
}

const settled = (state: 'shipped' | 'picked' | 'cancelled', units: number): PresentedGroup[] =>
  units > 0 ? [{ state, units, expected_at: null, ...noTimes, blockers: [] }] : []

/** All units of a line: those that the plan knows, and those that it has done with. */
function presentWholeLine(item: OrderedLine, line: DemandPlan | undefined, names: Told): Static<typeof PlanLine> {
  const { units, fulfilled, is_cancelled: isCancelled } = item
  if (line === undefined) {
    // What a person said to have left without its stock being taken has left, too.
    const left = isCancelled ? fulfilled : units
    return lineOf(item, [...settled('shipped', left), ...settled('cancelled', units - left)])
  }
  const open = groupsOf(line, names)
  const [held, ...others] = open[0]?.state === 'reserved' ? open : [undefined, ...open]
  const picked = Math.min(item.picked, held?.units ?? 0)
  const onShelf = held && held.units > picked ? [{ ...held, units: held.units - picked }] : []
  return lineOf(item, [
    ...settled('shipped', fulfilled),
    ...settled('picked', picked),
    ...onShelf,
    ...others.filter((group) => group !== undefined),
  ])
}

function linesOf({ plan }: Planned, names: Told, isShown: (demand: Demand) => boolean) {
  return plan.demands.filter(({ demand }) => isShown(demand)).flatMap((line) => presentLine(line, names))
}

export function presentOrderPlan(
  orderId: OrderId,
  planned: Planned,
  names: Told,
  ordered: readonly OrderedLine[],
  promise: Static<typeof OrderPromise>,
): Static<typeof OrderPlan> {
  const planOf = new Map<string, DemandPlan>(planned.plan.demands.map((line) => [line.demand.id, line]))
  const lines = ordered.map((item) => presentWholeLine(item, planOf.get(item.id), names))
  const groups = lines.flatMap((line) => line.groups)
  const isOpen = groups.some(({ state, expected_at }) => {
    return state === 'to_print' || state === 'blocked' || (state === 'on_live_job' && expected_at === null)
  })
  const times = groups.flatMap(({ expected_at }) => expected_at ?? []).sort()
  return { order_id: orderId, lines, expected_at: isOpen ? null : (times.at(-1) ?? null), promise }
}

export function presentProduction(
  produced: Produced,
  names: Told,
  { dryRun }: { dryRun: boolean },
): Static<typeof Production> {
  const skuOf = (skuId: SkuId) => names.skus.get(skuId)?.sku ?? ''
  const output = ({ skuId, units }: { skuId: SkuId; units: number }) => ({
    product_sku_id: skuId,
    sku: skuOf(skuId),
    units,
  })
  const items = new Map<DemandId, OrderItemId>(
    produced.planned.plan.demands.flatMap(({ demand }) =>
      demand.kind === 'order_item' ? [[demand.id, demand.id] as const] : [],
    ),
  )
  const itemOf = (id: DemandId) => items.get(id) ?? null
  const blockers = produced.blocked.flatMap((line) => line.blockers)
  const lines = linesOf(produced.planned, names, ({ id }) => produced.asked.has(id))
  return {
    dry_run: dryRun,
    lines: lines.slice(0, mostLines),
    lines_left_out: Math.max(0, lines.length - mostLines),
    jobs: produced.jobs.map((job) => ({
      job_id: job.jobId,
      recipe_ids: [...job.recipeIds],
      plates: job.plates,
      outputs: job.outputs.map(output),
      surplus: job.surplus.map(output),
      due_date: isoOf(job.dueMs),
      serves: job.serves.map(({ demandId, skuId, units }) => ({
        order_item_id: itemOf(demandId),
        product_sku_id: skuId,
        units,
      })),
    })),
    assembly_tasks: produced.assemblyTasks.map((task) => ({
      assembly_task_id: task.assemblyTaskId,
      order_item_id: task.orderItemId,
      ...output(task),
    })),
    refused: produced.refused.map(({ skuId, error }) => ({
      product_sku_id: skuId,
      sku: skuOf(skuId),
      code: error.code,
      message: error.message,
    })),
    shortages: blockers
      .filter(({ reason }) => reason === 'missing_component')
      .map((blocker) => presentBlocker(blocker, names)),
    unmatched_items: produced.blocked.flatMap(({ demandId, units, blockers: why }) => {
      const item = itemOf(demandId)
      if (item === null) return []
      return [{ order_item_id: item, units, blockers: why.map((blocker) => presentBlocker(blocker, names)) }]
    }),
  }
}
