import type { Catalogue, FilamentNeed, FilamentPlace } from '../../matching/farm-facts.ts'
import { colorFit, filamentFit, fold } from '../../matching/filament-match.ts'

/** A filament that plates which are not printed yet take. */
export interface FilamentWanted {
  type: string
  color: string
  /** Any colour of the material will do. */
  any_color: boolean
  plates: number
  /** Milligrams that one of these plates takes of it; null where no one said. */
  plate_milligrams: number | null
}

/** A spool, in milligrams. */
export interface SpoolOnHand {
  type: string
  color: string
  color_hex: string
  remaining: number
  /** Less what is kept back on it. */
  usable: number
  /** What prints and people took of it on a day, lately. */
  daily_use: number
}

/** Needed against what is there, of one material and colour, in milligrams. */
export interface FilamentForecast {
  type: string
  /** Empty in the row for plates that any colour of the material will do for. */
  color: string
  any_color: boolean
  plates: number
  /** Those of the plates of which it is not known what they take; they are in no other figure. */
  plates_without_weight: number
  needed: number
  on_hand: number
  usable: number
  to_buy: number
  daily_use: number
}

/**
 * Answers what plates that are not printed yet take, against the spools: a row for each material and colour that is needed or there, and one for each
 * material of which any colour will do, against what the others leave. A spool counts once.
 */
export function forecastFilament(
  wanted: readonly FilamentWanted[],
  spools: readonly SpoolOnHand[],
  catalogue: Catalogue,
): FilamentForecast[] {
  const colored: FilamentForecast[] = []
  const anyColor: FilamentForecast[] = []
  for (const wish of wanted) {
    const isAny = wish.any_color || wish.color === ''
    const row = isAny
      ? anyColor.find(({ type }) => fold(type) === fold(wish.type))
      : colored.find((each) => isSame(each, wish, catalogue))
    addWish(row ?? start(isAny ? anyColor : colored, wish, isAny), wish)
  }
  const others: FilamentForecast[] = []
  for (const spool of spools) {
    const row =
      colored.find(({ type, color }) => isFor(spool, { type, color }, catalogue)) ??
      others.find(({ type, color }) => fold(type) === fold(spool.type) && fold(color) === fold(nameOf(spool))) ??
      start(others, { type: spool.type, color: nameOf(spool) }, false)
    row.on_hand += spool.remaining
    row.usable += spool.usable
    row.daily_use += spool.daily_use
  }
  for (const row of colored) row.to_buy = Math.max(0, row.needed - row.usable)
  const left = new Map([...colored, ...others].map((row) => [row, Math.max(0, row.usable - row.needed)]))
  // What only names a material takes its share before what takes any.
  for (const row of anyColor.toSorted((a, b) => Number(a.type === '') - Number(b.type === ''))) {
    let missing = row.needed
    for (const [from, amount] of left) {
      if (row.type !== '' && fold(from.type) !== fold(row.type)) continue
      const taken = Math.min(amount, missing)
      row.on_hand += amount
      row.usable += amount
      left.set(from, amount - taken)
      missing -= taken
    }
    row.to_buy = missing
  }
  return [...colored, ...anyColor, ...others].sort(
    (a, b) => b.to_buy - a.to_buy || b.needed - a.needed || compare(a.type, b.type) || compare(a.color, b.color),
  )
}

function start(
  rows: FilamentForecast[],
  { type, color }: Pick<FilamentWanted, 'type' | 'color'>,
  any_color: boolean,
): FilamentForecast {
  const nothing = { plates: 0, plates_without_weight: 0, needed: 0, on_hand: 0, usable: 0, to_buy: 0, daily_use: 0 }
  const row = { type, color: any_color ? '' : color, any_color, ...nothing }
  rows.push(row)
  return row
}

function addWish(row: FilamentForecast, { plates, plate_milligrams }: FilamentWanted): void {
  row.plates += plates
  if (plate_milligrams === null) row.plates_without_weight += plates
  else row.needed += plates * plate_milligrams
}

const nameOf = ({ color, color_hex }: Pick<SpoolOnHand, 'color' | 'color_hex'>) => color || color_hex

function isSame(row: FilamentForecast, { type, color }: FilamentWanted, catalogue: Catalogue): boolean {
  return fold(row.type) === fold(type) && colorFit(placeOf(row), needOf({ type, color }), catalogue) === 'yes'
}

function isFor(spool: SpoolOnHand, wish: { type: string; color: string }, catalogue: Catalogue): boolean {
  return filamentFit(placeOf(spool), needOf(wish), true, catalogue) === 'yes'
}

function needOf({ type, color }: { type: string; color: string }): FilamentNeed {
  return { indexes: [0], type, color, preset_id: '', tool: null, grams: null }
}

function placeOf({ type, color, color_hex = '' }: { type: string; color: string; color_hex?: string }): FilamentPlace {
  return {
    slot: null,
    name: '',
    type,
    color,
    color_hex,
    preset_id: '',
    tool: null,
    grams: null,
    left_grams: null,
    is_empty: false,
    is_active: false,
  }
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
