import type { MaterialInput } from '../../materials.schema.ts'

/** A spool as Spoolman has it; grams are turned to milligrams. */
export interface Spool {
  id: number
  isArchived: boolean
  /** Null: neither the spool nor its filament has a weight. */
  remaining: number | null
  used: number
  /** Weight of a full spool; null when it is not known. */
  full: number | null
  filament: SpoolFilament
}

/** What is taken over of a filament and its vendor; what Spoolman does not say is left out. */
type SpoolFilament = Pick<
  MaterialInput,
  'type' | 'color' | 'hex_code' | 'brand' | 'diameter' | 'location' | 'spool_weight_grams'
>

/** Far more than any spool weighs. */
const mostGrams = 100_000

/** Undefined for what is no spool of Spoolman: nothing is guessed. */
export function readSpool(value: unknown): Spool | undefined {
  const spool = fieldsOf(value)
  const filament = fieldsOf(spool?.filament)
  if (spool === undefined || filament === undefined) return undefined
  const { id } = spool
  if (typeof id !== 'number' || !Number.isInteger(id) || id < 1 || id > 2 ** 31 - 1) return undefined
  const full = grams(spool.initial_weight) ?? grams(filament.weight)
  return {
    id,
    isArchived: spool.archived === true,
    remaining: milligrams(grams(spool.remaining_weight)),
    used: Math.round((typeof spool.used_weight === 'number' ? spool.used_weight : 0) * 1_000),
    full: milligrams(full),
    filament: filamentOf(spool, filament, full),
  }
}

function filamentOf(spool: Fields, filament: Fields, full: number | undefined): SpoolFilament {
  const hex = hexOf(filament)
  const type = text(filament.material, 100)
  const color = text(filament.name, 50)
  const brand = text(fieldsOf(filament.vendor)?.name, 100)
  const location = text(spool.location, 200)
  const { diameter } = filament
  return {
    ...(type !== undefined && { type }),
    ...(color !== undefined && { color }),
    ...(hex !== undefined && { hex_code: hex }),
    ...(brand !== undefined && { brand }),
    ...(location !== undefined && { location }),
    ...(typeof diameter === 'number' && diameter >= 0.5 && diameter <= 5 && { diameter }),
    ...(full !== undefined && full > 0 && { spool_weight_grams: full }),
  }
}

type Fields = Readonly<Record<string, unknown>>

function fieldsOf(value: unknown): Fields | undefined {
  // Any object can be asked for fields.
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined
}

function grams(value: unknown): number | undefined {
  return typeof value === 'number' && value >= 0 && value <= mostGrams ? Math.round(value * 1_000) / 1_000 : undefined
}

function milligrams(value: number | undefined): number | null {
  return value === undefined ? null : Math.round(value * 1_000)
}

function text(value: unknown, most: number): string | undefined {
  if (typeof value !== 'string') return undefined
  const bare = value.replaceAll('\0', '').toWellFormed().trim()
  return bare === '' ? undefined : [...bare].slice(0, most).join('')
}

/** The colour, or the first of several, without what is said of its transparency. */
function hexOf({ color_hex: one, multi_color_hexes: several }: Fields): string | undefined {
  const first = typeof several === 'string' && several !== '' ? several.split(',')[0] : one
  const [, digits] = /^#?([0-9a-f]{6})(?:[0-9a-f]{2})?$/i.exec(typeof first === 'string' ? first.trim() : '') ?? []
  return digits === undefined ? undefined : `#${digits.toUpperCase()}`
}
