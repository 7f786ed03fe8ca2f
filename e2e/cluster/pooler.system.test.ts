import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type FarmDatabase, openFarmDatabase } from '../test/farm-database.ts'
import { apiClient, eventually, makeFarmFolder, startServiceProcess } from '../test/farm-processes.ts'
import { freePort } from '../test/free-port.ts'
import { type SilentProxy, startSilentProxy } from '../test/silent-proxy.ts'

/** Whether `npm test` could install PgBouncer; says so when it could not, because tests are skipped then. */
function isPoolerInstalled(): boolean {
  if (spawnSync('pgbouncer', ['--version']).status === 0) return true
  console.warn('SKIPPED: pgbouncer is not installed (npm test installs it where it can)')
  return false
}

describe.skipIf(!isPoolerInstalled())('a service behind PgBouncer', () => {
  let database: FarmDatabase
  let folder: Awaited<ReturnType<typeof makeFarmFolder>>
  let way: SilentProxy

  beforeAll(async () => {
    database = await openFarmDatabase()
    folder = await makeFarmFolder()
    const { target } = database.db
    if (!('socketPath' in target)) throw new Error('The databases of tests are reached by a socket.')
    way = await startSilentProxy(target.socketPath)
  }, 60_000)
  afterAll(async () => {
    await way?.close()
    await database?.db.close()
    await folder?.remove()
  })

  /** Answers the address of the database through it. */
  async function startPooler(mode: 'transaction' | 'session'): Promise<string> {
    const { target } = database.db
    if (!('socketPath' in target)) throw new Error('The databases of tests are reached by a socket.')
    const port = await freePort()
    const file = join(folder.path, `${mode}.ini`)
    writeFileSync(
      file,
      `[databases]
${target.database} = host=127.0.0.1 port=${way.port} dbname=${target.database} user=${target.user}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
default_pool_size = 30
`,
    )
    // As root it refuses to run; who it runs as then must read its file.
    chmodSync(folder.path, 0o755)
    chmodSync(file, 0o644)
    const isRoot = process.getuid?.() === 0
    const pooler: ChildProcess = spawn('pgbouncer', [file], {
      stdio: ['ignore', 'ignore', 'pipe'],
      ...(isRoot && { uid: 65_534, gid: 65_534 }),
    })
    let log = ''
    pooler.stderr?.on('data', (text: Buffer) => {
      log += text.toString()
    })
    onTestFinished(async () => {
      const ended = once(pooler, 'exit')
      if (pooler.exitCode !== null || !pooler.kill('SIGKILL')) return
      await ended
    })
    await eventually(
      'PgBouncer to be up',
      async () => log,
      (text) => text.includes('process up'),
    )
    return `postgresql://${target.user}@127.0.0.1:${port}/${target.database}?sslmode=disable`
  }

  const start = (mode: 'transaction' | 'session', url: string) =>
    startServiceProcess(join(folder.path, mode), {
      settings: { DATABASE_URL: url, PRINTYARD_SECRET_KEY: 'ab'.repeat(32) },
    })

  test('in transaction mode does not start, and is told why and what to use, also when others use the pooler', async () => {
    const url = await startPooler('transaction')
    const refusal =
      /DATABASE_URL leads to a pooler in transaction mode, over which notices and locks of a session do not work. Use the address of PostgreSQL itself, or a pooler in session mode/
    await expect(start('transaction', url)).rejects.toThrow(refusal)
    await expect(start('transaction', url)).rejects.toThrow(refusal)
  }, 60_000)

  test('in session mode works: it answers, writes, and hears what another process changes', async () => {
    const pooled = await start('session', await startPooler('session'))
    onTestFinished(() => pooled.kill())
    expect((await fetch(`${pooled.url}/readyz`)).status).toBe(200)
    const request = apiClient(pooled.url, database.key)
    const { status, body } = await request<{ data: { id: string } }>('POST', '/printers', {
      name: 'Pooled',
      model: 'MK4S',
      connection_type: 'virtual',
    })
    expect(status).toBe(201)
    const read = () => request<{ data: { name: string } }>('GET', `/printers/${body.data.id}`)
    expect((await read()).body.data.name).toBe('Pooled')
    // From memory now, until a notice says that it has changed.
    await database.db.sql`
      update printers set name = 'Renamed' where account_id = ${database.accountId} and id = ${body.data.id}`
    await eventually('the change to be heard', read, (answer) => answer.body.data.name === 'Renamed', 5_000)
  }, 90_000)
})
