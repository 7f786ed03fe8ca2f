import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyFacts, linksOf, liveOutput, recipeFact, stockOf } from '../../../test/farm/plan-facts.ts'
import type { Demand, Facts } from './facts.ts'
import { planUnits } from './net.ts'
import type { DemandPlan, Plan } from './plan.ts'
import { factsOf, relatedSkus } from './related-skus.ts'
import { findUnwanted } from './unwanted.ts'

const runs = { numRuns: 400 }
const total = (list: readonly { units: number }[]) => list.reduce((sum, { units }) => sum + units, 0)

function sumBy<T>(list: readonly T[], keyOf: (entry: T) => string, unitsOf: (entry: T) => number): Map<string, number> {
  const sums = new Map<string, number>()
  for (const entry of list) sums.set(keyOf(entry), (sums.get(keyOf(entry)) ?? 0) + unitsOf(entry))
  return sums
}

/** Units of a SKU that a demand needs when none of what is made of it is there. */
function mostNeeded(facts: Facts, skuId: string | null, units: number, wanted: string, way: string[] = []): number {
  if (skuId === wanted) return units
  if (skuId === null || way.includes(skuId)) return 0
  const children = facts.boms.filter((bom) => bom.skuId === skuId).flatMap((bom) => bom.children)
  return children.reduce(
    (sum, child) => sum + mostNeeded(facts, child.skuId, units * child.units, wanted, [...way, skuId]),
    0,
  )
}

describe('for any facts', () => {
  test('the units of each demand are in its groups, none twice and none nowhere', () => {
    fc.assert(
      fc.property(anyFacts, (facts) => {
        for (const { demand, groups, notWanted } of planUnits(facts).demands) {
          expect(total(groups) + notWanted).toBe(demand.units)
          for (const group of groups) expect(group.units).toBeGreaterThan(0)
          expect(notWanted).toBeGreaterThanOrEqual(0)
          if (demand.kind === 'order_item') expect(notWanted).toBe(0)
        }
      }),
      runs,
    )
  })

  test('no supply and no material is pegged beyond its units', () => {
    fc.assert(
      fc.property(anyFacts, (facts) => {
        const plan = planUnits(facts)
        const pegged = sumBy(
          plan.pegs,
          ({ supply, skuId }) => `${supply.kind} ${supply.id} ${skuId}`,
          ({ units }) => units,
        )
        const there = new Map([
          ...sumBy(
            facts.stock,
            ({ skuId }) => `ready_stock ${skuId} ${skuId}`,
            ({ ready }) => ready,
          ),
          ...sumBy(
            facts.stock,
            ({ skuId }) => `needs_assembly ${skuId} ${skuId}`,
            (each) => each.needsAssembly,
          ),
          ...sumBy(
            facts.outputs,
            ({ jobId, skuId }) => `job ${jobId} ${skuId}`,
            ({ units }) => units,
          ),
          ...sumBy(
            facts.assemblyTasks,
            ({ id, skuId }) => `assembly_task ${id} ${skuId}`,
            (each) => each.unitsLeft,
          ),
        ])
        for (const [supply, units] of pegged) expect(units).toBeLessThanOrEqual(there.get(supply) ?? 0)
        const materials = sumBy(
          plan.materialPegs,
          ({ materialId }) => materialId,
          ({ units }) => units,
        )
        for (const { materialId, stock, pegged, needed, short } of plan.materials) {
          expect(materials.get(materialId) ?? 0).toBe(pegged)
          expect(pegged).toBe(Math.min(stock, needed))
          expect(short).toBe(needed - pegged)
        }
        for (const { ready, reserved, available } of plan.skus) {
          expect(reserved).toBeLessThanOrEqual(Math.max(0, ready))
          expect(available).toBe(ready - reserved)
        }
      }),
      runs,
    )
  })

  test('no demand has more pegs to a SKU than it could need units', () => {
    fc.assert(
      fc.property(anyFacts, (facts) => {
        const plan = planUnits(facts)
        const demands = new Map<string, Demand>(facts.demands.map((demand) => [demand.id, demand]))
        const ofUnits = plan.pegs.filter(({ supply }) => supply.kind !== 'assembly_task')
        const pegged = sumBy(
          ofUnits,
          ({ demandId, skuId }) => `${demandId} ${skuId}`,
          ({ units }) => units,
        )
        for (const [key, units] of pegged) {
          const [demandId = '', skuId = ''] = key.split(' ')
          const demand = demands.get(demandId)!
          expect(units).toBeLessThanOrEqual(mostNeeded(facts, demand.skuId, demand.units, skuId))
        }
      }),
      runs,
    )
  })

  test('pegs and gaps together are what the units that can be made need of their own SKU', () => {
    fc.assert(
      fc.property(anyFacts, (facts) => {
        const plan = planUnits({ ...facts, pins: [] })
        for (const { demand, groups } of plan.demands) {
          const makeable = total(groups.filter(({ state }) => state !== 'blocked'))
          const its = ({ demandId, skuId }: { demandId: string; skuId: string }) =>
            demandId === demand.id && skuId === demand.skuId
          const covered = total(plan.pegs.filter(its)) + total(plan.gaps.filter(its))
          if (makeable === total(groups)) expect(covered).toBe(makeable)
          else expect(covered).toBeGreaterThanOrEqual(makeable)
        }
      }),
      runs,
    )
  })

  test('equal facts give an equal plan, whatever the order of the lists', () => {
    const shuffled = anyFacts.chain((facts) =>
      fc.tuple(
        fc.constant(facts),
        fc
          .tuple(...Object.values(facts).map((list) => fc.shuffledSubarray<unknown>(list, { minLength: list.length })))
          .map(
            (lists) =>
              Object.fromEntries(Object.keys(facts).map((key, index) => [key, lists[index]])) as unknown as Facts,
          ),
      ),
    )
    fc.assert(
      fc.property(shuffled, ([facts, other]) => {
        expect(planUnits(other)).toEqual(planUnits(facts))
      }),
      runs,
    )
  })

  test('what is made for one order item serves no other, and what is personalised takes nothing else', () => {
    fc.assert(
      fc.property(anyFacts, (facts) => {
        const { pegs } = planUnits(facts)
        const dedicated = new Map(
          facts.outputs.flatMap(({ jobId, skuId, dedicatedTo }) =>
            dedicatedTo ? [[`${jobId} ${skuId}`, dedicatedTo] as const] : [],
          ),
        )
        const alone = new Set<string>(
          facts.demands.filter((demand) => demand.kind === 'order_item' && demand.isDedicated).map(({ id }) => id),
        )
        const pinned = new Set(facts.pins.map(({ demandId, skuId, supply }) => `${demandId} ${skuId} ${supply.id}`))
        const printed = new Set(
          facts.assemblyTasks
            .filter(({ kind }) => kind === 'print_assembly')
            .map(({ orderItemId, skuId }) => `${orderItemId} ${skuId}`),
        )
        const putTogether = new Map<string, string | null>(
          facts.assemblyTasks.flatMap((task) => (task.isDedicated ? [[task.id, task.orderItemId] as const] : [])),
        )
        for (const { demandId, skuId, supply } of pegs) {
          if (supply.kind === 'assembly_task') expect(putTogether.get(supply.id) ?? demandId).toBe(demandId)
          const owner = supply.kind === 'job' ? dedicated.get(`${supply.id} ${skuId}`) : undefined
          if (owner) expect(demandId).toBe(owner)
          if (!alone.has(demandId) || supply.kind === 'assembly_task' || owner) continue
          const isOwn = supply.kind === 'needs_assembly' && printed.has(`${demandId} ${skuId}`)
          expect(isOwn || pinned.has(`${demandId} ${skuId} ${supply.id}`)).toBe(true)
        }
      }),
      runs,
    )
  })

  test('without demands nothing is pegged, all stock is available and every queued job is unwanted', () => {
    fc.assert(
      fc.property(anyFacts, (facts) => {
        const none = { ...facts, demands: [] }
        const plan = planUnits(none)
        expect([plan.pegs, plan.materialPegs, plan.gaps, plan.demands]).toEqual([[], [], [], []])
        for (const { ready, available } of plan.skus) expect(available).toBe(ready)
        const queued = facts.outputs.filter(({ isQueued }) => isQueued).map(({ jobId }) => jobId)
        expect(findUnwanted(plan, none).jobIds).toEqual([...new Set(queued)].sort())
      }),
      runs,
    )
  })

  test('the facts of related SKUs give the part of the plan that concerns them', () => {
    fc.assert(
      fc.property(anyFacts, fc.constantFrom(...['s0', 's1', 's2', 'k0', 'k1', 'k2']), (facts, start) => {
        const whole = planUnits(facts)
        const scarce = new Set(whole.materials.filter(({ short }) => short > 0).map(({ materialId }) => materialId))
        const skuIds = relatedSkus([start as Facts['stock'][number]['skuId']], linksOf(facts), scarce)
        const part = planUnits(factsOf(facts, skuIds))
        const concerns = ({ demand }: DemandPlan) => demand.skuId !== null && skuIds.has(demand.skuId)
        expect(part.demands).toEqual(whole.demands.filter(concerns))
        const inPart = <T extends { skuId: Facts['stock'][number]['skuId'] }>(list: T[]) =>
          list.filter(({ skuId }) => skuIds.has(skuId))
        expect(part.pegs).toEqual(inPart(whole.pegs))
        expect(part.gaps).toEqual(inPart(whole.gaps))
        expect(part.skus).toEqual(inPart(whole.skus))
      }),
      runs,
    )
  })
})

/** How near each unit is, nearest first; smaller is nearer. */
function nearness({ groups }: DemandPlan): { units: number; value: number[] }[] {
  const states = ['reserved', 'to_assemble', 'on_live_job', 'to_print', 'blocked']
  return groups.map(({ state, units, expectedAtMs }) => {
    const isThere = state === 'reserved' || state === 'to_assemble'
    return { units, value: [states.indexOf(state), expectedAtMs ?? (isThere ? 0 : 1_000)] }
  })
}

/** Whether no unit is further than the one in its place was. */
function isNoWorse(now: DemandPlan, before: DemandPlan): boolean {
  const [a, b] = [nearness(now), nearness(before)]
  for (let i = 0, j = 0, left = a[0]?.units ?? 0, right = b[0]?.units ?? 0; i < a.length && j < b.length; ) {
    const [x, y] = [a[i]!.value, b[j]!.value]
    if (x[0]! > y[0]! || (x[0] === y[0] && x[1]! > y[1]!)) return false
    const step = Math.min(left, right)
    left -= step
    right -= step
    if (left === 0) left = a[++i]?.units ?? 0
    if (right === 0) right = b[++j]?.units ?? 0
  }
  return true
}

const firstChanged = (now: Plan, before: Plan) =>
  now.demands.findIndex((plan, index) => JSON.stringify(plan.groups) !== JSON.stringify(before.demands[index]!.groups))

const moreSupply = fc.oneof(
  fc.record({ id: fc.constantFrom('s0', 's1', 's2', 'k0', 'k1'), ready: fc.nat(6), needsAssembly: fc.nat(3) }).map(
    ({ id, ready, needsAssembly }) =>
      (facts: Facts): Facts => ({ ...facts, stock: [...facts.stock, stockOf(id, ready, needsAssembly)] }),
  ),
  fc.record({ id: fc.constantFrom('s0', 's1', 's2'), units: fc.nat(6), at: fc.constantFrom(null, 5, 15, 25) }).map(
    ({ id, units, at }) =>
      (facts: Facts): Facts => ({
        ...facts,
        outputs: [...facts.outputs, liveOutput('more', id, units, { expectedAtMs: at })],
      }),
  ),
  fc.nat(10).map(
    (units) =>
      (facts: Facts): Facts => ({
        ...facts,
        materials: facts.materials.map((each) => ({ ...each, units: each.units + units })),
      }),
  ),
)

describe('more supply', () => {
  // What is put together and printed as well waits for its job rather than being put together again.
  const ofOrders = anyFacts.map((facts) => ({
    ...facts,
    recipes: [...facts.recipes, recipeFact('of_s0', { s0: 1 })],
    pins: [],
    demands: facts.demands.filter(({ kind }) => kind === 'order_item'),
  }))

  test('never makes the first demand that it changes later or less covered', () => {
    fc.assert(
      fc.property(ofOrders, moreSupply, (facts, add) => {
        const [before, now] = [planUnits(facts), planUnits(add(facts))]
        const first = firstChanged(now, before)
        if (first >= 0) expect(isNoWorse(now.demands[first]!, before.demands[first]!)).toBe(true)
      }),
      { numRuns: 1_000 },
    )
  })

  test('makes no demand at all later or less covered where nothing is blocked', () => {
    fc.assert(
      fc.property(ofOrders, moreSupply, (facts, add) => {
        const before = planUnits(facts)
        fc.pre(before.demands.every(({ groups }) => groups.every(({ state }) => state !== 'blocked')))
        const now = planUnits(add(facts))
        for (const [index, plan] of before.demands.entries()) expect(isNoWorse(now.demands[index]!, plan)).toBe(true)
      }),
      { numRuns: 1_000 },
    )
  })
})
