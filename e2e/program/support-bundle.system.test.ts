import { randomUUID } from 'node:crypto'
import { mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { openDatabase, type Sql } from '@printyard/server/db/database'
import { temporaryDirectory } from '@printyard/server/test/run/temporary-directory'
import { createTestDatabase } from '@printyard/server/test/run/test-database'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fromBuffer } from 'yauzl'
import { runCli, startCli } from '../test/run-cli.ts'

/** Some programs each, which start a database or wait for one. */
const limits = { timeout: 120_000 }

/** In every canary, so that one search finds them all, whole or in part. */
const mark = 'qz7'
/** As they look in real life: nothing of the shape of a canary gives them away. */
const lifelike = [
  'someone.real@mail.example.org',
  '+49 151 23456789',
  '192.0.2.77',
  'printyard_live_9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  'K7PM2QXA',
  'Elm Street 12b',
]

/** Reads a zip file with a program of others. */
async function unzip(path: string): Promise<Map<string, string>> {
  const { readFile } = await import('node:fs/promises')
  const bytes = await readFile(path)
  const zip = await new Promise<import('yauzl').ZipFile>((resolve, reject) => {
    fromBuffer(bytes, { lazyEntries: true, strictFileNames: true }, (error, opened) =>
      error ? reject(error) : resolve(opened),
    )
  })
  const texts = new Map<string, string>()
  await new Promise<void>((resolve, reject) => {
    zip.on('error', reject).on('end', resolve)
    zip.on('entry', (entry: import('yauzl').Entry) => {
      zip.openReadStream(entry, (error, stream) => {
        if (error) return reject(error)
        buffer(stream).then((content) => {
          texts.set(entry.fileName, content.toString())
          zip.readEntry()
        }, reject)
      })
    })
    zip.readEntry()
  })
  return texts
}

interface Column {
  table: string
  column: string
  type: string
}

/** A value for each type there is; where it can hold a text, the canary of the column. */
function valueFor({ table, column, type }: Column): unknown {
  const canary = `${mark} ${mark}-${table}-${column}@${mark}.example`
  if (/^(text|character varying|citext)/.test(type)) return type.endsWith('[]') ? [canary] : canary
  if (type === 'jsonb' || type === 'json') return JSON.stringify({ [`${mark}_key`]: canary, list: [canary] })
  if (type === 'bytea') return Buffer.from(canary)
  if (/^(smallint|integer|bigint|numeric|double precision|real)/.test(type)) return type.endsWith('[]') ? [1] : 1
  if (type === 'boolean') return false
  if (type === 'uuid') return randomUUID()
  if (type === 'tsvector') return mark
  if (/^timestamp|^date/.test(type)) return new Date('2026-01-02T03:04:05Z')
  throw new Error(`The test knows no value for ${table}.${column} of type ${type}`)
}

/** A row in every table of the service, with a canary in everything that holds a text. Rules that keep texts out are taken away before. */
async function plantCanaries(sql: Sql): Promise<number> {
  await sql.unsafe(`do $$ declare each record; begin
    for each in select conrelid::regclass::text as of, conname from pg_constraint
      where contype in ('c', 'f') and connamespace = 'public'::regnamespace and conrelid <> 0 and conparentid = 0 loop
      execute format('alter table %s drop constraint %I', each.of, each.conname);
    end loop;
    for each in select distinct tgrelid::regclass::text as of from pg_trigger t join pg_class c on c.oid = t.tgrelid
      where not tgisinternal and c.relnamespace = 'public'::regnamespace loop
      execute format('alter table %s disable trigger user', each.of);
    end loop;
  end $$`)
  const columns = await sql<Column[]>`
    select c.relname as table, a.attname as column, format_type(a.atttypid, null) as type
    from pg_attribute a join pg_class c on c.oid = a.attrelid
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped
      and a.attgenerated = '' and a.attidentity <> 'a' and c.relname <> 'schema_migrations'
    order by 1, a.attnum`
  const tables = Map.groupBy(columns, ({ table }) => table)
  for (const [table, its] of tables) {
    const row = Object.fromEntries(its.map((each) => [each.column, valueFor(each)]))
    await sql`delete from ${sql(table)}`
    await sql`insert into ${sql(table)} ${sql(row)}`
  }
  // One whose shape is right, so that the list of failed ones shows it.
  await sql`update backup_runs set status = 'failed'`
  return tables.size
}

const logLines = [
  JSON.stringify({
    level: 'error',
    time: '2026-01-02T03:04:05.678Z',
    msg: `a mail was not sent to ${mark}@x.example`,
    err: {
      type: 'Error',
      message: `${mark} refused ${lifelike[0]}`,
      stack: `Error: ${mark}\n    at send (/home/${mark}/apps/server/src/service.ts:12:3)\n    at ${mark} (/x/apps/${mark}/y.ts:1:1)`,
      code: 'ECONNREFUSED',
    },
  }),
  JSON.stringify({
    level: 'warn',
    time: '2026-01-02T03:04:06.000Z',
    hub_id: 'hub_01hzzzzzzzzzzzzzzzzzzzzzzz',
    printer_id: mark,
    [`${mark}_field`]: mark,
    customer_name: lifelike[5],
    count: 3,
    msg: 'a heartbeat could not be recorded',
  }),
  JSON.stringify({
    level: mark,
    time: mark,
    service: mark,
    setting: mark,
    code: mark.toUpperCase(),
    signal: mark,
    actor: `user:${mark}`,
    msg: lifelike.join(' '),
  }),
  `${mark} a line that is no JSON, of ${lifelike.join(' and ')}`,
  `["${mark}"]`,
]

describe('the support bundle', () => {
  let db: Awaited<ReturnType<typeof createTestDatabase>>
  let tables = 0
  beforeAll(async () => {
    db = await createTestDatabase()
    const { sql, close } = openDatabase({ target: db.target })
    tables = await plantCanaries(sql)
    await close()
  })
  afterAll(() => db.close())

  test('holds no secret and nothing personal of database, log, settings and machine', limits, async () => {
    const folder = join(temporaryDirectory(), `${mark}-home`)
    const dataDir = join(folder, `${mark}-data`)
    mkdirSync(join(dataDir, 'files', mark), { recursive: true })
    writeFileSync(join(dataDir, `${mark}.txt`), mark)
    const log = join(folder, 'service.log')
    writeFileSync(log, `${logLines.slice(2).join('\n')}\n`)
    writeFileSync(`${log}.1`, `${logLines.slice(0, 2).join('\n')}\n`)
    writeFileSync(join(folder, 'hub.log'), `${logLines.join('\n')}\n`)
    const file = join(folder, 'bundle.zip')
    const result = await runCli(['doctor', '--bundle', file, '--json'], {
      cwd: folder,
      env: {
        DATABASE_URL: db.url,
        PRINTYARD_DATA_DIR: dataDir,
        PRINTYARD_PORT: '1',
        PRINTYARD_LOG_FILE: log,
        PRINTYARD_HUB_LOG_FILE: join(folder, 'hub.log'),
        PRINTYARD_HUB_TOKEN: `${mark}-token`,
        PRINTYARD_HUB_SPEED: `${mark}`,
        PRINTYARD_METRICS_TOKEN: `${mark}-metrics-token`,
        PRINTYARD_SECRET_KEY: 'ab12'.repeat(16),
        PRINTYARD_PUBLIC_URL: `https://${mark}.example`,
        PRINTYARD_ALLOWED_HOSTS: `${mark}.example`,
        PRINTYARD_BACKUP_DIR: join(folder, 'backups'),
        PRINTYARD_MAIL_FROM: `${mark} <${lifelike[0]}>`,
        SMTP_URL: `smtps://${mark}:${mark}@${mark}.example`,
        PRINTYARD_OIDC_ISSUER: `https://${mark}.example`,
        PRINTYARD_OIDC_CLIENT_ID: mark,
        PRINTYARD_OIDC_CLIENT_SECRET: mark,
        PRINTYARD_OIDC_NAME: mark,
        PRINTYARD_QZ7_UNKNOWN: mark,
        QZ7_OTHER: mark,
        HOME: folder,
        USER: mark,
      },
    })
    expect(result).toMatchObject({ exitCode: 0, stderr: '' })
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const texts = await unzip(file)
    expect([...texts.keys()].sort()).toEqual([
      'READ-ME-FIRST.txt',
      'database.json',
      'findings.json',
      'logs/hub.log',
      'logs/service.log',
      'machine.json',
      'settings.json',
      'versions.json',
    ])
    for (const [name, text] of texts) {
      const found = text.split('\n').filter((line) => line.toLowerCase().includes(mark))
      expect(found, `${name} holds canaries`).toEqual([])
      for (const value of [...lifelike, 'ab12'.repeat(4), Buffer.from(mark).toString('base64').slice(0, 4), db.url]) {
        expect(text, `${name} holds ${value}`).not.toContain(value)
      }
    }

    // What is left is worth sending.
    const database = JSON.parse(texts.get('database.json') ?? '')
    expect(database.tables.ours.length).toBe(tables + 1)
    expect(database).toMatchObject({
      server: { version: expect.stringMatching(/^\d+\.\d+$/) },
      migrations: { pending: 0, level: expect.any(Number) },
      work: { jobs: [{ status: 'other', count: 1 }] },
      hubs: [{ id: null, version: null, printers: 0 }],
      failed_backups: [{ cause: 'other', error_code: null, started_at: '2026-01-02T03:04:05.000Z' }],
    })
    const service = (texts.get('logs/service.log') ?? '').trim().split('\n')
    expect(service).toHaveLength(logLines.length)
    expect(JSON.parse(service[0] ?? '')).toEqual({
      level: 'error',
      time: '2026-01-02T03:04:05.678Z',
      msg: 'a mail was not sent to …',
      err: { type: 'Error', message: '… refused …', code: 'ECONNREFUSED', stack: ['apps/server/src/service.ts:12:3'] },
    })
    expect(JSON.parse(service[1] ?? '')).toMatchObject({
      hub_id: 'hub_01hzzzzzzzzzzzzzzzzzzzzzzz',
      count: 3,
      msg: 'a heartbeat could not be recorded',
      fields_left_out: 3,
    })
    expect(JSON.parse(texts.get('settings.json') ?? '')).toMatchObject({
      values: { PRINTYARD_PORT: 1, PRINTYARD_LOG_LEVEL: 'info' },
      set: expect.arrayContaining(['DATABASE_URL', 'SMTP_URL', 'PRINTYARD_HUB_TOKEN', 'PRINTYARD_HUB_SPEED']),
      unknown: 1,
    })
    expect(texts.get('findings.json')).toContain('The last backup failed: ')
    expect(texts.get('READ-ME-FIRST.txt')).toContain('readyz.json: the service does not answer.')
  })
})

test('a bundle is made while the database is down, and with settings that cannot be used', limits, async () => {
  const folder = temporaryDirectory()
  const down = await runCli(['doctor', '--bundle', 'down.zip'], {
    cwd: folder,
    env: {
      DATABASE_URL: `postgres://u:${mark}@127.0.0.1:9/${mark}`,
      PRINTYARD_DATA_DIR: join(folder, 'data'),
      PRINTYARD_PORT: '1',
    },
  })
  expect(down).toMatchObject({ exitCode: 0, stderr: '' })
  expect(down.stdout).toContain('the database cannot be reached (DATABASE_UNREACHABLE)')
  const texts = await unzip(join(folder, 'down.zip'))
  expect(texts.has('database.json')).toBe(false)
  expect(texts.get('READ-ME-FIRST.txt')).toContain('database.json: the database cannot be reached')
  expect(texts.get('findings.json')).toContain('DATABASE_UNREACHABLE')
  expect([...texts.values()].join('')).not.toContain(mark)

  const bad = await runCli(['doctor', '--bundle', 'bad.zip'], {
    cwd: folder,
    env: { PRINTYARD_PORT: mark, PRINTYARD_DATA_DIR: join(folder, 'data') },
  })
  expect(bad).toMatchObject({ exitCode: 0, stderr: '' })
  const named = await unzip(join(folder, 'bad.zip'))
  expect(named.get('findings.json')).toContain('PRINTYARD_PORT cannot be used')
  expect([...named.values()].join('')).not.toContain(mark)
})

test('beside a running service a bundle has its log and its readiness, and replaces no file', limits, async () => {
  const folder = temporaryDirectory()
  const env = { PRINTYARD_DATA_DIR: join(folder, 'data'), PRINTYARD_LOG_FILE: join(folder, 'logs', 'service.log') }
  const service = startCli(['serve', '--port', '0'], { env })
  await service.nextLine()
  const made = await runCli(['doctor', '--bundle', '--json'], { cwd: folder, env })
  expect(made).toMatchObject({ exitCode: 0, stderr: '' })
  const { bundle, missing } = made.document<{ bundle: string; missing: string[] }>()
  expect(missing).toEqual([])
  expect(bundle).toMatch(/\/printyard-support-2\d{3}-[\dT-]+Z\.zip$/)
  const texts = await unzip(bundle)
  expect(JSON.parse(texts.get('readyz.json') ?? '')).toEqual({
    status: 'ready',
    checks: [
      { name: 'database', ok: true },
      { name: 'storage', ok: true },
    ],
  })
  expect(texts.get('logs/service.log')).toContain('"msg":"Created the database"')

  const again = await runCli(['doctor', '--bundle', bundle], { cwd: folder, env })
  expect(again).toMatchObject({ exitCode: 1, stdout: '', stderr: expect.stringContaining('exists already') })
})
