import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { connectDatabase } from '@printyard/server/db/connect-database'
import { preparePostgresLauncher } from '@printyard/server/db/embedded/postgres-account'
import { findPostgresBinaries } from '@printyard/server/db/embedded/postgres-binaries'
import { postgresArguments } from '@printyard/server/db/embedded/postgres-settings'
import { silentLog } from '@printyard/server/db/setup/database-log'
import { makePrinterCertificate } from '@printyard/virtual-printers/bambu/printer-certificate'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from '../test/farm-processes.ts'

let directory: string
let server: ChildProcess
let port: number
/** A PostgreSQL that shows a certificate for `localhost`, signed by itself, and takes no connection without TLS. */
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'printyard-tls-'))
  // As root, PostgreSQL runs as another user who must be able to pass.
  chmodSync(directory, 0o711)
  const [cluster, run] = [join(directory, 'cluster'), join(directory, 'run')]
  const binaries = findPostgresBinaries()
  const launcher = preparePostgresLauncher(directory, binaries)
  const start = (file: string, args: string[]) => {
    const command = launcher.command(file, args)
    const options = { cwd: '/', env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' }, ...command.account }
    return { ...command, options }
  }
  const write = (name: string, content: string, mode = 0o600) => {
    const path = join(directory, name)
    writeFileSync(path, content, { mode })
    launcher.own(path)
    return path
  }
  for (const path of [cluster, run]) {
    mkdirSync(path, { mode: 0o700 })
    launcher.own(path)
  }
  const initdb = start(binaries.initdb, [`--pgdata=${cluster}`, '--username=farm', '--no-sync', '--no-instructions'])
  await promisify(execFile)(initdb.file, initdb.args, initdb.options)

  const own = await makePrinterCertificate('localhost')
  const other = await makePrinterCertificate('another authority')
  writeFileSync(join(directory, 'own.pem'), own.cert)
  writeFileSync(join(directory, 'other.pem'), other.cert)
  port = await freePort()
  const args = postgresArguments(cluster, true, {
    port: String(port),
    listen_addresses: '127.0.0.1',
    ssl: 'on',
    ssl_cert_file: write('server.pem', own.cert),
    ssl_key_file: write('server.key', own.key),
    hba_file: write('hba.conf', 'hostssl all all 127.0.0.1/32 trust\n'),
  })
  const postgres = start(binaries.postgres, args)
  server = spawn(postgres.file, postgres.args, { ...postgres.options, stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  server.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said += text
  })
  await eventually(
    'a PostgreSQL that answers',
    () =>
      connect('localhost', 'require').then(
        () => 'it answers',
        (error: unknown) => `${error} ${said}`,
      ),
    (answer) => answer === 'it answers',
    30_000,
  )
}, 60_000)
afterAll(async () => {
  const ended = server && once(server, 'exit')
  server?.kill('SIGINT')
  await ended
  rmSync(directory, { recursive: true, force: true, maxRetries: 5 })
})

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port: free } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  return free
}

/** What the service makes of this `DATABASE_URL`, and how the server says that it is spoken to. */
async function connect(host: string, sslmode: string | undefined, authority?: 'own' | 'other') {
  const url = new URL(`postgres://farm@${host}:${port}/postgres`)
  if (sslmode !== undefined) url.searchParams.set('sslmode', sslmode)
  if (authority !== undefined) url.searchParams.set('sslrootcert', join(directory, `${authority}.pem`))
  const { database, close } = await connectDatabase(
    { databaseUrl: url.href, dataDir: directory, purpose: 'test', shouldMigrate: false },
    silentLog,
  )
  try {
    const [row] = await database.sql`select ssl, version from pg_stat_ssl where pid = pg_backend_pid()`
    return row
  } finally {
    await close()
  }
}

test.each([
  ['localhost', 'require', undefined],
  ['127.0.0.1', 'require', undefined],
  ['localhost', 'prefer', undefined],
  ['127.0.0.1', 'verify-ca', 'own'],
  ['localhost', 'verify-full', 'own'],
  ['localhost', undefined, 'own'],
] as const)('%s with sslmode %s and the authority %s is spoken to by TLS', async (host, sslmode, authority) => {
  expect(await connect(host, sslmode, authority)).toEqual({ ssl: true, version: 'TLSv1.3' })
})

test.each([
  ['prefer', ['DATABASE_URL']],
  ['require', []],
])(
  'a server elsewhere with sslmode %s is warned of at the start if it may be spoken to in the clear',
  async (sslmode, expected) => {
    const warned: unknown[] = []
    const log = { ...silentLog, warn: (details: object) => warned.push((details as { setting?: string }).setting) }
    // This address of the machine itself is none of the loopback.
    const { close } = await connectDatabase(
      {
        databaseUrl: `postgres://farm@0.0.0.0:${port}/postgres?sslmode=${sslmode}`,
        dataDir: mkdtempSync(join(directory, 'data-')),
        purpose: 'service',
        shouldMigrate: false,
      },
      log,
    )
    await close()
    expect(warned).toEqual(expected)
  },
)

test.each([
  ['no authority that signed its certificate', 'localhost', 'verify-full', undefined, /self-signed certificate/],
  ['another authority than the one that signed it', 'localhost', 'verify-full', 'other', /self-signed certificate/],
  ['another authority, whatever the name', '127.0.0.1', 'verify-ca', 'other', /self-signed certificate/],
  ['a certificate of another name', '127.0.0.1', 'verify-full', 'own', /does not match certificate's altnames/],
  ['no TLS at all', 'localhost', undefined, undefined, /no encryption/],
  ['no TLS at all, said so', 'localhost', 'disable', undefined, /no encryption/],
] as const)('a server with %s is not spoken to', async (_, host, sslmode, authority, why) => {
  await expect(connect(host, sslmode, authority)).rejects.toMatchObject({
    code: 'DATABASE_UNREACHABLE',
    message: expect.stringMatching(why),
  })
})
