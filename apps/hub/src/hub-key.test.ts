import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSealer } from '@printyard/protocol/sealed-connection'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { HubConfigError } from './config.ts'
import { hubKeyPath, loadHubKey } from './hub-key.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'printyard-hub-key-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

test('a hub has one key, which its owner alone can read, also when it is asked for many times at once', async () => {
  const dataDir = join(folder, 'new')
  const keys = await Promise.all(Array.from({ length: 16 }, () => loadHubKey(dataDir)))
  expect(new Set(keys.map(({ publicKey }) => publicKey)).size).toBe(1)
  expect((await stat(hubKeyPath(dataDir))).mode & 0o777).toBe(0o600)
  expect((await loadHubKey(dataDir)).publicKey).toBe(keys[0]?.publicKey)
})

test('it opens what was sealed for it, and takes what came unsealed as it is', async () => {
  const key = await loadHubKey(folder)
  const sealed_connection = createSealer(key.publicKey)({ api_key: 'secret' }, 'prn_1')
  expect(key.openConnection({ connection: {}, sealed_connection }, 'prn_1')).toEqual({ api_key: 'secret' })
  expect(key.openConnection({ connection: { address: 'x' } }, 'prn_1')).toEqual({ address: 'x' })
  expect(() => key.openConnection({ connection: {}, sealed_connection }, 'prn_2')).toThrow()
})

test('a damaged key is named, and never replaced by another one', async () => {
  await writeFile(hubKeyPath(folder), 'no key')
  await expect(loadHubKey(folder)).rejects.toThrow(HubConfigError)
})
