import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { readdir, rm, statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeFarmFolder } from './test/farm-processes.ts'
import { readSlicedFile, startTestFarm, type TestFarm } from './test/test-farm.ts'

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
          { name: 'storage', ok: false, problem: expect.stringContaining('no room') },
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
