import { Readable } from 'node:stream'
import type { Context } from '../../../context/context.ts'
import type { ReceivedFile } from '../../../file-store/file-store.ts'
import type { AccountId } from '../../../kernel/ids.ts'
import { requireRoom } from '../../quotas/quotas.service.ts'
import { maxImageBytes } from './image-form.ts'
import type { ImageType } from './image-type.ts'
import type { Thumbnailer } from './thumbnails.ts'

/** An image that was read and is one, with its thumbnail. Discard both in the end, used or not. */
export interface PreparedImage {
  contentType: ImageType
  image: ReceivedFile
  thumbnail: ReceivedFile
}

/** Does what takes long, outside of any transaction. */
export async function prepareImage(
  context: Context,
  thumbnailer: Thumbnailer,
  accountId: AccountId,
  bytes: Buffer,
): Promise<PreparedImage> {
  await requireRoom(context, context.db.sql, accountId, 'storage_mb', bytes.length / 1_000_000)
  const { imageType, bytes: thumbnailBytes } = await thumbnailer.make(bytes, accountId)
  const receive = (content: Buffer) => context.files.receive(Readable.from([content]), { maxBytes: maxImageBytes })
  const image = await receive(bytes)
  try {
    return { contentType: imageType, image, thumbnail: await receive(thumbnailBytes) }
  } catch (error) {
    await image.discard()
    throw error
  }
}

export async function discardImage(prepared: PreparedImage): Promise<void> {
  await prepared.image.discard()
  await prepared.thumbnail.discard()
}
