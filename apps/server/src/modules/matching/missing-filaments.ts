import type { Catalogue, Equipment, FilamentNeed, PlateNeed } from './farm-facts.ts'
import { filamentFit, gramsFit, needsOn, placesFor } from './filament-match.ts'

/** The filaments of a plate that have no place with enough of them; all where each has one, but not all at once. */
export function missingFilaments(
  equipment: Equipment,
  plate: PlateNeed,
  catalogue: Catalogue,
): readonly FilamentNeed[] {
  const needs = needsOn(equipment, plate)
  const missing = needs.filter((need) => !hasPlaceFor(equipment, plate, need, catalogue))
  return missing.length > 0 ? missing : needs
}

/** True when a filament of the plate is known to be loaded, with as much as is needed. */
export function hasPlaceFor(equipment: Equipment, plate: PlateNeed, need: FilamentNeed, catalogue: Catalogue): boolean {
  return placesFor(equipment, need, plate.filaments.length === 1).some(
    (place) => filamentFit(place, need, !plate.any_color, catalogue) === 'yes' && gramsFit(place, need),
  )
}

/** For people: `PETG Blue and PLA White`. */
export function filamentsText(needs: readonly FilamentNeed[], { any_color }: Pick<PlateNeed, 'any_color'>): string {
  const names = needs.map(
    ({ type, color }) => [type, any_color ? '' : color].filter(Boolean).join(' ') || 'a fuller spool',
  )
  return [...new Set(names)].join(' and ')
}
