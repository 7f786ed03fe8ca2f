import type { Context } from '../../../context/context.ts'
import { deleteInBatches } from '../../../db/delete-in-batches.ts'
import { removeUnreferenced } from '../../files/content-references.ts'
import { deletePicturesBefore } from '../failure-pictures.queries.ts'

const dayMs = 24 * 3_600_000

/** Removes pictures of failures that are older than they are kept, with their contents. The failures stay. */
export async function removeOldPictures(context: Context): Promise<void> {
  const { config, clock, db } = context
  if (config.failurePicturesKeptDays === 0) return
  const before = new Date(clock.now().getTime() - config.failurePicturesKeptDays * dayMs)
  await deleteInBatches(context, async (limit) => {
    const contents = await deletePicturesBefore(db.reports, before, limit)
    await removeUnreferenced(context, contents)
    // Each has two.
    return contents.length / 2
  })
}
