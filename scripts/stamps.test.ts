import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { dependenciesStamp, isStamped, removeStamp, writeStamp } from './stamps.mjs'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'stamps-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

test('dependencies are installed again for another lockfile, another major of Node and another platform', () => {
  const stamps = [
    dependenciesStamp('{"a":1}', 24, 'linux-x64'),
    dependenciesStamp('{"a":2}', 24, 'linux-x64'),
    dependenciesStamp('{"a":1}', 26, 'linux-x64'),
    dependenciesStamp('{"a":1}', 24, 'linux-arm64'),
  ]
  expect(new Set(stamps).size).toBe(stamps.length)
  expect(dependenciesStamp(Buffer.from('{"a":1}'), 24, 'linux-x64')).toBe(stamps[0])
})

test('a step is done when its stamp says exactly what is expected', () => {
  const path = join(folder, 'made/on/demand/stamp')
  expect(isStamped(path, 'one')).toBe(false)
  writeStamp(path, 'one')
  expect(isStamped(path, 'one')).toBe(true)
  expect(isStamped(path, 'on')).toBe(false)
  removeStamp(path)
  expect(isStamped(path, 'one')).toBe(false)
})

test('a stamp cut short by a full disk is none', () => {
  const path = join(folder, 'stamp')
  writeFileSync(path, '')
  expect(isStamped(path, 'one')).toBe(false)
})

test('removing a stamp that is not there is fine', () => {
  const path = join(folder, 'stamp')
  removeStamp(path)
  expect(isStamped(path, '')).toBe(false)
})
