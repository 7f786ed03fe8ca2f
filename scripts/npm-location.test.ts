import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findNpmCli } from './npm-location.mjs'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'npm-location-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

function place(path: string): string {
  const file = join(folder, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, '')
  return file
}

test('under npm the npm that runs is taken', () => {
  const npmCli = place('running/bin/npm-cli.js')
  expect(findNpmCli({ npm_execpath: npmCli, PATH: '' }, '/nowhere/node')).toBe(npmCli)
})

test('under another package manager npm is looked for on PATH', () => {
  const yarn = place('yarn/bin/yarn.js')
  const npmCli = place('node/lib/node_modules/npm/bin/npm-cli.js')
  mkdirSync(join(folder, 'node/bin'))
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(folder, 'node/bin/npm'))
  expect(findNpmCli({ npm_execpath: yarn, PATH: join(folder, 'node/bin') }, '/nowhere/node')).toBe(npmCli)
})

test('an npm that is a wrapper instead of a link is seen through', () => {
  const npmCli = place('node/lib/node_modules/npm/bin/npm-cli.js')
  place('node/bin/npm')
  expect(findNpmCli({ PATH: `/does/not/exist:${join(folder, 'node/bin')}` }, '/nowhere/node')).toBe(npmCli)
})

test('a wrapper that leads nowhere is passed over for the npm beside the running Node', () => {
  place('shims/npm')
  const npmCli = place('node/lib/node_modules/npm/bin/npm-cli.js')
  place('node/bin/npm')
  expect(findNpmCli({ PATH: join(folder, 'shims') }, join(folder, 'node/bin/node'))).toBe(npmCli)
})

test('no npm anywhere is told as undefined', () => {
  expect(findNpmCli({ npm_execpath: join(folder, 'gone/npm-cli.js'), PATH: folder }, '/nowhere/node')).toBeUndefined()
})
