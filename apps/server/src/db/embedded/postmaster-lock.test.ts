import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { findPostmaster, signalPostmaster } from './postmaster-lock.ts'

function makeCluster(): string {
  const clusterDir = mkdtempSync(join(tmpdir(), 'printyard-cluster-'))
  onTestFinished(() => rmSync(clusterDir, { recursive: true, force: true }))
  return clusterDir
}

test.each([
  ['none', undefined],
  ['an empty one', ''],
  ['one of a number that no process has', '4000000\n'],
  ['one of this very process, which works on no cluster', `${process.pid}\n`],
])('of a file of a server that is not there, %s, no server is found', (_, text) => {
  const clusterDir = makeCluster()
  if (text !== undefined) writeFileSync(join(clusterDir, 'postmaster.pid'), text)
  expect(findPostmaster(clusterDir)).toBeUndefined()
})

test('a file that goes while it is read is one of a server that has ended', async () => {
  const clusterDir = makeCluster()
  const path = join(clusterDir, 'postmaster.pid')
  const program = `
    const { rmSync, writeFileSync } = require('node:fs')
    console.log('begins')
    for (const until = Date.now() + 10_000; Date.now() < until; ) {
      writeFileSync(${JSON.stringify(path)}, '4000000')
      rmSync(${JSON.stringify(path)})
    }`
  const other = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void other.kill('SIGKILL'))
  await once(other.stdout, 'data')
  const found = new Set<number | undefined>()
  for (const until = performance.now() + 500; performance.now() < until; ) found.add(findPostmaster(clusterDir))
  expect([...found]).toEqual([undefined])
})

test('a server that has ended before it is told to is no failure', async () => {
  const other = spawn(process.execPath, ['-e', ''])
  await once(other, 'close')
  expect(() => signalPostmaster(other.pid ?? 0, 'SIGINT')).not.toThrow()
})
