import type { Sharp, SharpOptions } from 'sharp'
import type { Context } from '../../../context/context.ts'
import { FairQueue } from '../../../db/driver/fair-queue.ts'
import { AppError } from '../../../kernel/errors.ts'
import type { AccountId } from '../../../kernel/ids.ts'
import { type ImageType, readImageType } from './image-type.ts'

/** The longer side of a thumbnail. Smaller images are not enlarged. */
const thumbnailPixels = 480

/**
 * More than any phone takes. A few kilobytes can claim billions of pixels; a decoded pixel takes up to four bytes, and an
 * image that cannot be read row by row is in memory whole.
 */
const maxPixels = 50_000_000

const timeLimitSeconds = 20

/** Images of one account that wait for their turn; each holds its bytes in memory. */
const mostWaiting = 32

/** Anyone who waits longer is refused: an answer must come before its Idempotency-Key counts as abandoned. */
const defaultLongestWaitMs = 60_000

/** The decoders for what is accepted, by their libvips names. All others are shut: they never see foreign bytes. */
const decoders = [
  'VipsForeignLoadJpegBuffer',
  'VipsForeignLoadPngBuffer',
  'VipsForeignLoadWebpBuffer',
  'VipsForeignLoadNsgifBuffer',
]

interface Thumbnail {
  /** The type of the image that it was made from. */
  imageType: ImageType
  /** WebP, upright, without metadata. Of a moving image, its first frame. */
  bytes: Buffer
}

export interface Thumbnailer {
  /**
   * Decodes the whole image beside the event loop. Rejects `INVALID_FILE` for other content, for damage and for too many
   * pixels; `SERVICE_UNAVAILABLE` when too many of the account wait, when its turn does not come in time, or when this machine cannot
   * run the decoder. Accounts take turns: beside those of its own an image waits for the one that is being made, and for one
   * of each other account.
   */
  make(image: Buffer, accountId: AccountId): Promise<Thumbnail>
}

interface Task {
  accountId: AccountId
  /** Begins it, or refuses it when it has waited too long; resolves when it is over, whatever came of it. */
  run(): Promise<void>
}

/** One for everything in the service that takes images. */
export const thumbnailerOf = ({ memory }: Pick<Context, 'memory'>): Thumbnailer =>
  memory.hold(makeThumbnailer, undefined)

const makeThumbnailer = () => createThumbnailer()

/** Makes one thumbnail at a time, on one thread: a small machine has printers to look after meanwhile. */
export function createThumbnailer({ longestWaitMs = defaultLongestWaitMs } = {}): Thumbnailer {
  const queue = new FairQueue<AccountId, Task>()
  const waiting = new Map<AccountId, number>()
  let isRunning = false

  const countWaiting = (accountId: AccountId, change: 1 | -1) => {
    const count = (waiting.get(accountId) ?? 0) + change
    if (count === 0) waiting.delete(accountId)
    else waiting.set(accountId, count)
  }

  async function workOff(): Promise<void> {
    isRunning = true
    for (let task = queue.next(() => true); task; task = queue.next(() => true)) {
      await task.run()
      countWaiting(task.accountId, -1)
    }
    isRunning = false
  }

  return {
    async make(image, accountId) {
      const imageType = readImageType(image)
      if (imageType === undefined) throw invalid('it is not a JPEG, PNG, WebP or GIF image.')
      if ((waiting.get(accountId) ?? 0) >= mostWaiting) throw busy()
      countWaiting(accountId, 1)
      const arrivedAt = performance.now()
      const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
      queue.add(accountId, {
        accountId,
        run: () => {
          const isLate = performance.now() - arrivedAt > longestWaitMs
          return (isLate ? Promise.reject(busy()) : decode(image)).then(resolve, reject)
        },
      })
      if (!isRunning) void workOff()
      return { imageType, bytes: await promise }
    },
  }
}

async function decode(image: Buffer): Promise<Buffer> {
  const open = await loadDecoder()
  // Only the header: the size it claims is judged here, so that the answer can name it.
  const { width, height } = await open(image, { limitInputPixels: false }).metadata().catch(refuseDamaged)
  if (width * height > maxPixels) {
    throw invalid(`it claims ${width} × ${height} pixels, more than ${maxPixels / 1e6} million.`)
  }
  // Small faults that every viewer passes over are passed over here as well; what is cut off is not.
  return open(image, { limitInputPixels: maxPixels, failOn: 'error' })
    .autoOrient()
    .resize({ width: thumbnailPixels, height: thumbnailPixels, fit: 'inside', withoutEnlargement: true })
    .webp({ quality: 80 })
    .timeout({ seconds: timeLimitSeconds })
    .toBuffer()
    .catch(refuseDamaged)
}

type OpenImage = (bytes: Buffer, options: SharpOptions) => Sharp

let decoder: Promise<OpenImage> | undefined

/** Loaded with the first image: a farm that shows none saves its memory, and a machine that cannot load it still prints. */
function loadDecoder(): Promise<OpenImage> {
  decoder ??= import('sharp').then(
    ({ default: sharp }) => {
      sharp.concurrency(1)
      // It remembers results by input: of no use for images that come once, and memory held for nothing.
      sharp.cache(false)
      sharp.block({ operation: ['VipsForeignLoad'] })
      sharp.unblock({ operation: decoders })
      return sharp
    },
    (error: unknown) => {
      throw new AppError('SERVICE_UNAVAILABLE', { why: 'this machine cannot read images' }, { cause: error })
    },
  )
  return decoder
}

function busy(): AppError {
  return new AppError('SERVICE_UNAVAILABLE', { why: 'too many images are being read' }, { retryAfterSeconds: 5 })
}

function refuseDamaged(error: unknown): never {
  throw invalid('the image is damaged or cut off.', error)
}

function invalid(why: string, cause?: unknown): AppError {
  return new AppError('INVALID_FILE', { why }, { cause })
}
