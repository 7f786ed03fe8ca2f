import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startNode } from '../test/run/child-node.ts'
import { temporaryDirectory } from '../test/run/temporary-directory.ts'
import { createTestDatabase } from '../test/run/test-database.ts'
import { connectDatabase, type OpenedDatabase } from './connect-database.ts'
import { type Driver, openDriver } from './driver/open-driver.ts'
import { silentLog } from './setup/database-log.ts'

const script = join(import.meta.dirname, 'test-processes', 'run-database.ts')

interface Connected {
  kind: string
  accounts: number
}

test('a command works beside a running service and leaves it running', async () => {
  const dataDir = join(temporaryDirectory(), 'data')
  const service = startNode(script, [dataDir, 'service'])
  expect(await service.nextMessage()).toMatchObject({ kind: 'embedded' })

  const command = startNode(script, [dataDir, 'keys create', 'once'])
  expect(await command.nextMessage()).toMatchObject({ kind: 'beside-service' })
  expect(await command.ended).toBe('code 0')
  expect(service.child.exitCode).toBeNull()

  service.child.kill('SIGTERM')
  expect(await service.ended).toBe('code 0')
})

test('a command that starts together with the service waits for its database', async () => {
  const dataDir = join(temporaryDirectory(), 'data')
  const service = startNode(script, [dataDir, 'service'])
  const commands = [0, 1].map(() => startNode(script, [dataDir, 'keys list', 'once']))
  const answers = await Promise.all(commands.map((command) => command.nextMessage<Connected & { error?: string }>()))
  const served = await service.nextMessage<Connected & { code?: string }>()
  service.child.kill('SIGTERM')
  await Promise.all([service, ...commands].map(({ ended }) => ended))
  expect(answers.map(({ error }) => error)).toEqual([undefined, undefined])
  // Anyone who came first has the directory; a service that finds a command there says so instead of waiting.
  expect(served.kind === 'embedded' || served.code === 'DATA_DIRECTORY_IN_USE').toBe(true)
})

test('a command alone starts the database for itself and stops it', async () => {
  const dataDir = join(temporaryDirectory(), 'data')
  const command = startNode(script, [dataDir, 'accounts create', 'once'])
  const { kind, postgresPid } = await command.nextMessage<Connected & { postgresPid: number }>()
  expect(await command.ended).toBe('code 0')
  expect(kind).toBe('embedded')
  expect(() => process.kill(postgresPid, 0)).toThrow('ESRCH')
})

test('of two services that start at once one serves and the other names it', async () => {
  const dataDir = join(temporaryDirectory(), 'data')
  const services = [0, 1].map(() => startNode(script, [dataDir, 'service']))
  const answers = await Promise.all(services.map((service) => service.nextMessage<{ kind?: string; code?: string }>()))
  for (const { child } of services) child.kill('SIGTERM')
  await Promise.all(services.map(({ ended }) => ended))
  expect(answers.filter(({ kind }) => kind === 'embedded')).toHaveLength(1)
  expect(answers.filter(({ code }) => code === 'DATA_DIRECTORY_IN_USE')).toHaveLength(1)
})

test('the service is no superuser of its own database: it changes rows and nothing else', async () => {
  const dataDir = join(temporaryDirectory(), 'data')
  const { database, close } = await connectDatabase({ dataDir, purpose: 'service' }, silentLog)
  try {
    const [role] = await database.sql<Record<string, unknown>[]>`
      select rolname, rolsuper, rolcreatedb, rolcreaterole, rolbypassrls from pg_roles where rolname = current_user`
    expect(role).toEqual({
      rolname: 'printyard_service',
      rolsuper: false,
      rolcreatedb: false,
      rolcreaterole: false,
      rolbypassrls: false,
    })
    await database.sql`insert into accounts (id, name, time_zone) values ('acc_1', 'Farm', 'UTC')`
    const refused = [
      "select pg_read_file('/etc/passwd')",
      "copy accounts to program 'true'",
      "copy accounts to '/tmp/accounts'",
      'drop table accounts',
      'alter table accounts add column more text',
      'create table more (id text)',
      'create role more superuser',
      'set role printyard',
      "alter system set log_statement = 'all'",
      'delete from schema_migrations',
    ]
    for (const statement of refused) {
      await expect(database.sql.unsafe(statement), statement).rejects.toThrow(/permission denied|must be/)
    }
    expect(await database.sql`select id from accounts`).toEqual([{ id: 'acc_1' }])
  } finally {
    await close()
  }
})

test('the role of the service is put right at each start, and written to only where it is wrong', async () => {
  const dataDir = join(temporaryDirectory(), 'data')
  const statements = [
    'alter role printyard_service createrole',
    'grant insert on schema_migrations to printyard_service',
    'revoke delete on accounts from printyard_service',
    'revoke usage on schema public from printyard_service',
    'create table added_by_hand (id text)',
  ]
  const stateOf = async (owner: Driver) => {
    const [state] = await owner.unsafe(`
      select rolcreaterole, has_table_privilege(oid, 'schema_migrations', 'insert') as may_write_migrations,
        has_table_privilege(oid, 'accounts', 'delete') as may_delete, has_schema_privilege(oid, 'public', 'usage') as may_see,
        case when to_regclass('added_by_hand') is not null then has_table_privilege(oid, 'added_by_hand', 'update') end as may_change,
        (select xmin::text from pg_class where oid = 'accounts'::regclass) as version_of_rights
      from pg_roles where rolname = 'printyard_service'`)
    return state
  }
  const right = { rolcreaterole: false, may_write_migrations: false, may_delete: true, may_see: true }
  let version: unknown
  for (const statement of [undefined, ...statements, undefined]) {
    const { target, close } = await connectDatabase({ dataDir, purpose: 'service' }, silentLog)
    const owner = openDriver(target, 'test')
    try {
      const state = await stateOf(owner)
      expect(state).toMatchObject(right)
      expect(state?.may_change).not.toBe(false)
      if (statement !== undefined) await owner.unsafe(statement)
      version = (await stateOf(owner))?.version_of_rights
    } finally {
      await owner.end()
      await close()
    }
  }
  const { target, close } = await connectDatabase({ dataDir, purpose: 'service' }, silentLog)
  const owner = openDriver(target, 'test')
  expect((await stateOf(owner))?.version_of_rights).toBe(version)
  await owner.end()
  await close()
})

test('what is opened is told while the server of the data directory still starts, once it can be reached', async () => {
  const dataDir = join(temporaryDirectory(), 'data')
  const opening = Promise.withResolvers<OpenedDatabase>()
  let isConnected = false
  const connecting = connectDatabase({ dataDir, purpose: 'service', onOpen: opening.resolve }, silentLog).then(
    (connected) => {
      isConnected = true
      return connected
    },
  )
  const opened = await opening.promise
  expect([opened.kind, isConnected]).toEqual(['embedded', false])
  const connected = await connecting
  expect(connected.database).toBe(opened.database)
  expect(await opened.database.sql`select 1 as one`).toEqual([{ one: 1 }])
  await connected.close()
})

test('DATABASE_URL leads to the server of the user', async () => {
  const own = await createTestDatabase()
  const dataDir = join(temporaryDirectory(), 'data')
  const connected = await connectDatabase({ databaseUrl: own.url, dataDir, purpose: 'service' }, silentLog)
  const [row] = await connected.database.sql<{ name: string }[]>`select current_database() as name`
  await connected.close()
  await own.close()
  expect(connected.kind).toBe('external')
  expect(row?.name).toBe(own.name)
})

test('two services on one data directory are refused with a database of their own too, commands are not', async () => {
  const own = await createTestDatabase()
  const config = { databaseUrl: own.url, dataDir: join(temporaryDirectory(), 'data'), purpose: 'service' }
  const first = await connectDatabase(config, silentLog)
  first.announce({ url: 'http://127.0.0.1:4400' })
  await expect(connectDatabase(config, silentLog)).rejects.toMatchObject({
    code: 'DATA_DIRECTORY_IN_USE',
    holder: { pid: process.pid, url: 'http://127.0.0.1:4400' },
  })
  const command = await connectDatabase({ ...config, purpose: 'keys list' }, silentLog)
  await command.close()
  await first.close()
  const next = await connectDatabase(config, silentLog)
  await next.close()
  await own.close()
})

test('a server that refuses is named within five seconds, without the password', async () => {
  const startedAt = performance.now()
  const databaseUrl = 'postgres://farmer:very-secret@127.0.0.1:9/farm'
  const error = await connectDatabase({ databaseUrl, dataDir: '/nonexistent', purpose: 'service' }, silentLog).catch(
    (error: unknown) => error,
  )
  expect(performance.now() - startedAt).toBeLessThan(5_000)
  expect(error).toMatchObject({ code: 'DATABASE_UNREACHABLE' })
  expect(String(error)).toContain('farm at 127.0.0.1:9')
  expect(String(error)).not.toContain('very-secret')
})

test('a server that accepts and never answers is given up within five seconds', async () => {
  const silent = createServer(() => undefined)
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  const address = silent.address()
  const port = typeof address === 'object' ? address?.port : undefined
  const startedAt = performance.now()
  const databaseUrl = `postgres://farmer:very-secret@127.0.0.1:${port}/farm`
  const failed = connectDatabase({ databaseUrl, dataDir: '/nonexistent', purpose: 'service' }, silentLog)
  await expect(failed).rejects.toThrow(`127.0.0.1:${port}`)
  expect(performance.now() - startedAt).toBeLessThan(5_000)
  silent.close()
})

test.each(['mysql://root:very-secret@db/farm', 'very-secret', 'postgres://farmer:very-secret@[/x'])(
  'an address that is none is refused without repeating it',
  async (databaseUrl) => {
    const failed = connectDatabase({ databaseUrl, dataDir: '/nonexistent', purpose: 'service' }, silentLog)
    await expect(failed).rejects.toMatchObject({ code: 'DATABASE_UNREACHABLE' })
    await expect(failed).rejects.not.toThrow('very-secret')
  },
)
