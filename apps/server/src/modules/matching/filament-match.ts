import type { Catalogue, Equipment, FilamentNeed, FilamentPlace, PlateNeed } from './farm-facts.ts'

/** Colours that lie this far apart or less (CIEDE2000) are the same filament colour: `#000000` and `#1A1A1A` are, white and ivory not. */
const sameColorDistance = 6

/** `unknown`: too little is known of the place to tell. */
export type Fit = 'yes' | 'unknown' | 'no'

const hexForm = /^#?[0-9a-f]{6}$/i

/** The filaments of a plate, one by one where each comes from a place of its own that cannot be chosen. */
export function needsOn({ feeding }: Pick<Equipment, 'feeding'>, { filaments }: PlateNeed): readonly FilamentNeed[] {
  if (feeding !== 'fixed' || filaments.length === 1) return filaments
  return filaments.flatMap((need) => need.indexes.map((index) => ({ ...need, indexes: [index] })))
}

/** The places that a filament can come from, whatever is in them. */
export function placesFor(
  { feeding, places }: Equipment,
  need: FilamentNeed,
  isOnly: boolean,
): readonly FilamentPlace[] {
  if (feeding !== 'fixed') {
    const reaching = places.filter((place) => reachesTool(place, need))
    // A tool without a place is a rule of its own; the others then speak of what is loaded at all.
    return reaching.length > 0 ? reaching : places
  }
  const own = places.filter(({ slot }) => slot !== null && need.indexes.includes(slot))
  // A file with one filament is printed from the spool that was loaded last where its tool has none of its own.
  return own.length === 0 && isOnly ? places.filter(({ is_active }) => is_active) : own
}

/** True when the filament of a place gets to the tool that the G-code prints it with, as far as is known. */
export function reachesTool(place: FilamentPlace, need: FilamentNeed): boolean {
  return place.tool === null || need.tool === null || place.tool === need.tool
}

/** Answers whether the material is loaded there. */
export function typeFit(place: FilamentPlace, need: FilamentNeed): Fit {
  if (place.is_empty) return 'no'
  if (need.type === '' || isSameMaterial(need.type, place.type)) return 'yes'
  return place.type === '' ? 'unknown' : 'no'
}

/**
 * Answers whether the colour is loaded there: by name in any case, or by its value, where one of both is a value or a name that the
 * account's list of colours gives a value.
 */
export function colorFit(place: FilamentPlace, need: FilamentNeed, catalogue: Catalogue): Fit {
  if (place.is_empty) return 'no'
  if (need.color === '') return 'yes'
  const name = fold(need.color)
  if (place.color !== '' && name === fold(place.color)) return 'yes'
  if (place.color === '' && place.color_hex === '') return 'unknown'
  const [wanted, loaded] = [hexOf(need.color, catalogue), placeHex(place, catalogue)]
  if (wanted === undefined || loaded === undefined) return 'no'
  return catalogue.colorDistance(wanted, loaded) <= sameColorDistance ? 'yes' : 'no'
}

/** True when the spool there has enough left; what is not known is enough. */
export function gramsFit({ grams }: FilamentPlace, need: FilamentNeed): boolean {
  return grams === null || need.grams === null || need.grams <= grams
}

/** Type and colour together, the colour only where the job insists on it. */
export function filamentFit(place: FilamentPlace, need: FilamentNeed, insists: boolean, catalogue: Catalogue): Fit {
  const type = typeFit(place, need)
  if (type === 'no' || !insists) return type
  const color = colorFit(place, need, catalogue)
  return color === 'yes' ? type : color
}

/** True when just what the job names is loaded, the colour also where any will do. */
export function hasLoaded(equipment: Equipment, plate: PlateNeed, catalogue: Catalogue): boolean {
  const needs = needsOn(equipment, plate)
  return needs.every((need) =>
    placesFor(equipment, need, needs.length === 1).some((place) => filamentFit(place, need, true, catalogue) === 'yes'),
  )
}

/** Answers how well a place suits a filament that it fits: the smaller the better. */
export function unlikeness(place: FilamentPlace, need: FilamentNeed, catalogue: Catalogue): number {
  const [wanted, loaded] = [hexOf(need.color, catalogue), placeHex(place, catalogue)]
  const isNamed = place.color !== '' && fold(place.color) === fold(need.color)
  const distance = isNamed
    ? 0
    : wanted === undefined || loaded === undefined
      ? 50
      : catalogue.colorDistance(wanted, loaded)
  const isOtherPreset = need.preset_id !== '' && place.preset_id !== '' && need.preset_id !== place.preset_id
  // Another variant of the material weighs more than any colour; the place in use decides between equals.
  const type = { yes: 0, unknown: 10_000, no: 100_000 }[typeFit(place, need)]
  return type + (isOtherPreset ? 1_000 : 0) + distance + (place.is_active ? 0 : 0.001)
}

function isSameMaterial(a: string, b: string): boolean {
  return fold(a) === fold(b)
}

export function fold(text: string): string {
  return text.trim().toLowerCase()
}

function hexOf(color: string, { colorHexByName }: Catalogue): string | undefined {
  return hexForm.test(color.trim()) ? toHex(color.trim()) : colorHexByName.get(fold(color))
}

function placeHex({ color, color_hex }: FilamentPlace, catalogue: Catalogue): string | undefined {
  return color_hex === '' ? hexOf(color, catalogue) : toHex(color_hex)
}

function toHex(text: string): string {
  return `#${text.replace('#', '').toUpperCase()}`
}
