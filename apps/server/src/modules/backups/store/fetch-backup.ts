import { createWriteStream } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Config } from '../../../kernel/config.ts'
import { findArchiveKey, readPassphrase } from '../archive/archive-key.ts'
import { BackupError } from '../archive/backup-error.ts'
import { listPart } from '../archive/make-backup.ts'
import { readPart } from '../archive/parts.ts'
import { FileArchive, readList } from '../archive/stored-files.ts'
import { asStoreError, type BackupStore, isStoreUrl, listKeys, openBackupStore } from './backup-store.ts'

interface WantedBackup {
  /** A folder `backup-…`, or `s3://BUCKET/PREFIX/backup-…`. */
  from: string
  config: Config
  passphraseFile: string | undefined
}

/**
 * Lends a backup as a folder. One in a bucket is fetched beside the data directory, where a restore needs the room anyway, and removed
 * afterwards. What was fetched is checked as every backup is.
 *
 * @throws BackupError
 */
export async function withLocalBackup<T>(
  { from, config, passphraseFile }: WantedBackup,
  work: (path: string) => Promise<T>,
): Promise<T> {
  if (!isStoreUrl(from)) return work(from)
  const [, url = '', name = ''] = /^(.*)\/([^/]+)\/?$/.exec(from) ?? []
  const store = openBackupStore(url, config)
  const parent = dirname(resolve(config.dataDir))
  await mkdir(parent, { recursive: true })
  const folder = await mkdtemp(join(parent, 'printyard-fetched-'))
  try {
    await fetchBackup(store, folder, name, passphraseFile).catch((error: unknown) => {
      throw asStoreError(store, error)
    })
    return await work(join(folder, name))
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 })
  }
}

async function fetchBackup(
  store: BackupStore,
  folder: string,
  name: string,
  passphraseFile: string | undefined,
): Promise<void> {
  const parts = [...(await listKeys(store, `${name}/`)).keys()]
  if (!parts.some((part) => part.startsWith(`${name}/manifest.`))) {
    throw new BackupError(
      'BACKUP_NOT_FOUND',
      `${store.url} has no complete backup ${name}. Name one as \`s3://BUCKET/PREFIX/backup-…\`.`,
    )
  }
  const keys = [...(await listKeys(store, 'keys/')).keys()]
  for (const object of [...parts, ...keys]) await fetchObject(store, object, folder)
  const passphrase = passphraseFile === undefined ? undefined : await readPassphrase(passphraseFile)
  const isSealed = parts.includes(`${name}/manifest.sealed`)
  const key = isSealed && passphrase !== undefined ? await findArchiveKey(folder, passphrase) : undefined
  // Without its key the restore says what is missing; it reads no files before.
  if (isSealed && key === undefined) return
  const archive = new FileArchive(folder, key)
  const { path, form } = listPart(join(folder, name), key)
  for await (const { sha256 } of readList(readPart(path, form))) {
    await fetchObject(store, relative(folder, archive.pathOf(sha256)), folder)
  }
}

async function fetchObject({ client, prefix }: BackupStore, object: string, folder: string): Promise<void> {
  const path = join(folder, object)
  // Keys of a bucket may be of any form; ours stay below the folder.
  if (relative(folder, path).startsWith('..'))
    throw new BackupError('BACKUP_DAMAGED', `${object} is no part of a backup.`)
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const { body } = await client.send({ method: 'GET', key: prefix + object })
  await pipeline(body, createWriteStream(path, { mode: 0o600 }))
}
