import type { SkuId } from '../../../kernel/ids.ts'
import { compareCosts, type PackingCost, packOneSku } from './pack-one-sku.ts'
import { type Pattern, unitsOf } from './patterns.ts'

/** Combinations of mixed plates that are looked at for SKUs that share plates. */
const mostTries = 2_000

/** Number of plates of each mixed pattern. */
type Choice = readonly number[]

/**
 * Plates for SKUs that share some. It chooses how many plates of each mixed pattern to print; what these leave of each SKU
 * is packed exactly. When there are no more than `mostTries` choices all are tried, and the best is found. Otherwise it starts
 * without mixed plates and changes one pattern at a time as long as that is better: never worse than without mixing.
 */
export function packMixed(needs: ReadonlyMap<SkuId, number>, patterns: readonly Pattern[]): Map<Pattern, number> {
  const mixed = patterns.filter(({ outputs }) => outputs.length > 1)
  const packer = createPacker(needs, mixed, patterns)
  const most = mixed.map((pattern) => Math.max(0, ...platesToCover(needs, pattern)))
  const choices = most.reduce((product, count) => product * (count + 1), 1)
  const found = choices <= mostTries ? tryAll(packer, most) : improve(packer, needs, mixed)
  return packer.platesOf(coverAll(found, needs, mixed, patterns))
}

interface Packer {
  costOf(choice: Choice): PackingCost
  platesOf(choice: Choice): Map<Pattern, number>
}

function createPacker(
  needs: ReadonlyMap<SkuId, number>,
  mixed: readonly Pattern[],
  patterns: readonly Pattern[],
): Packer {
  const lines = [...needs].map(([skuId, units]) => {
    const single = patterns.filter(({ outputs }) => outputs.length === 1 && outputs[0]!.skuId === skuId)
    const batches = single.map((pattern) => ({ ...pattern, pattern, units: unitsOf(pattern, skuId) }))
    const packings = new Map<number, ReturnType<typeof packOneSku<(typeof batches)[number]>>>()
    const pack = (left: number) => {
      const packing = packings.get(left) ?? packOneSku(left, batches)
      packings.set(left, packing)
      return packing
    }
    const madeBy = mixed
      .map((pattern, index) => ({ index, units: unitsOf(pattern, skuId) }))
      .filter((made) => made.units > 0)
    return { units, madeBy, pack }
  })
  const madeOf = (madeBy: readonly { index: number; units: number }[], choice: Choice) =>
    madeBy.reduce((sum, { index, units }) => sum + units * choice[index]!, 0)
  // What a mixed plate yields of SKUs that are not wanted at all.
  const unwanted = mixed.map(({ outputs }) =>
    outputs.reduce((sum, { skuId, units }) => sum + (needs.has(skuId) ? 0 : units), 0),
  )

  return {
    costOf(choice) {
      const cost = { uncovered: 0, plates: 0, surplus: 0, seconds: 0, rank: 0 }
      mixed.forEach(({ plateSeconds, rank }, index) => {
        const count = choice[index]!
        cost.plates += count
        cost.surplus += count * unwanted[index]!
        cost.seconds += count * plateSeconds
        cost.rank += count * rank
      })
      for (const { units, madeBy, pack } of lines) {
        const made = madeOf(madeBy, choice)
        cost.surplus += Math.max(0, made - units)
        addCost(cost, pack(Math.max(0, units - made)).cost)
      }
      return cost
    },
    platesOf(choice) {
      const plates = new Map<Pattern, number>()
      mixed.forEach((pattern, index) => {
        if (choice[index]! > 0) plates.set(pattern, choice[index]!)
      })
      for (const { units, madeBy, pack } of lines) {
        const packing = pack(Math.max(0, units - madeOf(madeBy, choice)))
        for (const { batch, count } of packing.plates) plates.set(batch.pattern, count)
      }
      return plates
    },
  }
}

function addCost(cost: PackingCost, more: PackingCost): void {
  cost.uncovered += more.uncovered
  cost.plates += more.plates
  cost.surplus += more.surplus
  cost.seconds += more.seconds
  cost.rank += more.rank
}

/** Answers how many plates each wanted SKU of a pattern would take, if they made all of it. */
function platesToCover(needs: ReadonlyMap<SkuId, number>, { outputs }: Pattern): number[] {
  return outputs.map(({ skuId, units }) => Math.ceil((needs.get(skuId) ?? 0) / units))
}

function tryAll(packer: Packer, most: readonly number[]): Choice {
  let choice: Choice = most.map(() => 0)
  let best: Tried = { choice, cost: packer.costOf(choice) }
  for (;;) {
    const index = choice.findIndex((count, each) => count < most[each]!)
    if (index < 0) return best.choice
    choice = choice.map((count, each) => (each < index ? 0 : each === index ? count + 1 : count))
    best = better(best, choice, packer)
  }
}

function improve(packer: Packer, needs: ReadonlyMap<SkuId, number>, mixed: readonly Pattern[]): Choice {
  const none = mixed.map(() => 0)
  let best: Tried = { choice: none, cost: packer.costOf(none) }
  let tries = 0
  for (let wasBetter = true; wasBetter; ) {
    wasBetter = false
    for (const index of mixed.keys()) {
      for (const count of countsToTry(best.choice, index, needs, mixed)) {
        if (tries >= mostTries) return best.choice
        tries += 1
        const next = better(best, best.choice.with(index, count), packer)
        wasBetter ||= next !== best
        best = next
      }
    }
  }
  return best.choice
}

interface Tried {
  choice: Choice
  cost: PackingCost
}

function better(best: Tried, choice: Choice, packer: Packer): Tried {
  const cost = packer.costOf(choice)
  return compareCosts(cost, best.cost) < 0 ? { choice, cost } : best
}

/** Counts at which something changes: one of the SKUs is just covered, or just not, or one plate more or less. */
function countsToTry(
  choice: Choice,
  index: number,
  needs: ReadonlyMap<SkuId, number>,
  mixed: readonly Pattern[],
): number[] {
  const now = choice[index]!
  const left = leftOf(choice.with(index, 0), needs, mixed)
  const covering = platesToCover(left, mixed[index]!).flatMap((count) => [count, count - 1])
  return [...new Set([...covering, now + 1, now - 1])].filter((count) => count >= 0 && count !== now)
}

function leftOf(choice: Choice, needs: ReadonlyMap<SkuId, number>, mixed: readonly Pattern[]): Map<SkuId, number> {
  const left = new Map(needs)
  mixed.forEach(({ outputs }, index) => {
    for (const { skuId, units } of outputs) {
      if (left.has(skuId)) left.set(skuId, Math.max(0, left.get(skuId)! - units * choice[index]!))
    }
  })
  return left
}

/** Adds plates for SKUs that only mixed plates make and that a search which ended early has left uncovered. */
function coverAll(
  choice: Choice,
  needs: ReadonlyMap<SkuId, number>,
  mixed: readonly Pattern[],
  patterns: readonly Pattern[],
): Choice {
  let covering = choice
  for (const skuId of needs.keys()) {
    if (patterns.some(({ outputs }) => outputs.length === 1 && outputs[0]!.skuId === skuId)) continue
    const index = mixed.findIndex((pattern) => unitsOf(pattern, skuId) > 0)
    const left = leftOf(covering, needs, mixed).get(skuId)!
    if (index < 0 || left === 0) continue
    covering = covering.with(index, covering[index]! + Math.ceil(left / unitsOf(mixed[index]!, skuId)))
  }
  return covering
}
