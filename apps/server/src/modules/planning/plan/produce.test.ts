import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  anyFacts,
  bomFact,
  item,
  liveOutput,
  orderDemand,
  planFacts,
  recipeFact,
  restockDemand,
  sku,
  stockOf,
} from '../../../test/farm/plan-facts.ts'
import { afterProducing } from './after-producing.ts'
import type { DemandId, Facts } from './facts.ts'
import { planUnits } from './net.ts'
import { produce, type Scope } from './produce.ts'
import type { NewJob } from './production.ts'
import { findUnwanted } from './unwanted.ts'

const produceFor = (facts: Partial<Facts>, scope: Scope = 'all') => {
  const whole = planFacts(facts)
  return produce(planUnits(whole), whole, scope)
}
const tell = ({ plates, recipeIds, dueMs, serves, surplus }: NewJob) => {
  const served = serves.map(({ demandId, skuId, units }) => `${demandId} ${units} ${skuId}`).join(', ')
  const over = surplus.map(({ skuId, units }) => ` +${units} ${skuId}`).join('')
  return `${plates} of ${recipeIds.join('|')}${dueMs === null ? '' : ` by ${dueMs}`}: ${served}${over}`
}

describe('jobs', () => {
  test('are one for recipes that make the same, the preferred one first', () => {
    const recipes = [
      recipeFact('mk4', { s: 4 }, { rank: 1 }),
      recipeFact('p1s', { s: 4 }),
      recipeFact('old', { s: 4 }, { unfitBecause: 'no such printer' }),
    ]
    const { jobs } = produceFor({ demands: [orderDemand('a', 's', 7)], recipes })
    expect(jobs.map(tell)).toEqual(['2 of p1s|mk4: a 7 s +1 s'])
  })

  test('are apart for recipes of two SKUs whose plates yield the same', () => {
    const recipes = [
      recipeFact('for-s', { s: 1, u: 1 }),
      recipeFact('for-u', { u: 1, s: 1 }),
      recipeFact('too', { s: 1, u: 1 }),
    ]
    const { jobs } = produceFor({ demands: [orderDemand('a', 's', 2), orderDemand('b', 'u', 2)], recipes })
    expect(jobs.map(tell)).toEqual(['2 of for-s|too: a 2 s, b 2 u'])
  })

  test('have plates that orders share', () => {
    const demands = [orderDemand('a', 's', 3), orderDemand('b', 's', 4), orderDemand('c', 's', 3)]
    const { jobs } = produceFor({ demands, recipes: [recipeFact('r', { s: 5 })] })
    expect(jobs.map(tell)).toEqual(['2 of r: a 3 s, b 4 s, c 3 s'])
  })

  test('are split by when they are due, and the first has no more plates than it needs', () => {
    const demands = [
      orderDemand('a', 's', 11, { shipByMs: 10 }),
      orderDemand('b', 's', 23, { shipByMs: 20 }),
      orderDemand('c', 's', 1),
    ]
    const recipes = [recipeFact('r10', { s: 10 }), recipeFact('r1', { s: 1 }), recipeFact('r5', { s: 5 })]
    const { jobs } = produceFor({ demands, recipes })
    expect(jobs.map(tell)).toEqual([
      '1 of r10 by 10: a 10 s',
      '1 of r5 by 10: a 1 s, b 4 s',
      '2 of r10 by 20: b 19 s, c 1 s',
    ])
  })

  test('of personalised items share no plate, not even with the rest of their order', () => {
    const demands = ['a', 'b', 'c'].map((id) => orderDemand(id, 's', 2, { isDedicated: id !== 'c' }))
    const { jobs } = produceFor({ demands, recipes: [recipeFact('r', { s: 4 })] })
    expect(jobs.map((job) => `${job.dedicatedTo} ${tell(job)}`)).toEqual([
      'a 1 of r: a 2 s +2 s',
      'b 1 of r: b 2 s +2 s',
      'null 1 of r: c 2 s +2 s',
    ])
  })

  test('with mixed plates serve several SKUs', () => {
    const demands = [orderDemand('a', 's', 2, { priority: 2 }), orderDemand('b', 't', 3)]
    const recipes = [recipeFact('s', { s: 4 }), recipeFact('t', { t: 4 }), recipeFact('mix', { s: 3, t: 3 })]
    const { jobs } = produceFor({ demands, recipes })
    expect(jobs.map(tell)).toEqual(['1 of mix: a 2 s, b 3 t +1 s'])
    expect(jobs[0]).toMatchObject({ priority: 2, isRestock: false })
  })

  test('for the shelf are jobs of their own, less what is left over of orders', () => {
    const demands = [orderDemand('a', 's', 3, { shipByMs: 10 }), restockDemand('s', 8)]
    const { jobs } = produceFor({ demands, recipes: [recipeFact('r', { s: 5 })] })
    expect(jobs.map((job) => `${job.isRestock} ${tell(job)}`)).toEqual([
      'false 1 of r by 10: a 3 s +2 s',
      'true 2 of r: s 6 s +4 s',
    ])
  })

  test('for one order also print what goes to earlier orders, which would take its units otherwise', () => {
    const demands = [
      orderDemand('a', 's', 3, { shipByMs: 10 }),
      orderDemand('b', 's', 2, { shipByMs: 20 }),
      orderDemand('c', 's', 9, { shipByMs: 30 }),
      orderDemand('d', 't', 9, { shipByMs: 10 }),
    ]
    const { jobs } = produceFor(
      { demands, recipes: [recipeFact('s', { s: 1 }), recipeFact('t', { t: 1 })] },
      new Set([item('b')]),
    )
    expect(jobs.map(tell)).toEqual(['3 of s by 10: a 3 s', '2 of s by 20: b 2 s'])
  })

  test('for a million units are as quick as for few', () => {
    const demands = [orderDemand('a', 's', 999_999), orderDemand('b', 't', 1_000_000)]
    const recipes = [recipeFact('s', { s: 7 }), recipeFact('mix', { s: 2, t: 3 }), recipeFact('t', { t: 4 })]
    const { jobs } = produceFor({ demands, recipes })
    expect(jobs.reduce((sum, { plates }) => sum + plates, 0)).toBeLessThanOrEqual(142_858 + 250_000)
  })
})

describe('kits', () => {
  test('get one assembly task for each line and sub-kit, and parts on plates that are shared', () => {
    const boms = [bomFact('lamp', { foot: 1, arm: 2 }), bomFact('arm', { rod: 2 })]
    const recipes = [recipeFact('foot', { foot: 6 }), recipeFact('rod', { rod: 8 })]
    const demands = [orderDemand('a', 'lamp', 2), orderDemand('b', 'arm', 1), restockDemand('arm', 1)]
    const { jobs, assemblyTasks } = produceFor({ demands, boms, recipes })
    expect(jobs.map(tell)).toEqual(['1 of foot: a 2 foot +4 foot', '2 of rod: a 8 rod, b 2 rod +6 rod'])
    expect(assemblyTasks).toEqual([
      { demandId: 'a', orderItemId: 'a', skuId: 'lamp', units: 2 },
      { demandId: 'a', orderItemId: 'a', skuId: 'arm', units: 4 },
      { demandId: 'b', orderItemId: 'b', skuId: 'arm', units: 1 },
      { demandId: 'arm', orderItemId: null, skuId: 'arm', units: 1 },
    ])
  })

  test('that are blocked in part are produced in part, and say why', () => {
    const boms = [bomFact('lamp', { foot: 1, bulb: 1 })]
    const demands = [orderDemand('a', 'lamp', 3)]
    const { jobs, assemblyTasks, blocked } = produceFor({
      demands,
      boms,
      stock: [stockOf('bulb', 1)],
      recipes: [recipeFact('foot', { foot: 1 })],
    })
    expect(jobs.map(tell)).toEqual(['1 of foot: a 1 foot'])
    expect(assemblyTasks).toMatchObject([{ units: 1 }])
    expect(blocked).toEqual([
      { demandId: 'a', units: 2, blockers: [{ reason: 'no_recipe', skuId: sku('bulb'), materialId: null }] },
    ])
  })
})

/** Without inactive SKUs that a mixed plate yields anyway: what these unblock is produced beyond the gaps of the first plan. */
const farms = anyFacts.map((facts) => {
  const printed = new Set(facts.recipes.flatMap(({ outputs }) => outputs.map(({ skuId }) => skuId)))
  return { ...facts, blockedSkus: facts.blockedSkus.filter(({ skuId }) => !printed.has(skuId)) }
})
const scopes = fc.option(fc.subarray(['i0', 'i1', 'i2', 'i3', 's0', 'k0', 'k1']), { freq: 3, nil: undefined })
const scopeOf = (ids: string[] | undefined): Scope => (ids ? (new Set(ids) as Set<DemandId>) : 'all')

test('what a mixed plate yields of an inactive SKU unblocks an order, whose rest is produced at once', () => {
  const { jobs, blocked } = produceFor({
    demands: [orderDemand('a', 'lamp', 2, { shipByMs: 10 }), orderDemand('b', 's', 1, { shipByMs: 20 })],
    boms: [bomFact('lamp', { old: 1, foot: 1 })],
    recipes: [recipeFact('mix', { s: 1, old: 1 }), recipeFact('foot', { foot: 1 })],
    blockedSkus: [{ skuId: sku('old'), reason: 'sku_inactive' }],
  })
  expect(jobs.map(tell)).toEqual(['1 of mix by 20: b 1 s +1 old', '1 of foot by 10: a 1 foot'])
  expect(blocked).toMatchObject([{ demandId: 'a', units: 1 }])
})

describe('for any facts', () => {
  test('after producing there is no gap left of what was asked for, and producing again makes nothing', () => {
    fc.assert(
      fc.property(anyFacts, scopes, (facts, ids) => {
        const scope = scopeOf(ids)
        const after = afterProducing(facts, produce(planUnits(facts), facts, scope), 99)
        const plan = planUnits(after)
        expect(plan.gaps.filter(({ demandId }) => scope === 'all' || scope.has(demandId))).toEqual([])
        const again = produce(plan, after, scope)
        expect([again.jobs, again.assemblyTasks]).toEqual([[], []])
      }),
      { numRuns: 1_000 },
    )
  })

  test('what was produced is wanted', () => {
    fc.assert(
      fc.property(anyFacts, scopes, (facts, ids) => {
        const production = produce(planUnits(facts), facts, scopeOf(ids))
        const after = afterProducing(facts, production, 99)
        const { jobIds, assemblyTaskIds } = findUnwanted(planUnits(after), after)
        expect([...jobIds, ...assemblyTaskIds].filter((id) => id.includes('_supposed_'))).toEqual([])
      }),
      { numRuns: 500 },
    )
  })

  test('each gap that is asked for is served in full, and plates yield what is served and the surplus', () => {
    fc.assert(
      fc.property(farms, (facts) => {
        const plan = planUnits(facts)
        const { jobs } = produce(plan, facts)
        const served = new Map<string, number>()
        const surplus = new Map<string, number>()
        for (const job of jobs) {
          const given = new Map<string, number>()
          const add = (sums: Map<string, number>, key: string, units: number) =>
            sums.set(key, (sums.get(key) ?? 0) + units)
          for (const { demandId, skuId, units } of job.serves) {
            add(served, `${demandId} ${skuId}`, units)
            add(given, skuId, units)
          }
          for (const { skuId, units } of job.surplus) {
            add(given, skuId, units)
            if (job.dedicatedTo === null) add(surplus, skuId, units)
          }
          expect(given).toEqual(
            new Map(
              job.outputs
                .map(({ skuId, units }) => [skuId, units * job.plates] as const)
                .filter(([id]) => given.has(id)),
            ),
          )
          expect(given.size).toBe(job.outputs.length)
        }
        for (const { demandId, skuId, make, units } of plan.gaps) {
          if (make !== 'print') continue
          const missing = units - (served.get(`${demandId} ${skuId}`) ?? 0)
          const isRestock = facts.demands.find(({ id }) => id === demandId)!.kind === 'restock'
          expect(missing).toBeGreaterThanOrEqual(0)
          if (isRestock) expect(missing).toBeLessThanOrEqual(surplus.get(skuId) ?? 0)
          else expect(missing).toBe(0)
        }
      }),
      { numRuns: 500 },
    )
  })

  test('no plate is due later than a demand that it serves', () => {
    fc.assert(
      fc.property(farms, (facts) => {
        const shipBy = new Map(
          facts.demands.map((demand) => [demand.id, demand.kind === 'restock' ? null : demand.shipByMs]),
        )
        for (const { dueMs, serves } of produce(planUnits(facts), facts).jobs) {
          const dates = serves.map(({ demandId }) => shipBy.get(demandId) ?? Number.POSITIVE_INFINITY)
          expect(dueMs ?? Number.POSITIVE_INFINITY).toBe(Math.min(...dates))
        }
      }),
      { numRuns: 500 },
    )
  })
})

describe('unwanted', () => {
  test('is what is queued and no one waits for; what runs is left to finish', () => {
    const outputs = [
      liveOutput('queued', 's', 4, { isQueued: true }),
      liveOutput('running', 's', 4),
      liveOutput('mixed', 's', 4, { isQueued: true }),
      liveOutput('mixed', 't', 4, { isQueued: true }),
    ]
    const facts = planFacts({ demands: [orderDemand('a', 's', 3), orderDemand('b', 't', 1)], outputs })
    expect(findUnwanted(planUnits(facts), facts).jobIds).toEqual(['queued'])
  })
})
