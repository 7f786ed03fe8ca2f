import type { Context } from '../../../context/context.ts'
import type { AccountId, MaterialId } from '../../../kernel/ids.ts'
import type { PlateNeed } from '../../matching/farm-facts.ts'
import { loadFarm } from '../../matching/load-farm.ts'
import { listPrintersForRules } from '../../matching/matching.queries.ts'
import { plateNeedOf } from '../../matching/plate-need.ts'
import { readSpoolClaims } from '../filament-reservations.queries.ts'
import { type FilamentForecast, type FilamentWanted, forecastFilament } from './filament-forecast.ts'
import {
  type ItemWanted,
  listItemsWanted,
  listPlatesWanted,
  listSpoolsOfFarm,
  listUseOfSpools,
  type SpoolOfFarm,
} from './forecast.queries.ts'
import { forecastPrinter, type SpoolForecast, type SpoolOnPrinter } from './printer-forecast.ts'

/** Days that daily use is the mean of. */
export const daysOfUse = 30

type LoadedSpool = SpoolOnPrinter & Pick<SpoolOfFarm, 'id' | 'type' | 'color'>

export interface Forecast {
  filament: FilamentForecast[]
  printers: { id: string; name: string; spools: SpoolForecast<LoadedSpool>[] }[]
  items: ItemWanted[]
  /** Milligrams kept back on each spool. */
  margin: number
}

/**
 * Answers what is needed by jobs that are not over, by assemblies and parcels, against what is there; a few statements whatever
 * the farm.
 */
export async function readForecast(context: Context, accountId: AccountId): Promise<Forecast> {
  const { sql } = context.db
  const since = new Date(context.clock.now().getTime() - daysOfUse * 24 * 60 * 60_000)
  const [rows, wanted, spools, uses, items, { farm, printerFacts }] = await Promise.all([
    listPrintersForRules(sql, accountId),
    listPlatesWanted(sql, accountId),
    listSpoolsOfFarm(sql, accountId),
    listUseOfSpools(sql, accountId, since),
    listItemsWanted(sql, accountId),
    loadFarm(context, sql, accountId, 'anybody'),
  ])
  const { margin, reserved } = await readSpoolClaims(
    sql,
    accountId,
    spools.map(({ id }) => id),
  )
  const plates = wanted.map((row) => ({
    plate: plateNeedOf(row),
    plates: row.plates,
    queued: row.plates - row.running,
  }))
  const usedOf = new Map<MaterialId, number>(uses.map(({ material_id, used }) => [material_id, used]))
  const filament = forecastFilament(
    plates.flatMap(({ plate, plates: count }) => filamentsOf(plate, count)),
    spools.map((spool) => ({
      ...spool,
      color_hex: spool.hex_code,
      usable: Math.max(0, spool.remaining - margin),
      daily_use: Math.round((usedOf.get(spool.id) ?? 0) / daysOfUse),
    })),
    farm,
  )
  const loaded = Map.groupBy(spools, ({ printer_id }) => printer_id)
  const printers = rows.flatMap((row) => {
    const its = (loaded.get(row.id) ?? [])
      .toSorted((a, b) => Number(b.loaded_at) - Number(a.loaded_at))
      .map((spool) => ({ ...spool, slot: spool.slot ?? 0, reserved: reserved[spool.id] ?? 0 }))
    if (its.length === 0) return []
    const given = plates
      .filter(({ plate, queued }) => plate.assigned_printer_id === row.id && queued > 0)
      .map(({ plate, queued }) => ({ plate, plates: queued }))
    return [{ id: row.id, name: row.name, spools: forecastPrinter(printerFacts(row), its, given, margin, farm) }]
  })
  return { filament, printers, items, margin }
}

function filamentsOf({ filaments, any_color }: PlateNeed, plates: number): FilamentWanted[] {
  return filaments.map(({ type, color, grams }) => ({
    type,
    color,
    any_color,
    plates,
    plate_milligrams: grams === null ? null : Math.round(grams * 1_000),
  }))
}
