import { describe, expect, test } from 'vitest'
import {
  bomFact,
  linksOf,
  liveOutput,
  materialOf,
  orderDemand,
  planFacts,
  recipeFact,
  restockDemand,
  sku,
  stockOf,
} from '../../../test/farm/plan-facts.ts'
import type { Facts } from './facts.ts'
import { planUnits } from './net.ts'
import { produce } from './produce.ts'
import { factsOf, relatedSkus } from './related-skus.ts'

const printed = 1_700
const kits = 300
const openItems = 20_000

/** The same farm at each run: a linear congruential generator, whose numbers are random enough to spread units. */
function createDraw() {
  let state = 1
  return (below: number) => {
    state = (state * 48_271) % 2_147_483_647
    return state % below
  }
}

/** Ten kits and 56 SKUs are a family, as those of a shop are: kits have three parts, and sometimes another kit, of their own. */
function largeFarm(): Facts {
  const draw = createDraw()
  const partOf = (kit: number) => `s${Math.floor(kit / 10) * 56 + draw(56)}`
  const boms = Array.from({ length: kits }, (_, kit) => {
    const parts = { [partOf(kit)]: 1 + draw(3), [partOf(kit)]: 1 + draw(3), [partOf(kit)]: 1 }
    return bomFact(
      `k${kit}`,
      kit % 10 > 6 ? { ...parts, [`k${kit - 5}`]: 1 } : parts,
      { [`m${kit % 20}`]: 4 },
      { box: 1 },
    )
  })
  const skuIds = [...Array.from({ length: printed }, (_, id) => `s${id}`), ...boms.map(({ skuId }) => skuId as string)]
  const recipes = Array.from({ length: printed }, (_, id) => [
    recipeFact(`one${id}`, { [`s${id}`]: 1 }, { plateSeconds: 1_800 }),
    recipeFact(`many${id}`, { [`s${id}`]: 6 + draw(10) }, { plateSeconds: 9_000 }),
    ...(id % 8 === 0 ? [recipeFact(`mix${id}`, { [`s${id}`]: 3, [`s${id + 1}`]: 3 })] : []),
  ]).flat()
  const demands = Array.from({ length: openItems }, (_, index) =>
    orderDemand(`i${index}`, skuIds[draw(skuIds.length)]!, 1 + draw(5), {
      shipByMs: draw(30) * 86_400_000,
      priority: draw(3),
      orderedAtMs: index,
      isDedicated: draw(20) === 0,
    }),
  )
  return planFacts({
    demands: [...demands, ...skuIds.slice(0, 200).map((id) => restockDemand(id, 20, 5))],
    stock: skuIds.map((id) => stockOf(id, draw(20), draw(3))),
    outputs: Array.from({ length: 3_000 }, (_, job) =>
      liveOutput(`j${job}`, `s${draw(printed)}`, 1 + draw(12), { expectedAtMs: draw(1_000), isQueued: draw(2) === 0 }),
    ),
    recipes,
    boms,
    materials: [...Array.from({ length: 20 }, (_, id) => materialOf(`m${id}`, 100_000)), materialOf('box', 1_000)],
  })
}

/** Milliseconds of processor time that the best of a few runs takes; what else the machine does is not counted. */
function cpuMs(run: () => unknown): number {
  const times = Array.from({ length: 3 }, () => {
    const before = process.cpuUsage()
    run()
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1_000
  })
  return Math.min(...times)
}

describe('20,000 open items over 2,000 SKUs, 300 of them kits', { timeout: 60_000 }, () => {
  const facts = largeFarm()

  test('are planned in less than two seconds', () => {
    const ms = cpuMs(() => planUnits(facts))
    console.log(`whole plan: ${ms.toFixed(0)} ms`)
    expect(ms).toBeLessThan(2_000)
  })

  test('are produced in less than two seconds', () => {
    const plan = planUnits(facts)
    const ms = cpuMs(() => produce(plan, facts))
    console.log(`produce: ${ms.toFixed(0)} ms`)
    expect(ms).toBeLessThan(2_000)
  })

  test('after a change of one SKU only those connected with it are planned, in less than 50 ms', () => {
    const skuIds = relatedSkus([sku('k7')], linksOf(facts))
    const part = factsOf(facts, skuIds)
    const ms = cpuMs(() => planUnits(part))
    console.log(`plan of ${skuIds.size} connected SKUs with ${part.demands.length} demands: ${ms.toFixed(1)} ms`)
    console.log(`finding them: ${cpuMs(() => relatedSkus([sku('k7')], linksOf(facts))).toFixed(1)} ms`)
    expect(skuIds.size).toBeGreaterThan(5)
    expect(ms).toBeLessThan(50)
  })
})
