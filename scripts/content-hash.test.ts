import { cpSync, mkdirSync, mkdtempSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { hashContents } from './content-hash.mjs'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'content-hash-'))
  mkdirSync(join(root, 'web/src'), { recursive: true })
  writeFileSync(join(root, 'web/index.html'), '<main></main>')
  writeFileSync(join(root, 'web/src/main.ts'), 'start()')
  writeFileSync(join(root, 'lock.json'), '{}')
})
afterEach(() => rmSync(root, { recursive: true }))

const hash = (isLeftOut?: (name: string) => boolean) => hashContents(root, ['web', 'lock.json'], isLeftOut)

test('a copy has the same hash whatever its times and its place', () => {
  const before = hash()
  const copy = `${root}-copy`
  cpSync(root, copy, { recursive: true })
  utimesSync(join(copy, 'web/src/main.ts'), 0, 0)
  expect(hashContents(copy, ['web', 'lock.json'])).toBe(before)
  rmSync(copy, { recursive: true })
})

test('a changed byte, a new file, a moved file and a changed single file each change the hash', () => {
  const hashes = [hash()]
  writeFileSync(join(root, 'web/src/main.ts'), 'start!)')
  hashes.push(hash())
  writeFileSync(join(root, 'web/src/empty.ts'), '')
  hashes.push(hash())
  renameSync(join(root, 'web/src/empty.ts'), join(root, 'web/src/void.ts'))
  hashes.push(hash())
  writeFileSync(join(root, 'lock.json'), '{ }')
  hashes.push(hash())
  expect(new Set(hashes).size).toBe(hashes.length)
})

test('bytes that move from one file to the next change the hash', () => {
  writeFileSync(join(root, 'web/src/a'), 'xy')
  writeFileSync(join(root, 'web/src/b'), 'z')
  const before = hash()
  writeFileSync(join(root, 'web/src/a'), 'x')
  writeFileSync(join(root, 'web/src/b'), 'yz')
  expect(hash()).not.toBe(before)
})

test('a folder that is left out is left out with everything in it', () => {
  const isLeftOut = (name: string) => name === 'web/dist'
  const before = hash(isLeftOut)
  mkdirSync(join(root, 'web/dist/assets'), { recursive: true })
  writeFileSync(join(root, 'web/dist/assets/app.js'), 'built')
  expect(hash(isLeftOut)).toBe(before)
  expect(hash()).not.toBe(before)
})

test('a path that does not exist is an error, not an empty hash', () => {
  expect(() => hashContents(root, ['gone'])).toThrow('ENOENT')
})
