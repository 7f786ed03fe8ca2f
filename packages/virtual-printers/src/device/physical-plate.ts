import type { PlatedRun } from '../virtual-printer.ts'

/**
 * What lies on the plate of one machine, oldest first. It is physical: no restart and no message changes it, only a hand
 * that takes everything off or an ejection that works.
 */
export type PhysicalPlate = readonly PlatedRun[]

/** The plate once a run has put its first layer down; a run that goes on after a pause lies there already. */
export function withRun(plate: PhysicalPlate, { runId, fileName }: PlatedRun): PhysicalPlate {
  return plate.some((each) => each.runId === runId) ? plate : [...plate, { runId, fileName }]
}

/** The plate in a state file of a release that kept a boolean and the last run only. */
export function plateOf(stored: {
  plate?: PhysicalPlate
  plateOccupied?: boolean
  run?: { id: string; fileName: string } | null
}): PhysicalPlate {
  if (stored.plate) return stored.plate
  if (!stored.plateOccupied) return []
  return [{ runId: stored.run?.id ?? '', fileName: stored.run?.fileName ?? '' }]
}
