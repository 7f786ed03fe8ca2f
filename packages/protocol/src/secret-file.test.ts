import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { writeSecretOnce } from './secret-file.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'printyard-secret-file-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

test('of many writers at once one has its text kept, whole, for its owner alone, and nothing else stays', async () => {
  const path = join(folder, 'secret.key')
  const texts = Array.from({ length: 16 }, (_, number) => String(number).repeat(1_000))
  await Promise.all(texts.map((text) => writeSecretOnce(path, text)))
  const kept = await readFile(path, 'utf8')
  expect(texts).toContain(kept)
  expect((await stat(path)).mode & 0o777).toBe(0o600)
  await writeSecretOnce(path, 'later')
  expect(await readFile(path, 'utf8')).toBe(kept)
  expect(await readdir(folder)).toEqual(['secret.key'])
})

test('where no file can be made the writer is told, and nothing stays', async () => {
  await expect(writeSecretOnce(join(folder, 'missing', 'secret.key'), 'text')).rejects.toMatchObject({ code: 'ENOENT' })
  expect(await readdir(folder)).toEqual([])
})
