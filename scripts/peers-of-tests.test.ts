import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { clientPeers } from './client-peers.mjs'
import { listProgramTests } from './long-files.mjs'
import { projectRoot } from './node24.mjs'
import { npmPeers } from './npm-peers.mjs'
import { peersToLeaveOut, testsOfPeers } from './peers-of-tests.mjs'
import { isPeerThere, leftOutVariable, needsPeers } from './pending-peers.mjs'
import { pythonPeers } from './python-peers.mjs'

const names = [...clientPeers, ...pythonPeers, ...npmPeers].map(({ name }) => name).sort()

test('each program of others has the files with tests that use it, and each such file a program', () => {
  expect(Object.keys(testsOfPeers).sort()).toEqual(names)
  const needing = listProgramTests().filter((file) => needsPeers(join(projectRoot, file)))
  expect([...new Set(Object.values(testsOfPeers).flat())].sort()).toEqual(needing.sort())
})

test('a file that asks for a program by its name is among the files of that program', () => {
  const asked = listProgramTests().flatMap((file) =>
    [...readFileSync(join(projectRoot, file), 'utf8').matchAll(/\bis\w+(?:Installed|There)\('([^']+)'\)/g)].map(
      ([, name = '']) => ({ file, name }),
    ),
  )
  expect(asked.length).toBeGreaterThan(15)
  expect(asked.filter(({ file, name }) => !testsOfPeers[name]?.includes(file))).toEqual([])
})

test('a run leaves out the programs whose tests rest, and within three days installs each', () => {
  const days = [0, 1, 2].map((day) => peersToLeaveOut([], day))
  for (const leftOut of days) {
    expect(leftOut.length).toBeGreaterThan(0)
    expect(leftOut).not.toContain('s3rver')
  }
  expect(names.filter((name) => days.every((leftOut) => leftOut.includes(name)))).toEqual([])
  expect(peersToLeaveOut([])).toEqual([])
})

test('a run of named files installs what these ask for; one with options installs all', () => {
  const left = (...args: string[]) => names.filter((name) => !peersToLeaveOut(args).includes(name))
  expect(left('apps/server/src/kernel/errors.test.ts')).toEqual([])
  expect(left('octorest')).toEqual(['octoprint', 'octorest'])
  expect(left(join(projectRoot, 'e2e/clients/made'), './e2e/program/webhook-receivers.system.test.ts:27')).toEqual([
    'client-go',
    'client-java',
    'openapi-python-client',
    'openapi-typescript',
    'standardwebhooks',
  ])
  expect(left('--project', 'unit')).toEqual(names)
})

test('a test that asks for a program that was left out fails, instead of being skipped', () => {
  vi.stubEnv(leftOutVariable, 'left-out another')
  onTestFinished(() => void vi.unstubAllEnvs())
  expect(() => isPeerThere('left-out')).toThrow('left-out is not installed: scripts/peers-of-tests.mjs')
  expect(isPeerThere('left')).toBe(false)
})
