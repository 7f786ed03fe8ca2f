import { setTimeout as wait } from 'node:timers/promises'

/** Rows that one statement deletes: few enough to be done within milliseconds. */
const rowsPerBatch = 500

/** Batches of one call at most; what is left waits for the next one. */
const mostBatches = 400

/** Between two batches, in ms, so that requests come through. */
const pauseMs = 20

/**
 * Deletes a few rows at a time until fewer are left than one batch takes, and answers how many it deleted. Ends early when
 * the service stops.
 *
 * @param deleteBatch deletes as many rows at most, and answers how many they were
 */
export async function deleteInBatches(
  { isDraining }: { isDraining(): boolean },
  deleteBatch: (limit: number) => Promise<number>,
): Promise<number> {
  let deleted = 0
  for (let batch = 0; batch < mostBatches && !isDraining(); batch += 1) {
    const rows = await deleteBatch(rowsPerBatch)
    deleted += rows
    if (rows < rowsPerBatch) break
    await wait(pauseMs)
  }
  return deleted
}
