import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { openDatabase } from '@printyard/server/db/database'
import { createSecretBox } from '@printyard/server/kernel/secret-box'
import { setUpCode } from '@printyard/server/modules/people/sign-in/set-up-code'
import { createTestDatabase, type TestDatabase } from '@printyard/server/test/run/test-database'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually, makeFarmFolder, startServiceProcess } from '../test/farm-processes.ts'

const secretKey = 'ab'.repeat(32)

type Service = Awaited<ReturnType<typeof startServiceProcess>>

/** A database without a table, and two processes that start on it at the same moment. */
let server: TestDatabase
let name: string
let folder: Awaited<ReturnType<typeof makeFarmFolder>>
let services: Service[] = []

beforeAll(async () => {
  server = await createTestDatabase()
  folder = await makeFarmFolder()
  name = `set_up_${randomBytes(6).toString('hex')}`
  await server.sql.unsafe(`create database ${name}`)
  services = await Promise.all(
    ['one', 'other'].map((each) =>
      startServiceProcess(join(folder.path, each), {
        settings: { DATABASE_URL: urlOfDatabase(), PRINTYARD_SECRET_KEY: secretKey },
      }),
    ),
  )
}, 180_000)
afterAll(async () => {
  await Promise.all(services.map((service) => service.kill()))
  await server?.sql.unsafe(`drop database ${name} with (force)`)
  await server?.close()
  await folder?.remove()
}, 60_000)

const urlOfDatabase = () => server.url.replace(server.name, name)

/** A page of the dashboard that one of the processes has served. */
async function ask(number: number, method: string, path: string, body?: unknown, cookie?: string) {
  const url = services[number]?.url ?? ''
  const answer = await fetch(`${url}/app/v1${path}`, {
    method,
    headers: {
      origin: url,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(cookie !== undefined && { cookie }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const [session = ''] = (answer.headers.get('set-cookie') ?? '').split(';')
  return { status: answer.status, session, body: (await answer.json()) as { data?: unknown; error?: { code: string } } }
}

const setUp = (number: number, code: string) =>
  ask(number, 'POST', '/setup', {
    account_name: `Farm ${number}`,
    name: `Owner ${number}`,
    email: `owner${number}@example.com`,
    password: 'a password of sixteen',
    time_zone: 'Europe/Berlin',
    code,
  })

test('two processes that start on an empty database at the same moment make its tables once, and wait for the same code', async () => {
  const db = openDatabase({ target: { url: urlOfDatabase() } })
  try {
    const applied = await db.sql<{ number: number }[]>`select number from schema_migrations order by number`
    expect(applied.map(({ number }) => number)).toEqual(Array.from(applied, (_, index) => index + 1))
    expect(applied.length).toBeGreaterThan(80)
    expect(await db.sql`select installation_id from backup_schedule`).toHaveLength(1)
  } finally {
    await db.close()
  }
  for (const number of [0, 1]) {
    expect((await ask(number, 'GET', '/setup')).body.data).toEqual({ needed: true, code_needed: true })
    expect((await setUp(number, 'ABCDEFGH')).body.error?.code).toBe('SETUP_CODE_INVALID')
  }
}, 60_000)

test('of two first people who set up at two processes at the same moment one becomes the owner, and the other is told', async () => {
  const db = openDatabase({ target: { url: urlOfDatabase() } })
  try {
    const code = setUpCode(createSecretBox(secretKey))
    let answers: Awaited<ReturnType<typeof setUp>>[] = []
    // Nobody is written while this holds the table, so that both have found no one when it is over.
    await db.begin(async (sql) => {
      await sql`lock table users in share mode`
      const asking = Promise.all([setUp(0, code), setUp(1, code)])
      await eventually(
        'both to wait',
        async () => {
          const [row] = await sql<{ waiting: number }[]>`select count(*)::int as waiting from pg_locks
            where not granted and relation = 'users'::regclass`
          return row?.waiting
        },
        (waiting) => waiting === 2,
      )
      void asking.then((all) => {
        answers = all
      })
    })
    await eventually(
      'both answers',
      async () => answers.length,
      (length) => length === 2,
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409])
    const winner = answers.findIndex(({ status }) => status === 201)
    expect(answers[1 - winner]?.body.error?.code).toBe('ALREADY_SET_UP')
    expect(await db.sql`select email from users`).toEqual([{ email: `owner${winner}@example.com` }])
    expect(await db.sql`/* every account: there is one */ select name from accounts`).toEqual([
      { name: `Farm ${winner}` },
    ])
    // What was set up at one goes on at the other: it is set up there as well, and the session is open.
    const session = answers[winner]?.session ?? ''
    expect(session).not.toBe('')
    for (const number of [0, 1]) {
      expect((await ask(number, 'GET', '/setup')).body.data).toEqual({ needed: false, code_needed: false })
      expect((await setUp(number, code)).body.error?.code).toBe('ALREADY_SET_UP')
      const known = await ask(number, 'GET', '/session', undefined, session)
      expect(known.body.data).toMatchObject({ user: { name: `Owner ${winner}` }, role: 'owner' })
    }
  } finally {
    await db.close()
  }
}, 60_000)
