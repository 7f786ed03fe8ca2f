import type { MaterialId, PrinterId } from '../../kernel/ids.ts'
import type { Catalogue, FilamentNeed, FilamentPlace, PlateNeed, PrinterFacts } from './farm-facts.ts'
import { filamentFit, gramsFit } from './filament-match.ts'

/** A spool of the farm, wherever it is. Texts are empty where nothing is known. */
export interface SpoolFacts {
  id: MaterialId
  type: string
  color: string
  color_hex: string
  brand: string
  /** Place in which it is kept. */
  location: string
  /** Amount left on it, less what prints that run have reserved and what is kept back. */
  grams: number
  /** The printer that it is loaded on. */
  printer: Pick<PrinterFacts, 'id' | 'name'> | null
}

/** A filament of a plate of which no spool that is loaded for it has enough. */
export interface Shortage {
  need: FilamentNeed & { grams: number }
  /** The fullest place of it. */
  place: FilamentPlace
  missing_grams: number
  /** The spool of the farm to load instead; null for none, undefined where spools were not looked at. */
  spool: SpoolFacts | null | undefined
}

/**
 * The spool of the farm that would do for a filament: of the material and colour, with enough on it. What lies on the shelf comes before
 * what another printer has, then the one with least on it, so that rests are used up.
 */
export function findSpool(
  spools: readonly SpoolFacts[],
  need: FilamentNeed,
  { any_color }: Pick<PlateNeed, 'any_color'>,
  catalogue: Catalogue,
  printerId: PrinterId,
): SpoolFacts | undefined {
  return spools
    .filter((spool) => {
      const place = placeOf(spool)
      return (
        spool.printer?.id !== printerId &&
        gramsFit(place, need) &&
        filamentFit(place, need, !any_color, catalogue) === 'yes'
      )
    })
    .sort(
      (a, b) => Number(a.printer !== null) - Number(b.printer !== null) || a.grams - b.grams || (a.id < b.id ? -1 : 1),
    )
    .at(0)
}

function placeOf({ type, color, color_hex, grams }: SpoolFacts): FilamentPlace {
  const unknown = { slot: null, name: '', preset_id: '', tool: null, is_empty: false, is_active: false }
  return { ...unknown, type, color, color_hex, grams, left_grams: grams }
}

/** For people: `The plate needs 12.35 g, 2.8 g are on the spool: 9.55 g are missing.`, and what would do. */
export function shortageText({ need, place, missing_grams, spool }: Shortage, isOnly: boolean): string {
  const what = isOnly ? '' : ` of ${[need.type, need.color].filter(Boolean).join(' ') || 'a filament'}`
  const { grams, left_grams } = place
  const there =
    left_grams === null || left_grams === grams
      ? `${grams} g are on the spool`
      : `${grams} g of the ${left_grams} g on the spool are free`
  const sentence = `The plate needs ${need.grams} g${what}, ${there}: ${missing_grams} g are missing.`
  if (spool === undefined) return sentence
  return `${sentence} ${spool === null ? 'No other spool of the farm has enough.' : spoolText(spool)}`
}

function spoolText({ type, color, color_hex, brand, location, grams, printer }: SpoolFacts): string {
  const name = [brand, type, color || color_hex].filter(Boolean).join(' ')
  const where = printer ? ` loaded on ${printer.name}` : location && ` kept at ${location}`
  return `The spool of ${name}${where} would do: ${grams} g are free on it.`
}
