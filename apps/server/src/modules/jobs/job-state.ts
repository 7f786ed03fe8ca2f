/** The life of a job. `processing`: a printer is reserved and the file is on its way; `printing` and `paused`: seen there. */
export const jobStatuses = ['queued', 'processing', 'printing', 'paused', 'completed', 'failed', 'cancelled'] as const
export type JobStatus = (typeof jobStatuses)[number]

/**
 * What a caller may ask for, and from which states it makes sense. `complete` and `resolve` of a job that holds a printer
 * also need that no one can see what the printer does for it; `delete` of a queued one, that it was never tried.
 */
export const jobActions = {
  start: ['queued'],
  assign: ['queued'],
  pause: ['printing'],
  resume: ['paused'],
  stop: ['processing', 'printing', 'paused'],
  cancel: ['queued', 'processing', 'printing', 'paused'],
  resolve: ['processing', 'printing', 'paused'],
  complete: ['queued', 'processing', 'printing', 'paused', 'failed'],
  retry: ['failed'],
  restore: ['cancelled'],
  delete: ['queued', 'completed', 'failed', 'cancelled'],
} as const satisfies Record<string, readonly JobStatus[]>
export type JobAction = keyof typeof jobActions

export function isActionPossible(action: JobAction, status: JobStatus): boolean {
  return (jobActions[action] as readonly JobStatus[]).includes(status)
}

/** Answers how many plates a job needs: units are printed `perPlate` at a time, the last plate may be partly surplus. */
export function platesNeeded(units: number, perPlate: number): number {
  return Math.ceil(units / perPlate)
}

/** Progress of the whole job in percent, from the plates that are done and the one that runs (0–100). */
export function jobProgress(platesDone: number, platesTotal: number, plateProgress: number): number {
  const percent = (platesDone * 100 + plateProgress) / platesTotal
  return Math.round(Math.min(100, Math.max(0, percent)) * 10) / 10
}

/** Units that lie on one plate of a job, counted from 1: the last plate may be needed only in part. */
export function unitsOnPlate(output: { units: number; units_per_plate: number }, plateNumber: number): number {
  const before = (plateNumber - 1) * output.units_per_plate
  return Math.max(0, Math.min(output.units_per_plate, output.units - before))
}
