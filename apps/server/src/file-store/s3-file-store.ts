import { createReadStream } from 'node:fs'
import { AppError } from '../kernel/errors.ts'
import type { FileStore } from './file-store.ts'
import { brief, type S3Client } from './s3-client.ts'
import { defaultPartBytes, openS3Contents } from './s3-contents.ts'
import { asUnavailable, S3Error } from './s3-error.ts'
import { Spool, type SpoolOptions } from './spool.ts'

interface S3FileStoreOptions extends SpoolOptions {
  partBytes?: number
  /** Address at which others than this service reach the store; without it they get files through the service. */
  publicEndpoint?: string | undefined
}

/**
 * The file store of services in a bucket. What comes in is put into a folder of this machine first, so that its hash is known before it
 * gets its name; `spoolFolder` must be of this process alone.
 */
export async function createS3FileStore(
  client: S3Client,
  spoolFolder: string,
  options: S3FileStoreOptions = {},
): Promise<FileStore> {
  const contents = openS3Contents(client, options)
  const spool = await Spool.open(spoolFolder, options)

  const isStored = async (sha256: string, sizeBytes: number) => (await contents.sizeOf(sha256)) === sizeBytes

  async function store({ path, sha256 }: { path: string; sha256: string }): Promise<void> {
    if (await contents.add(sha256, createReadStream(path))) return
    throw new Error('A file that is on its way into the S3 store was changed on the disk.')
  }

  /**
   * Until something refers to a content, another process may find that nothing does, and remove it. A small one is stored again; a large
   * one would take longer than the transaction that waits for it may.
   */
  async function keep(file: { path: string; sha256: string; sizeBytes: number }): Promise<void> {
    if (await isStored(file.sha256, file.sizeBytes)) return
    if (file.sizeBytes <= defaultPartBytes) return store(file)
    const why = 'another process removed this content at the same moment'
    throw new AppError('SERVICE_UNAVAILABLE', { why }, { retryAfterSeconds: 1 })
  }

  return {
    sizeOf: (sha256) => contents.sizeOf(sha256),
    read: (sha256, range) => contents.read(sha256, range),
    add: (sha256, content) => contents.add(sha256, content),
    remove: (sha256) => contents.remove(sha256),
    listPages: () => contents.listPages(),
    listSized: () => contents.listSized(),

    signedUrl: (sha256, disposition) =>
      options.publicEndpoint === undefined
        ? undefined
        : contents.signedUrl(options.publicEndpoint, sha256, disposition),

    async check() {
      await spool.check()
      await checkBucket(client)
    },

    async receive(content, bounds) {
      const file = await spool.take(content, bounds)
      try {
        if (!(await isStored(file.sha256, file.sizeBytes))) await store(file)
      } catch (error) {
        await file.discard()
        throw error
      }
      return { ...file, keep: () => keep(file) }
    },

    async withLocalCopy(sha256, work) {
      const { content, sizeBytes } = await contents.read(sha256)
      const copy = await spool.take(content, { maxBytes: sizeBytes, expectedBytes: sizeBytes }).catch(asBrokenRead)
      try {
        if (copy.sha256 !== sha256) throw asUnavailable(new S3Error(200, 'WrongContent', 'it is not what was stored'))
        return await work(copy.path)
      } finally {
        await copy.discard()
      }
    },

    async removeAbandoned(before) {
      await spool.removeAbandoned(before)
      await contents.removeAbandoned(before)
    },
  }
}

/** What the spool takes for an upload that its sender broke off is the store's doing here. */
function asBrokenRead(error: unknown): never {
  if (!(error instanceof AppError && error.code === 'UPLOAD_INCOMPLETE')) throw error
  const why = 'the file store broke off while a file was read'
  throw new AppError('SERVICE_UNAVAILABLE', { why }, { cause: error, retryAfterSeconds: 10 })
}

/** Rejects when the bucket does not answer, does not exist, or refuses the keys. */
export async function checkBucket(client: S3Client): Promise<void> {
  try {
    await client.sendForHeaders({ method: 'HEAD', ...brief })
  } catch (error) {
    const isMissing = error instanceof S3Error && error.status === 404
    throw asUnavailable(isMissing ? new S3Error(404, 'NoSuchBucket', 'there is no such bucket') : error)
  }
}
