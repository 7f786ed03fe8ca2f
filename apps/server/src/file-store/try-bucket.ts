import { randomUUID } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { brief, type S3Client } from './s3-client.ts'
import { S3Error } from './s3-error.ts'

/** What could not be done in a bucket, and the error of the store or of the connection. */
interface BucketFailure {
  step: 'write' | 'read' | 'delete'
  error: unknown
}

/**
 * Writes a small object into a bucket, reads it and deletes it. Its name is one that neither files nor backups have, and it is deleted as well
 * when it could not be read.
 *
 * @param prefix what keys begin with: empty, or ending with a slash
 * @returns undefined when all of it works
 */
export async function tryBucket(client: S3Client, prefix = ''): Promise<BucketFailure | undefined> {
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
  const deleted = await failureOf('delete', () => client.sendForHeaders({ method: 'DELETE', key, ...brief }))
  return read ?? deleted
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
