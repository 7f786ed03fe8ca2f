import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openDatabase } from '@printyard/server/db/database'
import { verifyPassword } from '@printyard/server/modules/people/accounts/password'
import { temporaryDirectory } from '@printyard/server/test/run/temporary-directory'
import { createTestDatabase, type TestDatabase } from '@printyard/server/test/run/test-database'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runCli } from '../test/run-cli.ts'
import { runCommand } from '../test/run-command.ts'

// Most of these run on a database given by DATABASE_URL, which costs no start of PostgreSQL for each command, and within this process.
let db: TestDatabase
beforeAll(async () => {
  db = await createTestDatabase()
})
afterAll(() => db.close())

function run(args: string[], input?: string) {
  return runCommand(args, { env: { DATABASE_URL: db.url }, ...(input !== undefined && { input }) })
}

async function createAccount(name = 'North farm', owner = 'owner@example.com') {
  const { document } = await run(['accounts', 'create', '--name', name, '--owner-email', owner, '--json'])
  return document<{ id: string; name: string }>()
}

async function createKey(account: string, ...more: string[]) {
  const args = ['keys', 'create', '--account', account, '--name', 'shop', '--scopes', 'read,write', '--json', ...more]
  return (await run(args)).document<{ id: string; key: string; expires_at: string | null }>()
}

describe('accounts create', () => {
  test('answers the ID and the name, and nothing else on standard output', async () => {
    const args = ['accounts', 'create', '--name', 'Hall 2', '--owner-email', 'a@example.com', '--json']
    const result = await runCli(args, { env: { DATABASE_URL: db.url } })
    expect(result.exitCode).toBe(0)
    expect(result.document()).toEqual({ id: expect.stringMatching(/^acc_[0-9a-z]{26}$/), name: 'Hall 2' })
    expect(result.stderr).toBe('')
  })

  test("takes the owner's password from standard input, without its line end", async () => {
    const args = ['accounts', 'create', '--name', 'x', '--owner-email', 'b@example.com', '--owner-password-stdin']
    const given = { env: { DATABASE_URL: db.url }, input: 'a good password\n' }
    expect((await runCli(args, given)).exitCode).toBe(0)
    const [user] = await db.sql<
      { password_hash: string }[]
    >`select password_hash from users where email = 'b@example.com'`
    expect(await verifyPassword('a good password', user?.password_hash ?? '')).toBe(true)
  })

  test.each([
    ['an empty password', '', 'The password is empty.'],
    ['a short password', 'short\n', 'The password needs at least 12 characters.'],
    ['a file given for a password', 'x'.repeat(20_000), 'The password on standard input is too long.'],
  ])('refuses %s as wrong usage and makes nothing', async (_, input, sentence) => {
    const args = [
      'accounts',
      'create',
      '--name',
      'x',
      '--owner-email',
      'c@example.com',
      '--owner-password-stdin',
      '--json',
    ]
    const result = await run(args, input)
    expect(result).toMatchObject({ exitCode: 2, stdout: '', stderr: `${sentence}\n` })
    expect(await db.sql`select id from users where email = 'c@example.com'`).toEqual([])
  })

  test('tells that a known owner keeps the old password', async () => {
    const args = [
      'accounts',
      'create',
      '--name',
      'x',
      '--owner-email',
      'd@example.com',
      '--owner-password-stdin',
      '--json',
    ]
    await run(args, 'the first password')
    const again = await run(args, 'the second password')
    expect(again.exitCode).toBe(0)
    expect(again.stderr).toContain('that one stays')
    expect(again.document()).toEqual({ id: expect.any(String), name: 'x' })
  })

  test('refuses what is no address and no time zone, both in one go', async () => {
    const args = ['accounts', 'create', '--name', 'x', '--owner-email', 'nobody', '--time-zone', 'Mars/Base']
    const result = await run(args)
    expect(result).toMatchObject({ exitCode: 2, stdout: '' })
    expect(result.stderr).toContain('"nobody" is not an e-mail address.')
    expect(result.stderr).toContain('"Mars/Base" is not a time zone')
  })
})

test('accounts list shows every account, for programs and for people', async () => {
  const account = await createAccount('Farm on the list')
  const forPrograms = (await run(['accounts', 'list', '--json'])).document<unknown[]>()
  expect(forPrograms).toContainEqual({ ...account, time_zone: 'UTC', created_at: expect.any(String) })
  const forPeople = await run(['accounts', 'list'])
  expect(forPeople.stdout).toMatch(new RegExp(`^${account.id} +Farm on the list +UTC`, 'm'))
})

describe('keys create', () => {
  test('answers the key with its scopes and its end', async () => {
    const { id } = await createAccount()
    const before = Date.now()
    const key = await createKey(id, '--expires-in', '90d')
    expect(key).toEqual({
      id: expect.stringMatching(/^key_/),
      key: expect.stringMatching(/^printyard_live_[0-9a-f]{64}$/),
      name: 'shop',
      scopes: ['read', 'write'],
      expires_at: expect.any(String),
    })
    expect(Date.parse(key.expires_at ?? '') - before).toBeGreaterThanOrEqual(90 * 86_400_000)
    expect(Date.parse(key.expires_at ?? '') - Date.now()).toBeLessThanOrEqual(90 * 86_400_000)
  })

  test('makes one that does not expire unless asked to', async () => {
    const { id } = await createAccount()
    expect((await createKey(id)).expires_at).toBeNull()
  })

  test('shows it to people with the word that it is not shown again', async () => {
    const { id } = await createAccount()
    const result = await run(['keys', 'create', '--account', id, '--name', 'shop', '--scopes', 'control'])
    expect(result.stdout).toMatch(/with control\. It does not expire\.\nIt is shown only now; .*\n\nprintyard_live_/)
  })

  test('fails for an account that does not exist', async () => {
    const args = ['keys', 'create', '--account', 'acc_none', '--name', 'shop', '--scopes', 'read', '--json']
    expect(await run(args)).toMatchObject({ exitCode: 1, stdout: '', stderr: 'No account has this ID.\n' })
  })

  test.each([
    ['--scopes', 'read,admin'],
    ['--scopes', ''],
    ['--expires-in', '0d'],
    ['--expires-in', '3 weeks'],
    ['--name', ' '],
  ])('refuses %s "%s" as wrong usage', async (option, value) => {
    const options = { '--account': 'acc_none', '--name': 'shop', '--scopes': 'read', [option]: value }
    const result = await run(['keys', 'create', '--json', ...Object.entries(options).flat()])
    expect(result).toMatchObject({ exitCode: 2, stdout: '' })
    expect(result.stderr).not.toBe('')
  })
})

describe('keys list and revoke', () => {
  test('a revoked key stays on the list with the first time of its revocation, and one event tells of it', async () => {
    const { id: account } = await createAccount()
    const key = await createKey(account)
    const first = await run(['keys', 'revoke', key.id, '--json'])
    expect(first.exitCode).toBe(0)
    expect(first.document()).toEqual({ id: key.id, name: 'shop', revoked_at: expect.any(String) })
    const second = await run(['keys', 'revoke', key.id, '--json'])
    expect(second.document()).toEqual(first.document())

    const [listed] = (await run(['keys', 'list', '--account', account, '--json'])).document<{ state: string }[]>()
    expect(listed).toMatchObject({ id: key.id, state: 'revoked', revoked_at: first.document().revoked_at })
    const events = await db.sql`
      select type, actor from events where account_id = ${account} and subject_id = ${key.id} order by id`
    expect(events).toEqual([
      { type: 'api_key.created', actor: 'cli' },
      { type: 'api_key.revoked', actor: 'cli' },
    ])
  })

  test('a list never shows a key, nor its hash', async () => {
    const { id: account } = await createAccount()
    const key = await createKey(account)
    for (const result of [
      await run(['keys', 'list', '--account', account]),
      await run(['keys', 'list', '--account', account, '--json']),
    ]) {
      expect(result.stdout).toContain(key.id)
      expect(result.stdout).not.toContain(key.key.slice(-20))
      expect(result.stdout).not.toContain('hash')
    }
  })

  test('fail for what does not exist', async () => {
    expect(await run(['keys', 'revoke', 'key_none', '--json'])).toMatchObject({
      exitCode: 1,
      stdout: '',
      stderr: 'No API key has this ID.\n',
    })
    expect(await run(['keys', 'list', '--account', 'acc_none'])).toMatchObject({ exitCode: 1, stdout: '' })
  })
})

describe('on a data directory of their own', () => {
  test('commands make it at first use, start the database for themselves and leave nothing running', async () => {
    const dataDir = join(temporaryDirectory(), 'data')
    const args = ['accounts', 'create', '--name', 'Alone', '--owner-email', 'a@example.com', '--json']
    const made = await runCli(args, { env: { PRINTYARD_DATA_DIR: dataDir } })
    expect(made).toMatchObject({ exitCode: 0, stderr: '' })
    expect(() => readFileSync(join(dataDir, 'postgres', 'postmaster.pid'))).toThrow('ENOENT')
    const listed = await runCli(['accounts', 'list', '--data-dir', dataDir, '--json'])
    expect(listed.document<{ id: string }[]>().map(({ id }) => id)).toEqual([made.document().id])
  })

  test('two commands at once both succeed', async () => {
    const dataDir = join(temporaryDirectory(), 'data')
    const results = await Promise.all(
      ['one', 'two'].map((name) =>
        runCli(['accounts', 'create', '--name', name, '--owner-email', 'a@example.com', '--data-dir', dataDir]),
      ),
    )
    expect(results.map(({ exitCode }) => exitCode)).toEqual([0, 0])
    const listed = await runCli(['accounts', 'list', '--data-dir', dataDir, '--json'])
    expect(listed.document<{ name: string }[]>().map(({ name }) => name)).toEqual(
      expect.arrayContaining(['one', 'two']),
    )
  })
})

describe('a database that is not there', () => {
  test('is told within seconds, without the password', async () => {
    const startedAt = performance.now()
    const result = await runCli(['accounts', 'list', '--json'], {
      env: { DATABASE_URL: 'postgres://printyard:hunter2secret@127.0.0.1:9/farm' },
    })
    expect(performance.now() - startedAt).toBeLessThan(10_000)
    expect(result).toMatchObject({ exitCode: 1, stdout: '' })
    expect(result.stderr).toMatch(
      /^Cannot reach the database farm at 127\.0\.0\.1:9 \(DATABASE_URL\).*Check that the database runs/,
    )
    expect(result.stderr).not.toContain('hunter2secret')
    expect(result.stderr.trim().split('\n')).toHaveLength(1)
  })

  test('is a wrong setting when its address is none', async () => {
    const result = await runCli(['accounts', 'list'], { env: { DATABASE_URL: 'mysql://me:hunter2secret@host/db' } })
    expect(result).toMatchObject({ exitCode: 2, stdout: '' })
    expect(result.stderr).toMatch(/^Some settings cannot be used:\n {2}DATABASE_URL {2}/)
    expect(result.stderr).not.toContain('hunter2secret')
  })
})

test('a migrated database of a newer version is refused in a sentence', async () => {
  const newer = await createTestDatabase()
  try {
    const driver = openDatabase({ target: newer.target })
    await driver.sql`insert into schema_migrations (number, file, checksum) values (9999, '9999-future.sql', 'x')`
    await driver.close()
    const result = await runCli(['accounts', 'list'], { env: { DATABASE_URL: newer.url } })
    expect(result).toMatchObject({ exitCode: 1, stdout: '' })
    expect(result.stderr).toContain('Start that version.')
  } finally {
    await newer.close()
  }
})
