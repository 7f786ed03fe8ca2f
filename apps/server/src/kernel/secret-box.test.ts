import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createSecretBox, forgetFormerSecretKey, loadSecretKey, openSecretBox, rotateSecretKey } from './secret-box.ts'

let directory: string
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'printyard-secret-'))
})
afterEach(() => rm(directory, { recursive: true, force: true }))

const box = createSecretBox('12'.repeat(32))

test('what is sealed opens again, and never shows what it holds', () => {
  const sealed = box.seal({ access_code: 'A1B2C3D4' }, 'prn_1')
  expect(sealed.toString('latin1')).not.toContain('A1B2C3D4')
  expect(box.open(sealed, 'prn_1')).toEqual({ access_code: 'A1B2C3D4' })
})

test('a sealed value moved to another row, changed, or opened with another key does not open', () => {
  const sealed = box.seal({ a: 1 }, 'prn_1')
  const changed = Buffer.from(sealed)
  changed[changed.length - 1] = (changed.at(-1) ?? 0) ^ 1
  expect(() => box.open(sealed, 'prn_2')).toThrow()
  expect(() => box.open(changed, 'prn_1')).toThrow()
  expect(() => createSecretBox('34'.repeat(32)).open(sealed, 'prn_1')).toThrow()
})

test('starters at the same time agree on one key, readable by its owner only', async () => {
  const keys = await Promise.all(Array.from({ length: 32 }, () => loadSecretKey(directory)))
  expect(new Set(keys).size).toBe(1)
  const path = join(directory, 'secret.key')
  expect((await stat(path)).mode & 0o777).toBe(0o600)
  expect((await readFile(path, 'utf8')).trim()).toBe(keys[0])
  expect(await readdir(directory), 'no half-written key is left beside it').toEqual(['secret.key'])
})

test('a damaged key is refused instead of replaced: what it sealed could never be opened again', async () => {
  await writeFile(join(directory, 'secret.key'), 'oops')
  await expect(loadSecretKey(directory)).rejects.toThrow(/secret.key is damaged/)
})

test('what a former key sealed is opened after a rotation, and sealed by the new one from then on', async () => {
  const before = await openSecretBox({ dataDir: directory })
  const sealed = before.seal({ api_key: 'x' }, 'prn_1')
  const { key, former } = await rotateSecretKey(directory)
  expect(key).not.toBe(former)
  const during = await openSecretBox({ dataDir: directory })
  expect(during.open(sealed, 'prn_1')).toEqual({ api_key: 'x' })
  expect(during.formerSigns('text')).toEqual([before.sign('text')])
  expect(during.sign('text')).not.toBe(before.sign('text'))
  expect(() => before.open(during.seal('new', 'prn_1'), 'prn_1')).toThrow()
  expect(() => during.open(sealed, 'prn_2')).toThrow()

  expect(await forgetFormerSecretKey(directory)).toBe(true)
  const after = await openSecretBox({ dataDir: directory })
  expect(() => after.open(sealed, 'prn_1')).toThrow()
  expect(after.open(during.seal('new', 'prn_1'), 'prn_1')).toBe('new')
  expect(await forgetFormerSecretKey(directory)).toBe(false)
})

test.each([
  ['before the new key has its place', ['secret.key', 'secret.key.next']],
  ['when the present key has its second name', ['secret.key', 'secret.key.former', 'secret.key.next']],
])('a rotation that is broken off %s loses no key and goes on with the same new one', async (_, files) => {
  const [present, next] = ['12'.repeat(32), '34'.repeat(32)]
  for (const name of files) {
    await writeFile(join(directory, name), `${name === 'secret.key.next' ? next : present}\n`, { mode: 0o600 })
  }
  const sealed = createSecretBox(present).seal('kept', 'prn_1')
  expect((await openSecretBox({ dataDir: directory })).open(sealed, 'prn_1')).toBe('kept')
  expect(await rotateSecretKey(directory)).toEqual({ key: next, former: present })
  expect((await readdir(directory)).sort()).toEqual(['secret.key', 'secret.key.former'])
  expect((await openSecretBox({ dataDir: directory })).open(sealed, 'prn_1')).toBe('kept')
})

test('a second rotation waits for the end of the one before', async () => {
  await rotateSecretKey(directory)
  await expect(rotateSecretKey(directory)).rejects.toThrow(/not over/)
})
