import type { PlannedRecipe } from './shop-plan.ts'

/**
 * The fewest plates that yield so many units, were all of the month known on its first day. A mixed plate makes two SKUs that
 * no other mixed plate makes.
 */
export function leastPlates(units: ReadonlyMap<string, number>, recipes: readonly PlannedRecipe[]): number {
  const largest = new Map<string, number>()
  const mixed: PlannedRecipe[] = []
  for (const recipe of recipes) {
    const [main, other] = recipe.outputs
    if (!main) continue
    if (other) mixed.push(recipe)
    else largest.set(main.code, Math.max(largest.get(main.code) ?? 0, main.units))
  }
  const alone = (code: string, made: number) =>
    Math.ceil(Math.max(0, (units.get(code) ?? 0) - made) / (largest.get(code) ?? 1))
  const isMixed = new Set(mixed.flatMap(({ outputs }) => outputs.map(({ code }) => code)))
  let plates = 0
  for (const code of units.keys()) if (!isMixed.has(code)) plates += alone(code, 0)
  for (const { outputs } of mixed) {
    const most = Math.max(...outputs.map(({ code, units: each }) => Math.ceil((units.get(code) ?? 0) / each)))
    const withMixed = Array.from(
      { length: most + 1 },
      (_, count) => count + outputs.reduce((sum, { code, units: each }) => sum + alone(code, count * each), 0),
    )
    plates += Math.min(...withMixed)
  }
  return plates
}
