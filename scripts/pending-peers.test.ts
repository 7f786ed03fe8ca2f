import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { listProgramTests } from './long-files.mjs'
import { projectRoot } from './node24.mjs'
import { needsPeers, peersInstalled, pendingVariable } from './pending-peers.mjs'

const needing = listProgramTests().filter((file) => needsPeers(join(projectRoot, file)))

test('tests that use a program of others are told by their question for it', () => {
  for (const file of [
    'apps/hub/src/drivers/bambu/bambulabs.real-client.system.test.ts',
    'apps/hub/src/drivers/fdm-monster.real-client.system.test.ts',
    'apps/server/src/file-store/s3-faults.system.test.ts',
    'apps/server/src/modules/materials/spoolman/spoolman.real-client.system.test.ts',
    'e2e/clients/made.clients.test.ts',
    'e2e/clients/python-sdk.clients.test.ts',
    'e2e/program/webhook-receivers.system.test.ts',
  ]) {
    expect(needing).toContain(file)
  }
  expect(needing).not.toContain('apps/server/src/limits/redis-limits.system.test.ts')
  expect(needing.length).toBeLessThan(30)
})

test('no test imports what starts such a program without asking whether it is there', () => {
  const using =
    /from '[^']*\/(?:python-peers|real-octoprint|real-moonraker|fdm-monster\/fdm-monster|test-s3|made-client|pending-peers)(?:\.ts|\.mjs)?'|\.peers\//
  const files = listProgramTests().filter((file) => using.test(readFileSync(join(projectRoot, file), 'utf8')))
  expect(files.length).toBeGreaterThan(10)
  expect(files.filter((file) => !needing.includes(file))).toEqual([])
})

test('they are waited for as long as their installation goes on, and not at all without one', async () => {
  await peersInstalled()
  const folder = mkdtempSync(join(tmpdir(), 'pending-peers-'))
  const pendingFile = join(folder, 'pending')
  vi.stubEnv(pendingVariable, pendingFile)
  onTestFinished(() => {
    vi.unstubAllEnvs()
    rmSync(folder, { recursive: true })
  })
  writeFileSync(pendingFile, '')
  let isOver = false
  const over = peersInstalled().then(() => {
    isOver = true
  })
  await new Promise((resolve) => setTimeout(resolve, 500))
  expect(isOver).toBe(false)
  await expect(peersInstalled(300)).rejects.toThrow(pendingFile)
  rmSync(pendingFile)
  await over
})
