import type { Context } from '../../../context/context.ts'
import type { AccountId } from '../../../kernel/ids.ts'
import { discardImage, type PreparedImage, prepareImage } from '../../catalogue/images/prepare-image.ts'
import { thumbnailerOf } from '../../catalogue/images/thumbnails.ts'
import { type Work, workIn } from '../../events/work.ts'
import { lockContent } from '../../files/content-references.ts'
import { lookNow } from '../../printers/camera/look-now.ts'
import { insertPicture } from '../failure-pictures.queries.ts'
import type { TakenUp } from './wanted-pictures.queries.ts'

/** Time that a camera, its hub and the way between them have. */
const lookForMs = 20_000

/**
 * Keeps what the camera of the printer sees with a failure. Never rejects: a failure without a picture is as well recorded as one
 * with it.
 */
export async function storePicture(
  context: Context,
  accountId: AccountId,
  failure: TakenUp,
  signal: AbortSignal,
): Promise<void> {
  const inTime = AbortSignal.any([signal, AbortSignal.timeout(lookForMs)])
  const still = await lookNow(context, accountId, failure.printer_id, inTime)
  if (still === undefined) return
  const takenAt = context.clock.now()
  let prepared: PreparedImage | undefined
  try {
    const image = await prepareImage(context, thumbnailerOf(context), accountId, still)
    prepared = image
    await context.db.beginFor(accountId, (sql) =>
      store(workIn(sql, { accountId, actor: 'system', now: context.clock.now() }), failure, image, takenAt),
    )
  } catch (error) {
    context.log.warn({ err: error, failure_id: failure.id }, 'the picture of a failure was not kept')
  } finally {
    if (prepared) await discardImage(prepared)
  }
}

async function store(work: Work, failure: TakenUp, { image, thumbnail }: PreparedImage, takenAt: Date): Promise<void> {
  // Always in the same order, so that two who store the same two contents do not wait for each other.
  for (const sha256 of [image.sha256, thumbnail.sha256].sort()) await lockContent(work.sql, sha256)
  const isNew = await insertPicture(work, {
    failure_id: failure.id,
    sha256: image.sha256,
    thumb_sha256: thumbnail.sha256,
    size_bytes: image.sizeBytes + thumbnail.sizeBytes,
    taken_at: takenAt,
  })
  if (!isNew) return
  await image.keep()
  await thumbnail.keep()
  await work.record({
    type: 'print_failure.updated',
    subjectId: failure.id,
    data: { fields: ['camera_picture_at'], job_id: failure.job_id },
  })
}
