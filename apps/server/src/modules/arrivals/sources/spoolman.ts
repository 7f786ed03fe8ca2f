import type { Arrivals, Draft } from './drafts.ts'
import { type Fields, filled, hexColorOf, isFields, numberOf, parseObjects, textOf } from './fields.ts'

/** Spools of Spoolman as `GET /api/v1/spool` answers them, and as it exports them as JSON. */
export function readSpoolman(text: string, what: string): Arrivals {
  return { source: 'spoolman', drafts: parseObjects(text, what).map(readSpool) }
}

function readSpool(spool: Fields, index: number): Draft {
  // An export spells nested fields with points: `filament.name`.
  const filament = isFields(spool.filament) ? spool.filament : nested(spool, 'filament.')
  const vendor = isFields(filament.vendor) ? filament.vendor : nested(filament, 'vendor.')
  const id = textOf(spool.id)
  const name = textOf(filament.name) || textOf(filament.material) || `Spool ${id}`
  const from = id === '' ? `spool ${index + 1}` : `spool ${id}`
  if (id === '') return { kind: 'left_out', from, name, reason: 'has no ID, by which it would be known again' }
  if (spool.archived === true || spool.archived === 'True') {
    return { kind: 'left_out', from, name, reason: 'is archived in Spoolman' }
  }
  const whole = numberOf(spool.initial_weight) ?? numberOf(filament.weight)
  const used = numberOf(spool.used_weight)
  const left = numberOf(spool.remaining_weight) ?? (whole === undefined ? undefined : Math.max(0, whole - (used ?? 0)))
  if (left === undefined) {
    return {
      kind: 'left_out',
      from,
      name,
      reason: 'has no weight: set the weight of its filament in Spoolman, and import again',
    }
  }
  return {
    kind: 'spool',
    from,
    name,
    sourceId: id,
    body: filled({
      type: textOf(filament.material) || 'Unknown',
      name,
      brand: textOf(vendor.name),
      hex_code: hexColorOf(filament.color_hex) || hexColorOf(textOf(filament.multi_color_hexes).split(',')[0]),
      diameter: numberOf(filament.diameter),
      remaining_grams: left,
      spool_weight_grams: whole !== undefined && whole > 0 ? whole : undefined,
      location: textOf(spool.location),
    }),
  }
}

function nested(fields: Fields, prefix: string): Fields {
  const entries = Object.entries(fields).filter(([name]) => name.startsWith(prefix))
  return Object.fromEntries(entries.map(([name, value]) => [name.slice(prefix.length), value]))
}
