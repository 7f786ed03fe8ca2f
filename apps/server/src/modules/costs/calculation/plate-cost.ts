import type { JobId, MaterialId, PrinterId, PrintFileId } from '../../../kernel/ids.ts'
import { addCosts, type Cost, noCost, scaleCost, unknownCost } from './cost.ts'
import { filamentCost, labourCost, type Machine, printingCost, type Rates, spoolCost } from './rates.ts'

/** A plate as its file foresees it. */
export interface PlannedPlate {
  file: { id: PrintFileId; name: string }
  machine: Machine
  /** By the slicer; null where it does not say. */
  seconds: number | null
  /** What it takes of each filament; milligrams are null where the slicer does not say. */
  filaments: readonly { type: string; color: string; milligrams: number | null }[]
}

/** Answers what a plate is expected to cost, with a person who takes it off. */
export function plannedPlateCost(rates: Rates, { file, machine, seconds, filaments }: PlannedPlate): Cost {
  const subject = { kind: 'print_file', id: file.id, name: file.name } as const
  const filament = filaments.map(({ type, color, milligrams }) =>
    milligrams === null
      ? unknownCost('filament', 'filament_weight', subject)
      : filamentCost(rates, type, color, milligrams),
  )
  return addCosts([
    ...filament,
    ...printingCost(rates, machine, seconds, subject),
    labourCost(rates, rates.plateLabourSeconds, 'plate_labour_seconds'),
  ])
}

/** What plates took that were printed, well or not: one plate, or several of the same subject. */
export interface PrintedPlates {
  runs: readonly { printer: { id: PrinterId; name: string }; model: string; seconds: number }[]
  spools: readonly { materialId: MaterialId; type: string; name: string; milligrams: number }[]
  /** Plates of which it is not known what they took: no spool was known to be loaded, or its record is gone. */
  unbooked: number
  /** Seconds that people recorded for taking them off. */
  labourSeconds: number
  /** Plates that people took off without recording their time: the time of the settings stands for it. */
  untimedPlates: number
}

export const nothingPrinted: PrintedPlates = {
  runs: [],
  spools: [],
  unbooked: 0,
  labourSeconds: 0,
  untimedPlates: 0,
}

/** Answers what they cost: the hours of the machines, the filament that was booked, and the time of people. */
export function printedPlatesCost(
  rates: Rates,
  { runs, spools, unbooked, labourSeconds, untimedPlates }: PrintedPlates,
  subject: { kind: 'job'; id: JobId; name: string } | { kind: 'sku'; id: string; name: string },
): Cost {
  return addCosts([
    ...runs.flatMap(({ printer, model, seconds }) => printingCost(rates, { printer, model }, seconds, subject)),
    ...spools.map((spool) => spoolCost(rates, spool, spool.milligrams)),
    unbooked > 0 ? unknownCost('filament', 'filament_usage', subject) : noCost,
    labourCost(rates, labourSeconds, 'plate_labour_seconds'),
    untimedPlates > 0
      ? scaleCost(labourCost(rates, rates.plateLabourSeconds, 'plate_labour_seconds'), untimedPlates)
      : noCost,
  ])
}
