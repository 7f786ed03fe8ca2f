import type { OrderItemId, SkuId } from '../../../kernel/ids.ts'
import { afterProducing } from './after-producing.ts'
import type { Demand, DemandId, Facts } from './facts.ts'
import { planUnits } from './net.ts'
import { packPlates } from './pack-plates.ts'
import { type PatternBook, patternsOf } from './patterns.ts'
import { placePlates, type Want } from './place-plates.ts'
import type { Gap, Plan } from './plan.ts'
import type { BlockedLine, NewJob, Production } from './production.ts'

/** The demands that are asked for. */
export type Scope = ReadonlySet<DemandId> | 'all'

/** Number of times that what was unblocked is looked for. Each time at least one SKU of which nothing is made has yielded something. */
const mostRounds = 20

/**
 * Answers what to queue for the gaps of some demands, or of all. Demands share plates, except those that are dedicated. Gaps of the same
 * SKUs that come earlier in the order of service are produced, too: what is printed goes to them first, so that without them
 * the demands asked for would still have their gaps, and asking twice would print twice. Restocks take the surplus of orders, and
 * are jobs of their own.
 *
 * A mixed plate may yield units of a SKU of which nothing is to be made. They can unblock demands, whose other gaps are then
 * produced as well.
 */
export function produce(plan: Plan, facts: Facts, scope: Scope = 'all'): Production {
  const production = produceOnce(plan, facts, scope)
  let last = production
  let known = facts
  for (let round = 1; round < mostRounds && yieldsBlocked(last, facts); round += 1) {
    known = afterProducing(known, last, round)
    last = produceOnce(planUnits(known), known, scope)
    production.jobs.push(...last.jobs)
    production.assemblyTasks.push(...last.assemblyTasks)
    production.blocked = last.blocked
  }
  return production
}

function yieldsBlocked({ jobs }: Production, { blockedSkus }: Facts): boolean {
  return jobs.some(({ surplus }) => surplus.some(({ skuId }) => blockedSkus.some((blocked) => blocked.skuId === skuId)))
}

function produceOnce(plan: Plan, facts: Facts, scope: Scope): Production {
  const demands = new Map(plan.demands.map(({ demand }) => [demand.id, demand]))
  const isAsked = (demandId: DemandId) => scope === 'all' || scope.has(demandId)
  return {
    jobs: produceJobs(plan.gaps, demands, patternsOf(facts.recipes), isAsked),
    assemblyTasks: plan.gaps
      .filter(({ make, demandId }) => make === 'assemble' && isAsked(demandId))
      .map(({ demandId, skuId, units }) => ({
        demandId,
        orderItemId: orderItemOf(demands.get(demandId)!),
        skuId,
        units,
      })),
    blocked: blockedLines(plan, isAsked),
  }
}

function produceJobs(
  gaps: readonly Gap[],
  demands: ReadonlyMap<DemandId, Demand>,
  patterns: PatternBook,
  isAsked: (demandId: DemandId) => boolean,
): NewJob[] {
  const wants = gaps
    .filter(({ make }) => make === 'print')
    .map(({ demandId, skuId, units }) => ({ demand: demands.get(demandId)!, skuId, units }))
  const dedicated = wants.filter(({ demand }) => isDedicated(demand) && isAsked(demand.id))
  const pooled = withThoseAhead(
    wants.filter(({ demand }) => !isDedicated(demand)),
    isAsked,
  )
  const forOrders = printJobs(
    pooled.filter(({ demand }) => demand.kind === 'order_item'),
    patterns,
  )
  const restocks = lessSurplus(
    pooled.filter(({ demand }) => demand.kind === 'restock'),
    forOrders,
  )
  const alone = [...Map.groupBy(dedicated, ({ demand }) => demand.id).values()]
  return [...alone.flatMap((its) => printJobs(its, patterns)), ...forOrders, ...printJobs(restocks, patterns)]
}

function printJobs(wants: readonly Want[], patterns: PatternBook): NewJob[] {
  const needs = new Map<SkuId, number>()
  for (const { skuId, units } of wants) needs.set(skuId, (needs.get(skuId) ?? 0) + units)
  return placePlates(wants, packPlates(needs, patterns))
}

/** Answers what is asked for, and what others of the same SKUs want before it. */
function withThoseAhead(wants: readonly Want[], isAsked: (demandId: DemandId) => boolean): Want[] {
  const last = new Map<SkuId, number>()
  wants.forEach(({ demand, skuId }, index) => {
    if (isAsked(demand.id)) last.set(skuId, index)
  })
  return wants.filter(({ skuId }, index) => index <= (last.get(skuId) ?? -1))
}

function lessSurplus(wants: readonly Want[], jobs: readonly NewJob[]): Want[] {
  const left = new Map<SkuId, number>()
  for (const { skuId, units } of jobs.flatMap(({ surplus }) => surplus)) left.set(skuId, (left.get(skuId) ?? 0) + units)
  return wants.flatMap((want) => {
    const covered = Math.min(want.units, left.get(want.skuId) ?? 0)
    left.set(want.skuId, (left.get(want.skuId) ?? 0) - covered)
    return covered < want.units ? [{ ...want, units: want.units - covered }] : []
  })
}

function blockedLines(plan: Plan, isAsked: (demandId: DemandId) => boolean): BlockedLine[] {
  return plan.demands.flatMap(({ demand, groups }) =>
    groups.flatMap((group) =>
      group.state === 'blocked' && isAsked(demand.id)
        ? [{ demandId: demand.id, units: group.units, blockers: group.blockers }]
        : [],
    ),
  )
}

function isDedicated(demand: Demand): boolean {
  return demand.kind === 'order_item' && demand.isDedicated
}

function orderItemOf(demand: Demand): OrderItemId | null {
  return demand.kind === 'order_item' ? demand.id : null
}
