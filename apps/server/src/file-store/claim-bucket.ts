import { json } from 'node:stream/consumers'
import type { S3Client } from './s3-client.ts'
import { asUnavailable, S3Error } from './s3-error.ts'
import { checkBucket } from './s3-file-store.ts'

/** Says which installation the files of a bucket belong to. */
const ownerKey = 'printyard.json'

type Claim = { isNew: boolean } | { variable: string; problem: string }

const problems: Record<string, { variable: string; problem: string }> = {
  InvalidAccessKeyId: { variable: 'S3_ACCESS_KEY_ID', problem: 'is not known to the S3 store' },
  SignatureDoesNotMatch: { variable: 'S3_SECRET_ACCESS_KEY', problem: 'does not belong to S3_ACCESS_KEY_ID' },
  AccessDenied: { variable: 'S3_ACCESS_KEY_ID', problem: 'may not read and write in the bucket' },
  NoSuchBucket: { variable: 'S3_BUCKET', problem: 'does not exist in the S3 store; make it first' },
  AuthorizationHeaderMalformed: { variable: 'S3_REGION', problem: 'is not the region of the S3 store' },
  PermanentRedirect: { variable: 'S3_ENDPOINT', problem: 'is not the address of this bucket' },
}

/**
 * Makes a bucket that of an installation, or finds it so. Services remove what nothing refers to, by their database: two databases with
 * one bucket would remove each other's files.
 *
 * @returns what is wrong with the settings, if something is
 * @throws AppError `SERVICE_UNAVAILABLE`
 */
export async function claimBucket(client: S3Client, installation: string): Promise<Claim> {
  try {
    const before = await readOwner(client)
    if (before === undefined) {
      const body = Buffer.from(`${JSON.stringify({ format: 1, installation })}\n`)
      await client.sendForHeaders({ method: 'PUT', key: ownerKey, body })
    }
    // Read once more: of two that claimed it at once, the later one has it.
    const owner = before ?? (await readOwner(client))
    if (owner !== installation) {
      return { variable: 'S3_BUCKET', problem: 'holds the files of another installation; use a bucket of its own' }
    }
    await checkBucket(client)
    return { isNew: before === undefined }
  } catch (error) {
    const found = error instanceof S3Error ? problems[error.code] : undefined
    if (found) return found
    if (error instanceof S3Error && error.status === 403) {
      return { variable: 'S3_ACCESS_KEY_ID', problem: 'is refused by the S3 store' }
    }
    throw asUnavailable(error)
  }
}

async function readOwner(client: S3Client): Promise<string | undefined> {
  try {
    const { body } = await client.send({ method: 'GET', key: ownerKey })
    const owner: unknown = await json(body)
    return typeof owner === 'object' && owner !== null && 'installation' in owner ? String(owner.installation) : ''
  } catch (error) {
    if (error instanceof S3Error && error.code === 'NoSuchKey') return undefined
    throw error
  }
}
