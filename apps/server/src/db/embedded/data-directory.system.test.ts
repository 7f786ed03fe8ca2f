import { spawn } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startNode } from '../../test/run/child-node.ts'
import { temporaryDirectory } from '../../test/run/temporary-directory.ts'
import { silentLog } from '../setup/database-log.ts'
import { claimDataDirectory, DataDirectoryInUseError, readHolder, requireMajor } from './data-directory.ts'
import { startEmbeddedPostgres } from './embedded-postgres.ts'

const script = join(import.meta.dirname, '..', 'test-processes', 'hold-data-directory.ts')
const hold = (dataDir: string) => startNode(script, [dataDir, 'service'])
const deepPath = Array.from({ length: 12 }, (_, index) => `a-rather-long-folder-name-${index}`).join('/')

test('a second process is told who holds the directory, since when and where it listens', async () => {
  const dataDir = join(temporaryDirectory(), 'data')
  const holder = hold(dataDir)
  const { pid } = await holder.nextMessage<{ pid: number }>()

  const refusal = await claimDataDirectory(dataDir, { purpose: 'service' }).catch((error: unknown) => error)
  expect(refusal).toBeInstanceOf(DataDirectoryInUseError)
  expect(refusal).toMatchObject({ code: 'DATA_DIRECTORY_IN_USE', holder: { pid, purpose: 'service' } })
  expect(String(refusal)).toMatch(new RegExp(`process ${pid} \\(service, since 20.*, at http://127.0.0.1:4400\\)`))
  expect(await readHolder(dataDir)).toMatchObject({ pid, url: 'http://127.0.0.1:4400' })

  holder.child.kill('SIGTERM')
  expect(await holder.ended).toBe('code 0')
  expect(await readHolder(dataDir)).toBeUndefined()
})

test('a directory whose holder was killed is free at once', async () => {
  const dataDir = join(temporaryDirectory(), 'data')
  const holder = hold(dataDir)
  await holder.nextMessage()
  holder.child.kill('SIGKILL')
  await holder.ended

  expect(await readHolder(dataDir)).toBeUndefined()
  const claim = await claimDataDirectory(dataDir, { purpose: 'service' })
  expect(readdirSync(join(dataDir, 'claims'))).toHaveLength(1)
  await claim.release()
  expect(readdirSync(join(dataDir, 'claims'))).toEqual([])
})

test('a dead holder counts as dead even while it is an unreaped zombie', async () => {
  const dataDir = join(temporaryDirectory(), 'data')
  // The shell never waits for its child, so the killed holder stays in the process table.
  const shell = spawn(
    'sh',
    ['-c', '"$0" "$1" "$2" service & echo $!; exec sleep 30', process.execPath, script, dataDir],
    {
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  )
  const lines: string[] = []
  await new Promise<void>((resolve) => {
    shell.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      lines.push(...chunk.trim().split('\n'))
      if (lines.length >= 2) resolve()
    })
  })
  const pid = Number(lines[0])
  process.kill(pid, 'SIGKILL')
  await expect.poll(() => readFileSync(`/proc/${pid}/stat`, 'utf8')).toMatch(/\) Z /)

  const claim = await claimDataDirectory(dataDir, { purpose: 'service' })
  await claim.release()
  shell.kill('SIGKILL')
  expect(claim.dataDir).toBe(dataDir)
})

test('of many processes that start at once exactly one gets the directory', async () => {
  for (let round = 0; round < 3; round += 1) {
    const dataDir = join(temporaryDirectory(), 'data')
    const children = Array.from({ length: 6 }, () => hold(dataDir))
    const answers = await Promise.all(children.map((child) => child.nextMessage<{ pid?: number; code?: string }>()))
    for (const { child } of children) child.kill('SIGTERM')
    await Promise.all(children.map(({ ended }) => ended))
    expect(answers.filter(({ pid }) => pid !== undefined)).toHaveLength(1)
    expect(answers.filter(({ code }) => code === 'DATA_DIRECTORY_IN_USE')).toHaveLength(5)
  }
})

test('claims within one process that start at once let exactly one through', async () => {
  const dataDir = join(temporaryDirectory(), 'data')
  const results = await Promise.allSettled(
    Array.from({ length: 8 }, () => claimDataDirectory(dataDir, { purpose: 'service' })),
  )
  const won = results.filter((result) => result.status === 'fulfilled')
  for (const { value } of won) await value.release()
  expect(won).toHaveLength(1)
})

test('a path longer than a socket may have makes no difference', async () => {
  const dataDir = join(temporaryDirectory(), deepPath, 'data')
  expect(dataDir.length).toBeGreaterThan(250)
  const holder = hold(dataDir)
  const { pid } = await holder.nextMessage<{ pid: number }>()
  await expect(claimDataDirectory(dataDir, { purpose: 'service' })).rejects.toMatchObject({ holder: { pid } })
  holder.child.kill('SIGKILL')
  await holder.ended
  const claim = await claimDataDirectory(dataDir, { purpose: 'service' })
  await claim.release()
})

test('a holder that is stopped and cannot answer still holds', async () => {
  const dataDir = join(temporaryDirectory(), 'data')
  const holder = hold(dataDir)
  await holder.nextMessage()
  holder.child.kill('SIGSTOP')
  const refusal = claimDataDirectory(dataDir, { purpose: 'service' })
  await expect(refusal).rejects.toThrow('in use by another process, which does not answer')
  holder.child.kill('SIGKILL')
  expect(await holder.ended).toBe('signal SIGKILL')
})

test.each([[{ layout_version: 99, postgres_major: 18 }, 'newer Printyard']])(
  'a directory of another version (%o) is refused and left alone',
  async (version, words) => {
    const dataDir = join(temporaryDirectory(), 'data')
    mkdirSync(dataDir)
    writeFileSync(join(dataDir, 'VERSION.json'), JSON.stringify(version))
    await expect(claimDataDirectory(dataDir, { purpose: 'service' })).rejects.toThrow(words)
    expect(JSON.parse(readFileSync(join(dataDir, 'VERSION.json'), 'utf8'))).toEqual(version)
    expect(await readHolder(dataDir)).toBeUndefined()
  },
)

test('a cluster of another PostgreSQL is refused and left alone, with our version file and without', async () => {
  const dataDir = join(temporaryDirectory(), 'data')
  mkdirSync(join(dataDir, 'postgres'), { recursive: true })
  writeFileSync(join(dataDir, 'postgres', 'PG_VERSION'), '16\n')
  const claim = await claimDataDirectory(dataDir, { purpose: 'service' })
  await expect(startEmbeddedPostgres({ claim, log: silentLog })).rejects.toThrow('written by PostgreSQL 16')
  await claim.release()
  expect(readdirSync(join(dataDir, 'postgres'))).toEqual(['PG_VERSION'])
  requireMajor(dataDir, 16)
  expect(JSON.parse(readFileSync(join(dataDir, 'VERSION.json'), 'utf8'))).toMatchObject({ postgres_major: 16 })
  expect(() => requireMajor(dataDir, 18)).toThrow('written by PostgreSQL 16')
})

test('a damaged version file is named', async () => {
  const dataDir = join(temporaryDirectory(), 'data')
  mkdirSync(dataDir)
  writeFileSync(join(dataDir, 'VERSION.json'), '{"layout')
  await expect(claimDataDirectory(dataDir, { purpose: 'service' })).rejects.toThrow('VERSION.json')
})

test('a data directory that cannot be made is refused with the way out', async () => {
  const blocked = join(temporaryDirectory(), 'file')
  writeFileSync(blocked, '')
  const claim = claimDataDirectory(join(blocked, 'data'), { purpose: 'service' })
  await expect(claim).rejects.toMatchObject({ code: 'DATA_DIRECTORY_NOT_WRITABLE' })
  await expect(claim).rejects.toThrow('PRINTYARD_DATA_DIR')
})
