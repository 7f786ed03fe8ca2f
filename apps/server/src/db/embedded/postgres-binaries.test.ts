import { chmodSync, existsSync, mkdirSync, readdirSync, readlinkSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startNode } from '../../test/run/child-node.ts'
import { temporaryDirectory } from '../../test/run/temporary-directory.ts'
import { completeSharedLibraries, findPostgresBinaries, packageFor } from './postgres-binaries.ts'

const script = join(import.meta.dirname, '..', 'test-processes', 'complete-libraries.ts')
const links = [
  { source: 'native/lib/libpq.so.5.18', target: 'native/lib/libpq.so.5' },
  { source: 'native/lib/libpq.so.5.18', target: 'native/lib/libpq.so' },
]

function buildPackage(): string {
  const native = join(temporaryDirectory(), 'native')
  mkdirSync(join(native, 'lib'), { recursive: true })
  writeFileSync(join(native, 'lib', 'libpq.so.5.18'), 'library')
  writeFileSync(join(native, 'pg-symlinks.json'), JSON.stringify(links))
  return native
}

test('the installed package has its programs and complete libraries', () => {
  const binaries = findPostgresBinaries()
  expect(existsSync(binaries.initdb)).toBe(true)
  expect(existsSync(binaries.postgres)).toBe(true)
  expect(existsSync(join(binaries.directory, 'share', 'postgresql'))).toBe(true)
})

test.each([
  [{ os: 'win32', architecture: 'x64', hasGlibc: false }, 'win32 on x64'],
  [{ os: 'linux', architecture: 'arm', hasGlibc: true }, 'linux on arm'],
  [{ os: 'linux', architecture: 'x64', hasGlibc: false }, 'musl'],
])('an unsupported platform %o is told so, with DATABASE_URL as the way out', (platform, words) => {
  expect(() => packageFor(platform)).toThrow(words)
  expect(() => packageFor(platform)).toThrow('DATABASE_URL')
})

test('missing links of libraries are made, and nothing else is left behind', () => {
  const native = buildPackage()
  completeSharedLibraries(native)
  expect(readdirSync(join(native, 'lib')).sort()).toEqual(['libpq.so', 'libpq.so.5', 'libpq.so.5.18'])
  expect(readlinkSync(join(native, 'lib', 'libpq.so.5'))).toBe('libpq.so.5.18')
})

test('processes that complete the links at once all succeed', async () => {
  const native = buildPackage()
  const children = Array.from({ length: 4 }, () => startNode(script, [native]))
  const answers = await Promise.all(children.map((child) => child.nextMessage()))
  expect(answers).toEqual(Array(4).fill({ done: true }))
  expect(readdirSync(join(native, 'lib')).sort()).toEqual(['libpq.so', 'libpq.so.5', 'libpq.so.5.18'])
})

test('a complete package in a directory that cannot be written is used as it is', () => {
  const native = buildPackage()
  completeSharedLibraries(native)
  const libraries = join(native, 'lib')
  chmodSync(libraries, 0o555)
  // Root could write anyway, so the proof is that nothing was tried: the directory has not changed.
  const { mtimeMs } = statSync(libraries)
  completeSharedLibraries(native)
  expect(statSync(libraries).mtimeMs).toBe(mtimeMs)
  chmodSync(libraries, 0o755)
})

test('links that cannot be made are reported with the path and DATABASE_URL', () => {
  const native = buildPackage()
  rmSync(join(native, 'lib'), { recursive: true })
  expect(() => completeSharedLibraries(native)).toThrow(
    /lib\/libpq\.so\.5, and it cannot be made \(ENOENT\).*DATABASE_URL/,
  )
})
