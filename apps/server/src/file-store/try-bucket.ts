import { randomUUID } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { brief, type S3Client, tagsOf } from './s3-client.ts'
import { S3Error } from './s3-error.ts'

/** What could not be done in a bucket, and the error of the store or of the connection. */
interface BucketFailure {
  step: 'write' | 'read' | 'download' | 'delete'
  error: unknown
}

/** What a signed URL for it opens the object for. */
const signedForSeconds = 60
const downloadMs = 5_000

/**
 * Writes a small object into a bucket, reads it, downloads it by a signed URL where the store has a public address, and deletes it. Its name is one that neither files nor backups have, and it is deleted as well
 * when it could not be read.
 *
 * @param prefix what keys begin with: empty, or ending with a slash
 * @param publicEndpoint where others than the service reach the store
 * @returns undefined when all of it works
 */
export async function tryBucket(
  client: S3Client,
  prefix = '',
  publicEndpoint?: string,
): Promise<BucketFailure | undefined> {
  const key = `${prefix}printyard-check-${randomUUID()}`
  const content = Buffer.from(`Written by \`printyard doctor\` to try the bucket. It can be deleted. ${key}\n`)
  const written = await failureOf('write', () => client.sendForHeaders({ method: 'PUT', key, body: content, ...brief }))
  if (written !== undefined) return written
  const read = await failureOf('read', async () => {
    const { body, status } = await client.send({ method: 'GET', key, ...brief })
    if (!(await buffer(body)).equals(content)) {
      throw new S3Error(status, 'WrongContent', 'it is not what was written a moment before')
    }
  })
  const downloaded =
    read === undefined && publicEndpoint !== undefined
      ? await failureOf('download', () =>
          download(client.signedUrl(publicEndpoint, key, {}, signedForSeconds), content),
        )
      : undefined
  const deleted = await failureOf('delete', () => client.sendForHeaders({ method: 'DELETE', key, ...brief }))
  return read ?? downloaded ?? deleted
}

/** As a browser does it: whatever else answers at that address is not the store. */
async function download(url: string, content: Buffer): Promise<void> {
  const answer = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(downloadMs) }).catch(asItsCause)
  const body = Buffer.from(await answer.arrayBuffer())
  if (answer.status !== 200) {
    const [code = ''] = tagsOf(body.toString(), 'Code')
    throw new S3Error(answer.status, code, 'it is not the object')
  }
  if (!body.equals(content))
    throw new S3Error(answer.status, 'WrongContent', 'it is not what was written a moment before')
}

/** `fetch` says of a connection only that it failed. */
function asItsCause(error: unknown): never {
  throw error instanceof TypeError && error.cause !== undefined ? error.cause : error
}

async function failureOf(
  step: BucketFailure['step'],
  work: () => Promise<unknown>,
): Promise<BucketFailure | undefined> {
  try {
    await work()
    return undefined
  } catch (error) {
    return { step, error }
  }
}
