import type { Filament, PrintFacts } from '../print-file.ts'
import { positive } from './lists.ts'

/** g/cm³, used when the file gives none. Usual values from makers' data sheets. */
const densityByType: Record<string, number> = {
  PLA: 1.24,
  PETG: 1.27,
  ABS: 1.04,
  ASA: 1.07,
  TPU: 1.21,
  PA: 1.12,
  PC: 1.2,
}

/** The diameter of nearly all filament sold, mm. */
const usualDiameterMm = 1.75

/** cm³ of a length of round filament. */
function volumeOfLength(lengthMm: number, diameterMm: number): number {
  return (lengthMm * (Math.PI / 4) * diameterMm ** 2) / 1000
}

/** mm of filament that holds a volume. */
function lengthOfVolume(volumeCm3: number, diameterMm: number): number {
  return (volumeCm3 * 1000) / ((Math.PI / 4) * diameterMm ** 2)
}

/** g/cm³ of a material by its name; `PLA Silk`, `PLA-CF` and `PA12` count as their base. Undefined when unknown. */
export function usualDensity(type: string | null): number | undefined {
  const base = /^[A-Z]+/.exec(type?.trim().toUpperCase() ?? '')?.[0]
  return base !== undefined && Object.hasOwn(densityByType, base) ? densityByType[base] : undefined
}

/** What a file says about a filament's body, where it does. */
export interface FilamentBody {
  diameterMm?: number | undefined
  densityGPerCm3?: number | undefined
}

/**
 * Fills in the amounts that follow from the others, and the totals. A weight that rests on a usual density or diameter
 * instead of the file's own is named in `estimated`.
 */
export function completeAmounts(facts: PrintFacts, bodyOf: (filament: Filament) => FilamentBody): void {
  for (const filament of facts.filaments) {
    const body = bodyOf(filament)
    const diameterMm = positive(body.diameterMm) ?? usualDiameterMm
    const density = positive(body.densityGPerCm3) ?? usualDensity(filament.type)
    if (filament.lengthMm === null && filament.volumeCm3 !== null) {
      filament.lengthMm = lengthOfVolume(filament.volumeCm3, diameterMm)
      if (positive(body.diameterMm) === null) markEstimated(facts, 'lengthMm', 'totalLengthMm')
    }
    const assumesDiameter = filament.volumeCm3 === null && positive(body.diameterMm) === null
    if (filament.volumeCm3 === null && filament.lengthMm !== null) {
      filament.volumeCm3 = volumeOfLength(filament.lengthMm, diameterMm)
    }
    if (filament.weightG === null && filament.volumeCm3 !== null && density !== undefined) {
      filament.weightG = filament.volumeCm3 * density
      if (assumesDiameter || positive(body.densityGPerCm3) === null || facts.estimated.includes('lengthMm')) {
        markEstimated(facts, 'weightG')
      }
    }
    filament.lengthMm = rounded(filament.lengthMm, 2)
    filament.volumeCm3 = rounded(filament.volumeCm3, 3)
    filament.weightG = rounded(filament.weightG, 2)
  }
  facts.totalLengthMm ??= total(facts.filaments.map((filament) => filament.lengthMm))
  if (facts.totalWeightG !== null) return
  facts.totalWeightG = total(facts.filaments.map((filament) => filament.weightG))
  if (facts.totalWeightG !== null && facts.estimated.includes('weightG')) markEstimated(facts, 'totalWeightG')
}

/** Names fields as estimates, once each. */
export function markEstimated(facts: PrintFacts, ...fields: string[]): void {
  for (const field of fields) if (!facts.estimated.includes(field)) facts.estimated.push(field)
}

/** A sum only when every part is known: a partial total would look like a light print. */
function total(parts: (number | null)[]): number | null {
  if (parts.length === 0 || parts.includes(null)) return null
  return rounded(
    parts.reduce<number>((sum, part) => sum + (part ?? 0), 0),
    2,
  )
}

function rounded(value: number | null, digits: number): number | null {
  return value === null ? null : Number(value.toFixed(digits))
}
