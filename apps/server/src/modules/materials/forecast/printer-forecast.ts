import type { Catalogue, Equipment, PlateNeed } from '../../matching/farm-facts.ts'
import { assignPlaces } from '../../matching/slot-map.ts'

/** A spool on a printer, in milligrams. */
export interface SpoolOnPrinter {
  slot: number
  remaining: number
  /** By the print that runs. */
  reserved: number
}

/** Cause that uses a spool of a printer up: by the print that runs, by the jobs that wait for this printer, or not by either. */
type RunsOutIn = 'running_print' | 'queued_jobs' | null

export interface SpoolForecast<Spool> {
  spool: Spool
  queued: number
  missing: number
  runs_out_in: RunsOutIn
}

/**
 * Answers what the jobs that a person gave to a printer take of each of its spools, after the print that runs, and what of it is missing. Each
 * filament comes from where it would be printed from now, whatever is left there.
 *
 * @param spools the one that was loaded last first
 */
export function forecastPrinter<Spool extends SpoolOnPrinter>(
  equipment: Equipment,
  spools: readonly Spool[],
  wanted: readonly { plate: PlateNeed; plates: number }[],
  margin: number,
  catalogue: Catalogue,
): SpoolForecast<Spool>[] {
  const places = equipment.places.map((place) => ({ ...place, grams: null }))
  const queued = new Map<Spool, number>()
  for (const { plate, plates } of wanted) {
    for (const { need, place } of assignPlaces({ ...equipment, places }, plate, catalogue) ?? []) {
      const spool = places.length === 1 ? spools[0] : spools.find(({ slot }) => slot === place.slot)
      if (!spool || need.grams === null) continue
      queued.set(spool, (queued.get(spool) ?? 0) + Math.round(need.grams * 1_000) * plates)
    }
  }
  return spools.map((spool) => {
    const taken = queued.get(spool) ?? 0
    const free = spool.remaining - margin - spool.reserved
    const runs_out_in =
      spool.reserved > 0 && free < 0 ? 'running_print' : taken > free && taken > 0 ? 'queued_jobs' : null
    const missing = runs_out_in === null ? 0 : spool.reserved + taken + margin - spool.remaining
    return { spool, queued: taken, missing, runs_out_in }
  })
}
