import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startNode } from '../../test/run/child-node.ts'
import { temporaryDirectory } from '../../test/run/temporary-directory.ts'
import { openDatabase } from '../database.ts'
import { type DatabaseLog, silentLog } from '../setup/database-log.ts'
import { claimDataDirectory } from './data-directory.ts'
import { type EmbeddedPostgres, type EmbeddedPostgresOptions, startEmbeddedPostgres } from './embedded-postgres.ts'

const script = join(import.meta.dirname, '..', 'test-processes', 'run-database.ts')
const isRoot = process.getuid?.() === 0

async function start(dataDir: string, options: Partial<EmbeddedPostgresOptions> = {}): Promise<EmbeddedPostgres> {
  const claim = await claimDataDirectory(dataDir, { purpose: 'service' })
  onTestFinished(() => claim.release())
  const server = await startEmbeddedPostgres({ claim, log: silentLog, ...options })
  onTestFinished(() => server.stop())
  return server
}

async function ask(server: EmbeddedPostgres, setting: string): Promise<unknown> {
  const database = openDatabase({ target: server.connection })
  try {
    const [row] = await database.sql`select current_setting(${setting}) as value`
    return row?.value
  } finally {
    await database.close()
  }
}

function collectLog(): { log: DatabaseLog; lines: string[] } {
  const lines: string[] = []
  const add = (details: object, message: string) => lines.push(`${message} ${JSON.stringify(details)}`)
  return { log: { debug: () => undefined, info: add, warn: add, error: add }, lines }
}

test('the first start makes a durable database with a locale that no library can change', async () => {
  const server = await start(join(temporaryDirectory(), 'data'))
  expect(await ask(server, 'fsync')).toBe('on')
  expect(await ask(server, 'listen_addresses')).toBe('')
  expect(await ask(server, 'data_checksums')).toBe('on')
  const database = openDatabase({ target: server.connection })
  const [row] = await database.sql`
    select datlocprovider::text as provider, datlocale as locale, datcollate as collation, lower('ÄÖ') as lowered
    from pg_database where datname = current_database()`
  await database.close()
  expect(row).toEqual({ provider: 'b', locale: 'C.UTF-8', collation: 'C', lowered: 'äö' })
})

test('an orderly stop does not wait, even amid a long statement, and loses nothing', async () => {
  const dataDir = join(temporaryDirectory(), 'data')
  const child = startNode(script, [dataDir, 'service'])
  await child.nextMessage()
  child.child.kill('SIGTERM')
  const { stoppedInMs } = await child.nextMessage<{ stoppedInMs: number }>()
  expect(await child.ended).toBe('code 0')
  expect(stoppedInMs).toBeLessThan(10_000)

  const server = await start(dataDir)
  const database = openDatabase({ target: server.connection })
  const slow = database.sql`select pg_sleep(30)`.catch((error: unknown) => error)
  await database.sql`insert into accounts (id, name) values ('kept', 'kept')`
  const startedAt = performance.now()
  await server.stop()
  expect(performance.now() - startedAt).toBeLessThan(10_000)
  expect(await slow).toBeInstanceOf(Error)
  await database.close()
  expect(server.state).toBe('stopped')
})

test('a database that outlived its killed service is taken over with every acknowledged row', async () => {
  const dataDir = join(temporaryDirectory(), 'data')
  const first = startNode(script, [dataDir, 'service', 'insert'])
  const { postgresPid } = await first.nextMessage<{ postgresPid: number }>()
  let acknowledged = 0
  while (acknowledged < 200) acknowledged = (await first.nextMessage<{ inserted: number }>()).inserted
  first.child.kill('SIGKILL')
  await first.ended
  expect(() => process.kill(postgresPid, 0)).not.toThrow()

  const second = startNode(script, [dataDir, 'service'])
  const answer = await second.nextMessage<{ adopted: boolean; postgresPid: number; accounts: number }>()
  expect(answer).toMatchObject({ adopted: true })
  second.child.kill('SIGTERM')
  expect(await second.ended).toBe('code 0')
  expect(answer.postgresPid).not.toBe(postgresPid)
  expect(answer.accounts).toBeGreaterThanOrEqual(acknowledged)
})

test('a power cut, service and database killed at once, loses no acknowledged row', async () => {
  const dataDir = join(temporaryDirectory(), 'data')
  const first = startNode(script, [dataDir, 'service', 'insert'])
  const { postgresPid } = await first.nextMessage<{ postgresPid: number }>()
  let acknowledged = 0
  while (acknowledged < 200) acknowledged = (await first.nextMessage<{ inserted: number }>()).inserted
  process.kill(postgresPid, 'SIGKILL')
  first.child.kill('SIGKILL')
  await first.ended

  const second = startNode(script, [dataDir, 'service'])
  const answer = await second.nextMessage<{ adopted: boolean; accounts: number }>()
  expect(answer).toMatchObject({ adopted: false })
  second.child.kill('SIGTERM')
  expect(await second.ended).toBe('code 0')
  expect(answer.accounts).toBeGreaterThanOrEqual(acknowledged)
})

test('a database that dies is started again and the same pool reaches it', async () => {
  const { log, lines } = collectLog()
  const server = await start(join(temporaryDirectory(), 'data'), { log })
  const database = openDatabase({ target: server.connection })
  const pid = server.pid ?? 0
  await database.sql`select 1`
  process.kill(pid, 'SIGKILL')
  await expect.poll(() => server.state, { interval: 1 }).toBe('restarting')
  await expect.poll(() => database.sql`select 1 as alive`.catch(() => []), { timeout: 10_000 }).toEqual([{ alive: 1 }])
  // It may answer a moment before it is known to run.
  await expect.poll(() => server.state, { timeout: 10_000 }).toBe('running')
  expect(server.pid).not.toBe(pid)
  expect(lines.join('\n')).toContain('ended unexpectedly')
  await database.close()
})

test('a database that cannot be started again is given up with its own words', async () => {
  const dataDir = join(temporaryDirectory(), 'data')
  const server = await start(dataDir, { longestRestartDelayMs: 50 })
  const configuration = join(dataDir, 'postgres', 'postgresql.conf')
  writeFileSync(configuration, `${readFileSync(configuration, 'utf8')}\nno_such_setting = 1\n`)
  process.kill(server.pid ?? 0, 'SIGKILL')
  const error = await server.failed
  expect(error).toMatchObject({ code: 'POSTGRES_FAILED' })
  expect(error.message).toContain('no_such_setting')
  expect(server.state).toBe('failed')
})

test('lock files that name a living stranger do not keep the database from starting', async () => {
  const dataDir = join(temporaryDirectory(), 'data')
  const first = await start(dataDir)
  // Alive, and run by the very user of PostgreSQL, as it happens where pids are few.
  const stranger = spawn('sleep', ['60'], isRoot ? { uid: 65534, gid: 65534 } : {})
  onTestFinished(() => void stranger.kill('SIGKILL'))
  const locks = [join(dataDir, 'postgres', 'postmaster.pid'), join(dataDir, 'run', '.s.PGSQL.5432.lock')].map(
    (path) => ({
      path,
      text: readFileSync(path, 'utf8').replace(/^\d+/, String(stranger.pid)),
    }),
  )
  await first.stop()
  for (const { path, text } of locks) writeFileSync(path, text)
  const claim = { dataDir, announce: () => undefined, release: async () => undefined }
  const second = await startEmbeddedPostgres({ claim, log: silentLog })
  expect(second.adopted).toBe(false)
  await second.stop()
})

test('an initdb killed half way leaves nothing in the way of the next start', async () => {
  const dataDir = join(temporaryDirectory(), 'data')
  const child = startNode(script, [dataDir, 'service'])
  const isDrafting = () =>
    existsSync(dataDir) && readdirSync(dataDir).some((name) => name.startsWith('postgres.draft-'))
  await expect.poll(isDrafting, { interval: 1, timeout: 10_000 }).toBe(true)
  child.child.kill('SIGKILL')
  await child.ended
  expect(existsSync(join(dataDir, 'postgres'))).toBe(false)

  const server = await start(dataDir)
  expect(await ask(server, 'fsync')).toBe('on')
  expect(isDrafting()).toBe(false)
})

test('a data directory deeper than a socket path may be works', async () => {
  const deep = Array.from({ length: 12 }, (_, index) => `a-rather-long-folder-name-${index}`).join('/')
  const server = await start(join(temporaryDirectory(), deep, 'data'))
  expect(await ask(server, 'fsync')).toBe('on')
})

test('a start that is too slow is given up in time', async () => {
  const claim = await claimDataDirectory(join(temporaryDirectory(), 'data'), { purpose: 'service' })
  onTestFinished(() => claim.release())
  // It answers at another socket, so never at that where it is asked.
  const settings = { unix_socket_directories: '.' }
  await expect(startEmbeddedPostgres({ claim, log: silentLog, settings, startTimeoutMs: 500 })).rejects.toMatchObject({
    code: 'POSTGRES_TIMEOUT',
  })
  expect(existsSync(join(claim.dataDir, 'postgres', 'postmaster.pid'))).toBe(false)
})

test.runIf(isRoot)(
  'as root, the database runs as another user and the data directory stays open to root alone',
  async () => {
    const dataDir = join(temporaryDirectory(), 'data')
    const server = await start(dataDir)
    expect(readFileSync(`/proc/${server.pid}/status`, 'utf8')).toMatch(/^Uid:\s+65534\s+65534/m)
    expect(readFileSync(`/proc/${server.pid}/status`, 'utf8')).toMatch(/^CapEff:\s+0*[024]$/m)
    expect(statSync(join(dataDir, 'postgres'))).toMatchObject({ uid: 65534 })
    expect(statSync(join(dataDir, 'postgres')).mode & 0o777).toBe(0o700)
    expect(statSync(join(dataDir, 'run')).mode & 0o777).toBe(0o700)
    expect(statSync(dataDir)).toMatchObject({ uid: 0 })
  },
)

test.runIf(isRoot)('as root in a directory that only root may enter, the database is lent one capability', async () => {
  const { log, lines } = collectLog()
  const dataDir = join(temporaryDirectory(0o700), 'data')
  const server = await start(dataDir, { log })
  const status = readFileSync(`/proc/${server.pid}/status`, 'utf8')
  expect(status).toMatch(/^Uid:\s+65534\s+65534/m)
  // CAP_DAC_READ_SEARCH alone, or CAP_DAC_OVERRIDE where the installation itself is closed to others.
  expect(status).toMatch(/^CapEff:\s+0*[24]$/m)
  expect(lines.join('\n')).toMatch(/lent the capability dac_(?:read_search|override)/)
  expect(await ask(server, 'fsync')).toBe('on')
})

test.runIf(isRoot)('as root without the capability to lend, three ways out are named', () => {
  const dataDir = join(temporaryDirectory(0o700), 'data')
  const output = execFileSync(
    'setpriv',
    ['--bounding-set=-dac_read_search,-dac_override', '--', process.execPath, script, dataDir, 'service', 'once'],
    {
      encoding: 'utf8',
    },
  )
  const { error, code } = JSON.parse(output.trim().split('\n').at(-1) ?? '') as { error: string; code: string }
  expect(code).toBe('POSTGRES_NEEDS_UNPRIVILEGED_USER')
  expect(error).toMatch(/ordinary user.*PRINTYARD_DATA_DIR.*DATABASE_URL/)
})

/** A file system of 24 MB: too small for a database. Undefined where we may not mount. */
function mountSmallDisk(options: string): string | undefined {
  if (!isRoot || process.platform !== 'linux') return undefined
  const directory = join(temporaryDirectory(), 'disk')
  mkdirSync(directory)
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', directory], { stdio: 'ignore' })
  } catch {
    // Containers commonly forbid it.
    return undefined
  }
  onTestFinished(() => void execFileSync('umount', [directory]))
  return directory
}

test('a full disk is told as such at the first start', async (context) => {
  const disk = mountSmallDisk('size=24m')
  if (disk === undefined) return context.skip('no right to mount')
  const claim = await claimDataDirectory(join(disk, 'data'), { purpose: 'service' })
  const failed = startEmbeddedPostgres({ claim, log: silentLog })
  await expect(failed).rejects.toMatchObject({ code: 'DISK_FULL' })
  await expect(failed).rejects.toThrow('No space is left')
  await claim.release()
  expect(readdirSync(join(disk, 'data')).sort()).toEqual(['VERSION.json', 'claims'])
})

test('a disk that filled up meanwhile is told as such at a later start', async (context) => {
  const disk = mountSmallDisk('size=150m')
  if (disk === undefined) return context.skip('no right to mount')
  const first = await start(join(disk, 'data'))
  await first.stop()
  execFileSync('sh', ['-c', 'head -c 300m /dev/zero > "$0/filler" || true', disk], { stdio: 'ignore' })
  const claim = { dataDir: join(disk, 'data'), announce: () => undefined, release: async () => undefined }
  const failed = startEmbeddedPostgres({ claim, log: silentLog })
  await expect(failed).rejects.toMatchObject({ code: 'DISK_FULL' })
})

test('a read-only disk is told as such', async (context) => {
  const disk = mountSmallDisk('size=8m,ro')
  if (disk === undefined) return context.skip('no right to mount')
  const claim = claimDataDirectory(join(disk, 'data'), { purpose: 'service' })
  await expect(claim).rejects.toMatchObject({ code: 'DATA_DIRECTORY_NOT_WRITABLE' })
  await expect(claim).rejects.toThrow('PRINTYARD_DATA_DIR')
})
