import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { type Config, ConfigError } from '../kernel/config.ts'
import { claimBucket } from './claim-bucket.ts'
import type { FileStore, StoredContents } from './file-store.ts'
import { createLocalFileStore, openLocalContents } from './local-file-store.ts'
import { S3Client, type S3Target } from './s3-client.ts'
import { openS3Contents } from './s3-contents.ts'
import { createS3FileStore } from './s3-file-store.ts'

type StoreSettings = Pick<
  Config,
  'dataDir' | 's3Endpoint' | 's3Bucket' | 's3AccessKeyId' | 's3SecretAccessKey' | 's3Region' | 's3PublicEndpoint'
>

const folderOf = (dataDir: string) => join(dataDir, 'files')

/** The bucket of the settings; undefined where files are kept in the data folder. */
export function bucketOf(config: StoreSettings): S3Target | undefined {
  const { s3Endpoint, s3Bucket, s3AccessKeyId, s3SecretAccessKey, s3Region: region } = config
  if (!s3Endpoint || !s3Bucket || !s3AccessKeyId || !s3SecretAccessKey) return undefined
  return {
    endpoint: s3Endpoint,
    bucket: s3Bucket,
    accessKey: s3AccessKeyId,
    secretAccessKey: s3SecretAccessKey,
    region,
  }
}

/**
 * The file store of a service, as its settings choose it.
 *
 * @param installation that the database belongs to, asked for a bucket alone: only its services may clean up there
 * @throws ConfigError when the bucket is another installation's, does not exist, or refuses the keys
 * @throws AppError `SERVICE_UNAVAILABLE` when the S3 store does not answer
 */
export async function openFileStore(
  config: StoreSettings,
  installation: () => Promise<string>,
  log: Logger,
): Promise<FileStore> {
  const bucket = bucketOf(config)
  if (bucket === undefined) return createLocalFileStore(folderOf(config.dataDir))
  const client = new S3Client(bucket)
  const claim = await claimBucket(client, await installation())
  if ('problem' in claim) throw new ConfigError([{ variable: claim.variable, problem: claim.problem }])
  if (claim.isNew && (await hasFiles(folderOf(config.dataDir)))) {
    log.warn(
      { folder: folderOf(config.dataDir) },
      'files are kept in the bucket from now on; those in this folder are NOT there until they are copied',
    )
  }
  return createS3FileStore(client, join(config.dataDir, 'spool'), { publicEndpoint: config.s3PublicEndpoint })
}

/** Answers what is stored, for programs beside a running service, such as backups. */
export function openStoredContents(config: StoreSettings): StoredContents {
  const bucket = bucketOf(config)
  return bucket === undefined ? openLocalContents(folderOf(config.dataDir)) : openS3Contents(new S3Client(bucket))
}

async function hasFiles(folder: string): Promise<boolean> {
  const names = await readdir(folder).catch(() => [])
  return names.some((name) => /^[0-9a-f]{2}$/.test(name))
}
