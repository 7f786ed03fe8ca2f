import { bucketOf } from '@printyard/server/file-store/open-file-store'
import { S3Client } from '@printyard/server/file-store/s3-client'
import { S3Error } from '@printyard/server/file-store/s3-error'
import { tryBucket } from '@printyard/server/file-store/try-bucket'
import type { Config } from '@printyard/server/kernel/config'
import { openBackupStore } from '@printyard/server/modules/backups/store/backup-store'
import { shareable, tell } from '@printyard/server/modules/support/tell'
import { askRedis, RedisRefusedError } from '@printyard/server/redis/redis-connection'
import { type Finding, messageOf, ok, problem, warning } from './finding.ts'

/** The first major version that has all of what is counted there. */
const neededRedisMajor = 7

/**
 * Checks whether files can be written, read, downloaded by others, and deleted in the bucket of the settings. Nothing to say where
 * they lie in the data folder.
 */
export async function checkFileBucket(config: Parameters<typeof bucketOf>[0]): Promise<Finding[]> {
  const target = bucketOf(config)
  if (target === undefined) return []
  const place = `${target.bucket} at ${target.endpoint}`
  const publicEndpoint = config.s3PublicEndpoint
  return [
    await checkBucket('file store', { client: new S3Client(target), place, prefix: '', publicEndpoint }, 'S3_ENDPOINT'),
  ]
}

/** The same of the bucket into which backups are copied. */
export async function checkBackupBucket(
  config: Pick<Config, 'backupCopyTo'> & Parameters<typeof openBackupStore>[1],
): Promise<Finding[]> {
  if (config.backupCopyTo === undefined) return []
  const { client, prefix, url } = openBackupStore(config.backupCopyTo, config)
  const place = `${url} at ${config.backupS3Endpoint}`
  return [await checkBucket('backup copies', { client, place, prefix }, 'PRINTYARD_BACKUP_S3_ENDPOINT')]
}

async function checkBucket(
  name: string,
  {
    client,
    place,
    prefix,
    publicEndpoint,
  }: { client: S3Client; place: string; prefix: string; publicEndpoint?: string | undefined },
  endpointSetting: string,
): Promise<Finding> {
  const failure = await tryBucket(client, prefix, publicEndpoint)
  if (failure === undefined) {
    if (publicEndpoint === undefined) return ok(name, tell`A test object was written to ${place}, read and deleted.`)
    const message = tell`A test object was written to ${place}, read, downloaded from ${publicEndpoint} by a signed URL, and deleted.`
    return ok(name, message)
  }
  const { step, error } = failure
  if (step === 'download') return noDownload(name, publicEndpoint ?? '', error)
  const done = { write: 'written to', read: 'read from', delete: 'deleted from' }[step]
  // Answers of the store end with a full stop now and then.
  const told = messageOf(error)
  const why = { text: told.text.replace(/\.$/, ''), shareable: told.shareable }
  const message = tell`A test object could not be ${shareable(done)} ${place}: ${why}.`
  return error instanceof S3Error
    ? problem(
        name,
        message,
        tell`The bucket must exist, and the keys must be allowed to get, put, list and delete objects there.`,
      )
    : problem(name, message, tell`Check ${shareable(endpointSetting)}, and whether this machine reaches it.`)
}

/** The store works, and what is given to others does not. The machine of the service may be one that does not reach that address. */
function noDownload(name: string, publicEndpoint: string, error: unknown): Finding {
  const told = messageOf(error)
  const why = { text: told.text.replace(/\.$/, ''), shareable: told.shareable }
  if (error instanceof S3Error) {
    const message = tell`A test object could not be downloaded from ${publicEndpoint} (S3_PUBLIC_ENDPOINT) by a signed URL: ${why}.`
    const remedy = tell`That address must lead to the store of S3_ENDPOINT, with host name, path and query as they are asked for; without S3_PUBLIC_ENDPOINT files are downloaded through the service.`
    return problem(name, message, remedy)
  }
  const message = tell`The S3 store works, but nothing answers at ${publicEndpoint} (S3_PUBLIC_ENDPOINT), from where browsers, programs and hubs download files: ${why}.`
  const remedy = tell`Correct S3_PUBLIC_ENDPOINT, or unset it: files are then downloaded through the service. If this machine alone does not reach that address, try it from another one.`
  return warning(name, message, remedy)
}

/** Checks whether the Redis of the settings answers, and which it is. Nothing to say where none is named. */
export async function checkRedis({ redisUrl }: Pick<Config, 'redisUrl'>): Promise<Finding[]> {
  if (redisUrl === undefined) return []
  const name = 'redis'
  const place = new URL(redisUrl).host
  try {
    const { roundTripMs, server, version } = await askRedis(redisUrl)
    const what = shareable(version === undefined ? server : `${server} ${version}`)
    const message = tell`${what} answers at ${place} within ${Math.ceil(roundTripMs)} ms.`
    if (version !== undefined && Number.parseInt(version, 10) < neededRedisMajor) {
      return [warning(name, message, tell`Version ${neededRedisMajor} or newer is needed: upgrade it.`)]
    }
    return [ok(name, message)]
  } catch (error) {
    if (error instanceof RedisRefusedError) {
      const remedy = tell`Correct the name and password in REDIS_URL; the service does not start with these.`
      return [problem(name, tell`Redis at ${place} refuses the credentials.`, remedy)]
    }
    const message = tell`Redis at ${place} does not answer: ${messageOf(error)}`
    const remedy = tell`Check REDIS_URL and the server; until it answers each process counts rate limits alone.`
    return [warning(name, message, remedy)]
  }
}
