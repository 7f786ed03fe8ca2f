import { createReadStream } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { S3Client, tagsOf } from '../../../file-store/s3-client.ts'
import { openS3Contents } from '../../../file-store/s3-contents.ts'
import { S3Error } from '../../../file-store/s3-error.ts'
import { type Config, storeUrlPattern } from '../../../kernel/config.ts'
import type { ArchiveKey } from '../archive/archive-key.ts'
import { BackupError } from '../archive/backup-error.ts'
import { ownerFile, takenAtOf } from '../archive/backup-folder.ts'
import type { OnBackupProgress } from '../archive/backup-progress.ts'
import { chooseKept, type KeepRule } from '../archive/kept-backups.ts'
import { listPart } from '../archive/make-backup.ts'
import { hashOf, readPart } from '../archive/parts.ts'
import { FileArchive, readList } from '../archive/stored-files.ts'

/** A place in a bucket where copies of backups lie, by the names that they have in their folder. */
export interface BackupStore {
  client: S3Client
  /** `s3://BUCKET/PREFIX` */
  url: string
  /** What keys begin with: empty, or ending with a slash. */
  prefix: string
}

type StoreSettings = Pick<
  Config,
  'backupS3Endpoint' | 'backupS3AccessKeyId' | 'backupS3SecretAccessKey' | 'backupS3Region'
>

export const isStoreUrl = (target: string) => /^s3:/i.test(target)

/** @throws BackupError `BACKUP_TARGET_UNKNOWN` when the address has another form, or the settings have no keys */
export function openBackupStore(url: string, config: StoreSettings): BackupStore {
  const { backupS3Endpoint, backupS3AccessKeyId, backupS3SecretAccessKey, backupS3Region } = config
  if (!new RegExp(storeUrlPattern).test(url)) {
    const words = `${url} is not a place for backups. Write it as s3://BUCKET or s3://BUCKET/PREFIX.`
    throw new BackupError('BACKUP_TARGET_UNKNOWN', words)
  }
  if (!backupS3Endpoint || !backupS3AccessKeyId || !backupS3SecretAccessKey) {
    const words =
      'Backups in an S3 store need PRINTYARD_BACKUP_S3_ENDPOINT, PRINTYARD_BACKUP_S3_ACCESS_KEY_ID and PRINTYARD_BACKUP_S3_SECRET_ACCESS_KEY.'
    throw new BackupError('BACKUP_TARGET_UNKNOWN', words)
  }
  const [bucket = '', ...segments] = url.slice('s3://'.length).split('/')
  const client = new S3Client({
    endpoint: backupS3Endpoint,
    bucket,
    accessKey: backupS3AccessKeyId,
    secretAccessKey: backupS3SecretAccessKey,
    region: backupS3Region,
  })
  return { client, url, prefix: segments.map((segment) => `${segment}/`).join('') }
}

/**
 * Copies a complete backup and what belongs to it. Its manifest goes last: without it what lies there is no backup. The store checks the hash
 * of every part that it takes, and afterwards the list of the bucket is compared with what was sent.
 *
 * @throws BackupError `BACKUP_TARGET_UNUSABLE`, `BACKUP_OF_ANOTHER`
 */
export async function copyToStore(
  store: BackupStore,
  folder: string,
  name: string,
  key: ArchiveKey | undefined,
  onProgress: OnBackupProgress = () => undefined,
): Promise<void> {
  try {
    await claimPlace(store, folder)
    const there = await listKeys(store)
    const paths = await pathsOf(folder, name, key)
    const sizes = new Map<string, number>()
    for (const path of paths) sizes.set(relative(folder, path), (await stat(path)).size)
    const total = [...sizes.values()].reduce((sum, size) => sum + size, 0)
    let done = 0
    for (const path of paths) {
      const object = relative(folder, path)
      const size = sizes.get(object) ?? 0
      // Files have the name of their content, and keys never change.
      if (object.startsWith(`${name}/`) || there.get(object) !== size) await send(store, object, path)
      done += size
      onProgress({ step: 'copy', done, total })
    }
    const now = await listKeys(store)
    const missing = [...sizes].filter(([object, size]) => now.get(object) !== size)
    if (missing.length > 0) throw unusable(store, `it does not list what it took: ${missing[0]?.[0]}`)
  } catch (error) {
    throw asStoreError(store, error)
  }
}

/** Everything that a backup needs, its manifest last. */
async function pathsOf(folder: string, name: string, key: ArchiveKey | undefined): Promise<string[]> {
  const keys = await readdir(join(folder, 'keys')).catch(() => [])
  const archive = new FileArchive(folder, key)
  const files: string[] = []
  const { path, form } = listPart(join(folder, name), key)
  for await (const { sha256 } of readList(readPart(path, form))) files.push(archive.pathOf(sha256))
  const entries = await readdir(join(folder, name), { recursive: true, withFileTypes: true })
  const parts = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const isManifest = (part: string) => relative(join(folder, name), part).startsWith('manifest.')
  return [
    ...keys.map((each) => join(folder, 'keys', each)),
    ...files,
    ...parts.filter((part) => !isManifest(part)),
    ...parts.filter(isManifest),
  ]
}

async function send({ client, prefix, url }: BackupStore, object: string, path: string): Promise<void> {
  const sha256 = await hashOf(createReadStream(path))
  const isWhole = await openS3Contents(client).put(prefix + object, sha256, createReadStream(path))
  if (!isWhole) throw new BackupError('BACKUP_DAMAGED', `${path} changed while it was copied to ${url}.`)
}

/** Says whose backups lie there, or finds that they are ours. */
async function claimPlace(store: BackupStore, folder: string): Promise<void> {
  const { client, prefix, url } = store
  const own = await readFile(join(folder, ownerFile))
  const there = await readObject(store, ownerFile)
  if (there === undefined) {
    await client.sendForHeaders({ method: 'PUT', key: prefix + ownerFile, body: own })
  } else if (there.toString().trim() !== own.toString().trim()) {
    const words = `${url} holds the backups of another installation. Choose a place for this one alone.`
    throw new BackupError('BACKUP_OF_ANOTHER', words)
  }
}

/** Undefined where there is none. */
async function readObject({ client, prefix }: BackupStore, object: string): Promise<Buffer | undefined> {
  try {
    const { body } = await client.send({ method: 'GET', key: prefix + object })
    return Buffer.concat(await body.toArray())
  } catch (error) {
    if (error instanceof S3Error && error.code === 'NoSuchKey') return undefined
    throw error
  }
}

/** Answers what lies there, by its path below the prefix, with its size. */
export async function listKeys({ client, prefix }: BackupStore, below = ''): Promise<Map<string, number>> {
  const found = new Map<string, number>()
  const first = { 'list-type': '2', 'max-keys': '1000', prefix: prefix + below }
  let query: Record<string, string> | undefined = first
  while (query !== undefined) {
    const page: string = await client.sendForText({ method: 'GET', query })
    for (const [, entry = ''] of page.matchAll(/<Contents>(.*?)<\/Contents>/gs)) {
      const [key] = tagsOf(entry, 'Key')
      if (key?.startsWith(prefix)) found.set(key.slice(prefix.length), Number(tagsOf(entry, 'Size')[0]))
    }
    const [token] = tagsOf(page, 'NextContinuationToken')
    query = token ? { ...first, 'continuation-token': token } : undefined
  }
  return found
}

/**
 * Removes the copies that a rule does not keep, chosen among what lies there: that a backup is gone from its disk is no reason to
 * remove its copy. Its manifest goes first. Files stay: they may belong to other copies.
 *
 * @throws BackupError `BACKUP_TARGET_UNUSABLE`
 */
export async function removeOldCopies(store: BackupStore, rule: KeepRule): Promise<number> {
  try {
    const there = await listKeys(store, 'backup-')
    const complete = [...there.keys()].flatMap((object) => {
      const [, name = ''] = /^([^/]+)\/manifest\.(?:json|sealed)$/.exec(object) ?? []
      const takenAt = takenAtOf(name)
      return takenAt === undefined ? [] : [{ name, takenAt }]
    })
    const kept = new Set(chooseKept(complete, rule).map(({ name }) => name))
    const old = complete.filter(({ name }) => !kept.has(name))
    for (const { name } of old) {
      const parts = [...there.keys()].filter((object) => object.startsWith(`${name}/`))
      const isManifest = (object: string) => object.startsWith(`${name}/manifest.`)
      for (const object of [...parts.filter(isManifest), ...parts.filter((part) => !isManifest(part))]) {
        await store.client.sendForHeaders({ method: 'DELETE', key: store.prefix + object })
      }
    }
    return old.length
  } catch (error) {
    throw asStoreError(store, error)
  }
}

/** A failed request as an error that says what to look at. */
export function asStoreError(store: BackupStore, error: unknown): unknown {
  if (error instanceof BackupError || !(error instanceof Error)) return error
  const { cause } = error
  // What the file store of the service says of its own bucket is of another one here: the store's answer says more.
  const reason = cause instanceof Error ? cause.message : error.message
  return unusable(store, reason.replace(/\.$/, ''), error)
}

function unusable({ url }: BackupStore, reason: string, cause?: Error): BackupError {
  const words = `${url} cannot be used: ${reason}. What is on the disk of the service stays as it is.`
  return new BackupError('BACKUP_TARGET_UNUSABLE', words, { cause })
}
