import type { PrintFile } from '../../../lib/api/api-schema.generated.ts'

/**
 * Units that one plate of a file yields, as far as the file says: what was entered for it, else the objects that its slicer
 * named, less what the plate also makes.
 */
export function suggestUnits(
  { number_of_units, object_count }: Pick<PrintFile, 'number_of_units' | 'object_count'>,
  alsoMade: number,
): number {
  const all = number_of_units > 1 ? number_of_units : (object_count ?? 1)
  return Math.max(1, all - alsoMade)
}
