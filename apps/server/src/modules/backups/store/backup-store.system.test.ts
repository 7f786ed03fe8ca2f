import { createHash, randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { silentLog } from '../../../db/setup/database-log.ts'
import { openLocalContents } from '../../../file-store/local-file-store.ts'
import type { S3Target } from '../../../file-store/s3-client.ts'
import { readConfig } from '../../../kernel/config.ts'
import { fillLists } from '../../../test/app/filled-lists.ts'
import { createTestApp, type TestApp } from '../../../test/app/test-app.ts'
import { temporaryDirectory } from '../../../test/run/temporary-directory.ts'
import { isS3Installed, startTestS3, type TestS3 } from '../../../test/services/test-s3.ts'
import { openArchiveKey } from '../archive/archive-key.ts'
import { listBackups } from '../archive/backup-folder.ts'
import { makeBackup } from '../archive/make-backup.ts'
import { restoreBackup } from '../archive/restore-backup.ts'
import { copyToStore, listKeys, openBackupStore, removeOldCopies } from './backup-store.ts'
import { withLocalBackup } from './fetch-backup.ts'

const passphrase = 'correct horse battery staple'
const postgres = { account: { uid: 65534, gid: 65534 } }
const isHere = isS3Installed('moto')

let t: TestApp
let s3: TestS3
beforeAll(async () => {
  if (!isHere) return
  t = await createTestApp()
  await fillLists(t.db.sql, (await t.account()).id, 30)
  s3 = await startTestS3('moto', { isStrict: true })
}, 120_000)
afterAll(async () => {
  await s3?.close()
  await t?.close()
})

const settingsOf = (target: S3Target, dataDir: string) =>
  readConfig({
    PRINTYARD_DATA_DIR: dataDir,
    PRINTYARD_BACKUP_S3_ENDPOINT: target.endpoint,
    PRINTYARD_BACKUP_S3_ACCESS_KEY_ID: target.accessKey,
    PRINTYARD_BACKUP_S3_SECRET_ACCESS_KEY: target.secretAccessKey,
  })

/** A folder of backups with one, made of the database and of a small and a large file, and a bucket for its copy. */
async function place(installation = 'inst_1', { isSealed = true } = {}) {
  const path = temporaryDirectory()
  const phrase = isSealed ? passphrase : undefined
  const contents = [randomBytes(1_000), randomBytes(9 * 1024 * 1024)]
  for (const content of contents) {
    const sha256 = createHash('sha256').update(content).digest('hex')
    await mkdir(join(path, 'store', sha256.slice(0, 2)), { recursive: true })
    await writeFile(join(path, 'store', sha256.slice(0, 2), sha256), content)
  }
  const folder = join(path, 'backups')
  const files = openLocalContents(join(path, 'store'))
  const source = { target: t.db.target, files, installation, version: '1.2.3', secretKeyFingerprints: [] }
  const options = { folder, passphrase: phrase, scratchParent: path, postgres, log: silentLog }
  const { name } = await makeBackup(source, options)
  const key = phrase === undefined ? undefined : await openArchiveKey(folder, phrase)
  const target = await s3.makeBucket()
  const config = settingsOf(target, join(path, 'restored'))
  const store = openBackupStore(`s3://${target.bucket}/farm/one`, config)
  const passphraseFile = join(path, 'passphrase')
  await writeFile(passphraseFile, passphrase)
  return { path, contents, folder, name, key, config, store, passphraseFile }
}

test.runIf(isHere)(
  'an encrypted backup goes into a bucket and is restored from there, with every file',
  async () => {
    const { path, contents, folder, name, key, config, store, passphraseFile } = await place()
    await copyToStore(store, folder, name, key)
    const fetched = { from: `${store.url}/${name}`, config, passphraseFile }
    const dataDir = join(path, 'restored')
    const restored = await withLocalBackup(fetched, (from) =>
      restoreBackup({
        from,
        dataDir,
        files: openLocalContents(join(dataDir, 'files')),
        database: undefined,
        passphrase,
        secretKeyFile: undefined,
        secretKey: randomBytes(32).toString('hex'),
        withoutSecretKey: true,
        postgres,
        log: silentLog,
      }),
    )
    expect(restored).toMatchObject({ files: 2, missing_files: [] })
    for (const content of contents) {
      const sha256 = createHash('sha256').update(content).digest('hex')
      expect((await readFile(join(dataDir, 'files', sha256.slice(0, 2), sha256))).equals(content)).toBe(true)
    }
    // What was fetched is gone, and nothing in the bucket says what the files hold.
    expect((await readdir(path)).filter((each) => each.startsWith('printyard-fetched-'))).toEqual([])
    for (const object of (await listKeys(store)).keys()) {
      expect(object).toMatch(/^(?:printyard-backups\.json|keys\/|files-|backup-[^/]+\/)/)
    }
  },
  180_000,
)

test.runIf(isHere)(
  'a copy without its manifest is no backup, another installation is refused, and old copies go',
  async () => {
    const { folder, name, config, store, passphraseFile } = await place('inst_1', { isSealed: false })
    await copyToStore(store, folder, name, undefined)
    const before = await listKeys(store)
    // The same again sends the parts of the backup once more and no file.
    await copyToStore(store, folder, name, undefined)
    expect(await listKeys(store)).toEqual(before)

    const other = await place('inst_2', { isSealed: false })
    const theirs = openBackupStore(store.url, config)
    await expect(copyToStore(theirs, other.folder, other.name, undefined)).rejects.toMatchObject({
      code: 'BACKUP_OF_ANOTHER',
    })

    const older = 'backup-2020-01-01T00-00-00Z'
    const put = (object: string) =>
      store.client.sendForHeaders({ method: 'PUT', key: store.prefix + object, body: Buffer.from('x') })
    for (const part of ['manifest.json', 'database/a.copy.gz']) await put(`${older}/${part}`)
    const broken = 'backup-2026-01-01T00-00-00Z'
    await put(`${broken}/database/a.copy.gz`)
    const fetched = { from: `${store.url}/${broken}`, config, passphraseFile }
    await expect(withLocalBackup(fetched, async () => 'restored')).rejects.toMatchObject({ code: 'BACKUP_NOT_FOUND' })

    expect(await removeOldCopies(store, { daily: 1, weekly: 0, monthly: 0 })).toBe(1)
    const left = [...(await listKeys(store)).keys()]
    expect(left.filter((object) => object.startsWith(older))).toEqual([])
    // One that is being copied by another process is left alone, and the local folder too.
    expect(left).toContain(`${broken}/database/a.copy.gz`)
    expect((await listBackups(folder)).map((backup) => backup.name)).toEqual([name])
  },
  180_000,
)

test.runIf(isHere)(
  'what is wrong with the place or its keys is said, and the backup on the disk stays',
  async () => {
    const { folder, name, config, store } = await place('inst_1', { isSealed: false })
    expect(() => openBackupStore('s3://x', config)).toThrow(/is not a place for backups/)
    expect(() => openBackupStore('s3://farm/a/../b c', config)).toThrow(/is not a place for backups/)
    expect(() => openBackupStore(store.url, readConfig({}))).toThrow(/PRINTYARD_BACKUP_S3_ENDPOINT/)
    const nowhere = openBackupStore('s3://no-such-bucket-here', config)
    const failed = copyToStore(nowhere, folder, name, undefined)
    await expect(failed).rejects.toMatchObject({ code: 'BACKUP_TARGET_UNUSABLE' })
    await expect(failed).rejects.toThrow(/s3:\/\/no-such-bucket-here cannot be used: .*NoSuchBucket/)
    expect((await listBackups(folder)).map((backup) => backup.name)).toEqual([name])
  },
  120_000,
)
