import type { RecipeId, SkuId } from '../../../kernel/ids.ts'
import type { Output, RecipeFact } from './facts.ts'
import { compareText } from './order-of-service.ts'

/** Recipes of one SKU that make the same: one job can be printed by any of them, on whichever printers they are for. */
export interface Pattern {
  key: string
  /** What one plate yields; the first is what the recipes are for. */
  outputs: readonly Output[]
  /** The preferred one first. */
  recipeIds: RecipeId[]
  /** Time of a plate on the fastest. */
  plateSeconds: number
  rank: number
}

/** Longer than any plate: a time that is not known. */
const unknownSeconds = 1e9

/** For each SKU the patterns that make it. */
export type PatternBook = ReadonlyMap<SkuId, readonly Pattern[]>

/** The patterns that the farm can print, in a fixed order. */
export function patternsOf(recipes: readonly RecipeFact[]): PatternBook {
  const fitting = recipes.filter(({ unfitBecause }) => unfitBecause === null)
  const grouped = Map.groupBy(fitting, (recipe) => keyOf(mergeOutputs(recipe.outputs)))
  const patterns = [...grouped].map(([key, alike]) => {
    alike.sort((a, b) => a.rank - b.rank || secondsOf(a) - secondsOf(b) || compareText(a.id, b.id))
    return {
      key,
      outputs: mergeOutputs(alike[0]!.outputs),
      recipeIds: alike.map(({ id }) => id),
      plateSeconds: Math.min(...alike.map(secondsOf)),
      rank: alike[0]!.rank,
    }
  })
  const book = new Map<SkuId, Pattern[]>()
  for (const pattern of patterns.sort(comparePatterns)) {
    for (const { skuId } of pattern.outputs) {
      const known = book.get(skuId)
      if (known) known.push(pattern)
      else book.set(skuId, [pattern])
    }
  }
  return book
}

/** All patterns that make any of these, in the fixed order. */
export function patternsFor(skuIds: Iterable<SkuId>, book: PatternBook): Pattern[] {
  const found = new Set<Pattern>()
  for (const skuId of skuIds) for (const pattern of book.get(skuId) ?? []) found.add(pattern)
  return [...found].sort(comparePatterns)
}

export function unitsOf(pattern: Pattern, skuId: SkuId): number {
  return pattern.outputs.find((output) => output.skuId === skuId)?.units ?? 0
}

function comparePatterns(a: Pattern, b: Pattern): number {
  return a.rank - b.rank || compareText(a.recipeIds[0]!, b.recipeIds[0]!)
}

function secondsOf({ plateSeconds }: RecipeFact): number {
  return plateSeconds ?? unknownSeconds
}

function mergeOutputs(outputs: readonly Output[]): Output[] {
  const units = new Map<SkuId, number>()
  for (const output of outputs) {
    if (output.units >= 1) units.set(output.skuId, (units.get(output.skuId) ?? 0) + output.units)
  }
  return [...units].map(([skuId, units]) => ({ skuId, units }))
}

/** A job is of the SKU that its recipe is for: what makes the same for another SKU cannot print it. */
function keyOf([main, ...others]: readonly Output[]): string {
  return [main, ...others.sort((a, b) => compareText(a.skuId, b.skuId))]
    .map((output) => `${output?.skuId}:${output?.units}`)
    .join(' ')
}
