import type { Catalogue, Equipment, FilamentNeed, FilamentPlace, PlateNeed } from './farm-facts.ts'
import { filamentFit, gramsFit, needsOn, placesFor } from './filament-match.ts'
import { findSpool, type Shortage } from './spools.ts'

/** A filament of a plate with the places that hold it, none of which has enough. */
interface ShortNeed {
  need: FilamentNeed & { grams: number }
  holding: readonly FilamentPlace[]
  /** True when no place can have enough, whatever is in those of which it is not known. */
  isCertain: boolean
}

/** The filaments of a plate of which no place has enough. What is not known of a place is enough. */
export function shortNeeds(equipment: Equipment, plate: PlateNeed, catalogue: Catalogue): ShortNeed[] {
  const needs = needsOn(equipment, plate)
  return needs.flatMap((need): ShortNeed[] => {
    const all = placesFor(equipment, need, needs.length === 1)
    if (!isWeighed(need) || all.every(({ grams }) => grams === null)) return []
    const fitOf = (place: FilamentPlace) => filamentFit(place, need, !plate.any_color, catalogue)
    const places = all.filter((place) => fitOf(place) !== 'no')
    const certain = places.filter((place) => fitOf(place) === 'yes')
    const holding = certain.length > 0 ? certain : places
    if (holding.length === 0 || holding.some((place) => gramsFit(place, need))) return []
    return [{ need, holding, isCertain: !places.some((place) => gramsFit(place, need)) }]
  })
}

const isWeighed = (need: FilamentNeed): need is FilamentNeed & { grams: number } => need.grams !== null

/** Answers how much is missing of it at its fullest place, and which spool would do. */
export function shortageOf(
  { need, holding }: ShortNeed,
  equipment: Equipment,
  plate: PlateNeed,
  catalogue: Catalogue,
): Shortage {
  const place = holding.reduce((fullest, each) => ((each.grams ?? 0) > (fullest.grams ?? 0) ? each : fullest))
  const { spools } = catalogue
  return {
    need,
    place,
    missing_grams: Math.round((need.grams - (place.grams ?? 0)) * 1_000) / 1_000,
    spool: spools === null ? undefined : (findSpool(spools, need, plate, catalogue, equipment.id) ?? null),
  }
}
