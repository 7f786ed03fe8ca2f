import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { chown, readdir, rm, stat, statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { mountSmallDisk } from '@printyard/hub/test/small-disk'
import { openDriver } from '@printyard/server/db/driver/open-driver'
import { createTestApp } from '@printyard/server/test/app/test-app'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeFarmFolder } from '../test/farm-processes.ts'
import { readSlicedFile, startTestFarm, type TestFarm } from '../test/test-farm.ts'

const mb = 1024 * 1024
/** The service keeps 64 MB free for the database; above that there is room for little. */
const diskMb = 80

// Only root may mount a disk of its own.
describe.skipIf(process.getuid?.() !== 0)('on a disk for files that is full', () => {
  let folder: Awaited<ReturnType<typeof makeFarmFolder>>
  let filesDir: string
  let farm: TestFarm
  let formerFileId: string

  beforeAll(async () => {
    folder = await makeFarmFolder()
    filesDir = join(folder.path, 'data', 'files')
    mkdirSync(filesDir, { recursive: true, mode: 0o700 })
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${diskMb}m,mode=700`, 'tmpfs', filesDir])
    farm = await startTestFarm({ dataDir: join(folder.path, 'data') })
    formerFileId = await farm.addFile()
  }, 90_000)
  afterAll(async () => {
    await farm?.end()
    execFileSync('umount', ['-l', filesDir])
    await folder?.remove()
  }, 30_000)

  const readiness = async () => {
    const answer = await fetch(`${farm.service.url}/readyz`)
    return { status: answer.status, body: (await answer.json()) as { checks: unknown[] } }
  }
  const incoming = () => readdir(join(filesDir, 'incoming'))
  const isFull = { status: 503, body: { error: { code: 'STORAGE_FULL' } } }

  test('a file that does not fit is refused without a trace, announced or not; a small one still fits', async () => {
    const tooLarge = new Uint8Array(30 * mb).fill(71)
    const announced = await farm.put(await farm.openUpload(), tooLarge)
    expect(announced).toMatchObject(isFull)
    expect(announced.headers.get('retry-after')).toBe('60')
    expect(await incoming()).toEqual([])

    expect(await farm.putStream(await farm.openUpload(), tooLarge.length * 3)).toMatchObject(isFull)
    expect(await incoming()).toEqual([])

    expect(await readiness()).toMatchObject({ status: 200 })
    const small = await farm.addFile(new Uint8Array([...(await readSlicedFile()), 10]))
    await farm.ask(201, 'POST', '/jobs', { print_file_id: small })
    await farm.ask(201, 'POST', '/jobs', { print_file_id: formerFileId })
  })

  test('when nothing more fits, readiness says so, uploads are refused, and the rest goes on', async () => {
    const { bavail, bsize } = await statfs(filesDir)
    const filler = join(filesDir, 'filler')
    await writeFile(filler, Buffer.alloc(bavail * bsize - 32 * mb))
    expect(await readiness()).toEqual({
      status: 503,
      body: expect.objectContaining({
        status: 'not_ready',
        checks: [
          { name: 'database', ok: true },
          { name: 'storage', ok: false, problem: expect.stringContaining('is full') },
        ],
      }),
    })
    const token = await farm.openUpload()
    expect(await farm.put(token, await readSlicedFile())).toMatchObject(isFull)
    expect(await incoming()).toEqual([])
    await farm.ask(201, 'POST', '/jobs', { print_file_id: formerFileId })

    await rm(filler)
    expect(await readiness()).toMatchObject({ status: 200 })
    expect(await farm.put(token, await readSlicedFile())).toMatchObject({ status: 200 })
  })
})

// Only root may mount a disk, and give it to the user that the database runs as.
test.skipIf(process.getuid?.() !== 0)(
  'on a full disk of the database what writes is told so, and all else goes on',
  async () => {
    const folder = await makeFarmFolder()
    const t = await createTestApp()
    const unmount = mountSmallDisk(folder.path, '64k')
    const sql = openDriver(t.db.target, 'printyard test')
    const tablespace = `small_${process.pid}_${Date.now()}`
    try {
      const [{ directory } = { directory: '' }] = await sql<{ directory: string }[]>`
      select setting as directory from pg_settings where name = 'data_directory'`
      const { uid, gid } = await stat(directory)
      await chown(folder.path, uid, gid)
      await sql.unsafe(`create tablespace ${tablespace} location '${folder.path}'`)
      await sql.unsafe(`alter table worklist_tasks set tablespace ${tablespace}`)
      const account = await t.account()
      const task = { title: 'Look', task_type: 'maintenance', description: 'x'.repeat(2_000) }
      const add = () => account.request('POST', '/worklist', task)
      let answer = await add()
      for (let count = 0; answer.statusCode === 201 && count < 200; count += 1) answer = await add()
      expect(answer.statusCode).toBe(503)
      expect(answer.json().error.code).toBe('STORAGE_FULL')
      expect(answer.headers['retry-after']).toBe('60')
      expect((await account.request('GET', '/worklist')).statusCode).toBe(200)
      const color = await account.request('POST', '/colors', { color_name: 'Night', hex_code: '#000000' })
      expect(color.statusCode).toBe(201)
      await sql.unsafe('alter table worklist_tasks set tablespace pg_default')
      expect((await add()).statusCode).toBe(201)
    } finally {
      await sql.unsafe('alter table worklist_tasks set tablespace pg_default').catch(() => undefined)
      await sql.unsafe(`drop tablespace if exists ${tablespace}`)
      await sql.end()
      await t.close()
      unmount?.()
      await folder.remove()
    }
  },
)
