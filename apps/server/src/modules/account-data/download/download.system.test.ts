import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createConnection } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectDatabase } from '../../../db/connect-database.ts'
import { silentLog } from '../../../db/setup/database-log.ts'
import { openStoredContents } from '../../../file-store/open-file-store.ts'
import type { AccountId } from '../../../kernel/ids.ts'
import { createTestApp, type TestAccount, type TestApp } from '../../../test/app/test-app.ts'
import { createTestPerson, type TestPerson } from '../../../test/farm/test-person.ts'
import { temporaryDirectory } from '../../../test/run/temporary-directory.ts'
import { streamExport } from '../export/export-account.ts'
import { downloadsOf, ExportDownloads } from './export-downloads.ts'

const path = '/app/v1/account/export'
/** A process is started for each export, behind everything else that the machine does. */
const limits = { timeout: 120_000 }

let t: TestApp
let account: TestAccount
let owner: TestPerson
let dataDir: string
let url: string
beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'printyard-case-'))
  t = await createTestApp({ config: { dataDir } })
  // The process that writes an export connects by itself.
  Object.assign(t.context, { config: { ...t.context.config, databaseUrl: t.db.url } })
  account = await t.account({ name: 'Nörth "farm"' })
  owner = await createTestPerson(t, account, 'owner')
  url = await t.app.listen({ port: 0, host: '127.0.0.1' })
  await account.request('POST', '/products', { name: 'Vase' })
}, 60_000)
afterAll(async () => {
  await downloadsOf(t.context).stop()
  await t.close()
  rmSync(dataDir, { recursive: true, force: true })
})

const ask = (person: TestPerson, signal?: AbortSignal) =>
  fetch(`${url}${path}`, { headers: { cookie: person.cookie }, ...(signal && { signal }) })

const drafts = () => (existsSync(join(dataDir, 'export-drafts')) ? readdirSync(join(dataDir, 'export-drafts')) : [])

async function until(isSo: () => boolean): Promise<void> {
  for (const deadline = Date.now() + 60_000; !isSo(); await wait(20)) expect(Date.now()).toBeLessThan(deadline)
}

test(
  'an owner downloads all of the account as one archive that an ordinary tool reads, and the audit says who',
  limits,
  async () => {
    const answer = await ask(owner)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('application/gzip')
    expect(answer.headers.get('content-disposition')).toContain(`filename*=UTF-8''N%C3%B6rth%20%22farm%22%20`)
    const folder = temporaryDirectory()
    const archive = join(folder, 'farm.tar.gz')
    writeFileSync(archive, Buffer.from(await answer.arrayBuffer()))
    mkdirSync(join(folder, 'farm'))
    expect(spawnSync('tar', ['-xzf', archive, '-C', join(folder, 'farm')]).status).toBe(0)
    const checked = spawnSync('sha256sum', ['--check', '--quiet', 'SHA256SUMS'], { cwd: join(folder, 'farm') })
    expect(checked.status, String(checked.stdout)).toBe(0)
    const manifest = JSON.parse(readFileSync(join(folder, 'farm', 'manifest.json'), 'utf8'))
    expect(manifest).toMatchObject({ account: { id: account.id }, missing_files: [] })
    expect(readFileSync(join(folder, 'farm', 'data', 'products.jsonl'), 'utf8')).toContain('Vase')

    await until(() => drafts().length === 0)
    const audit = (await owner.request('GET', '/audit?limit=5')).json().data
    expect(audit).toContainEqual(expect.objectContaining({ type: 'account_export.started' }))
  },
)

test('an admin is refused, and an owner who has not shown to be there is asked to', limits, async () => {
  const admin = await createTestPerson(t, account, 'admin')
  expect((await ask(admin)).status).toBe(403)
  await t.db.sql`update sessions set proven_at = null where account_id = ${account.id} and id = ${owner.sessionId}`
  const refused = await ask(owner)
  expect(refused.status).toBe(403)
  expect(await refused.json()).toMatchObject({ error: { code: 'PROOF_REQUIRED' } })
  await t.db.sql`update sessions set proven_at = now() where account_id = ${account.id} and id = ${owner.sessionId}`
})

test(
  'a browser that takes nothing holds one export of its account, whose end frees it and leaves nothing behind',
  limits,
  async () => {
    await fillProducts(account.id)
    const { hostname, port } = new URL(url)
    const socket = createConnection(Number(port), hostname)
    try {
      socket.pause()
      socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nCookie: ${owner.cookie}\r\n\r\n`)
      await until(() => drafts().length === 1)
      const second = await ask(owner)
      expect(second.status).toBe(409)
      expect(await second.json()).toMatchObject({ error: { code: 'EXPORT_RUNNING' } })
    } finally {
      socket.destroy()
    }
    await until(() => drafts().length === 0)
    const leaving = new AbortController()
    const again = await ask(owner, leaving.signal)
    expect(again.status).toBe(200)
    leaving.abort()
    await until(() => drafts().length === 0)
  },
)

test('a disk that is full ends an export with that reason, however late it shows', limits, async () => {
  const full = new Writable({
    write: (_piece, _encoding, done) => done(Object.assign(new Error('no space left'), { code: 'ENOSPC' })),
  })
  const { config } = t.context
  const connected = await connectDatabase(
    { databaseUrl: t.db.url, dataDir, purpose: 'tests', shouldMigrate: false },
    silentLog,
  )
  try {
    const source = { target: connected.target, accountId: account.id, version: '0', files: openStoredContents(config) }
    await expect(streamExport(source, join(dataDir, 'draft'), full)).rejects.toMatchObject({ code: 'ENOSPC' })
  } finally {
    await connected.close()
  }
})

test('an export that fails on the way is a download that fails, and no archive that looks whole', limits, async () => {
  const answer = await ask(owner)
  expect(answer.status).toBe(200)
  await downloadsOf(t.context).stop()
  await expect(answer.arrayBuffer()).rejects.toThrow()
})

/** More than the buffers of a connection take, and nothing that compresses well. */
async function fillProducts(accountId: AccountId): Promise<void> {
  // One statement for all of them can take longer on a busy machine than the service lets a statement take.
  for (let part = 0; part < 6; part++) {
    await t.db.sql`
      insert into products (account_id, id, name, description)
      select ${accountId}, 'prd_' || left(md5(random()::text), 26), 'Filler ' || p || md5(random()::text),
        (select string_agg(md5(random()::text || p || i), '') from generate_series(1, 2000) i)
      from generate_series(1, 100) p`
  }
}

test('accounts that read slowly do not keep another one from its export', limits, async () => {
  const [other, third] = await Promise.all([t.account(), t.account()])
  const downloads = new ExportDownloads({ leftAloneMs: 1_000 })
  for (const { id } of [account, other]) await fillProducts(id)
  try {
    const slow = await Promise.all([account, other].map(({ id }) => downloads.start(t.context, id)))
    const failures: string[] = []
    for (const content of slow) content.on('error', ({ message }) => failures.push(message))
    await wait(1_100)
    const content = await downloads.start(t.context, third.id)
    expect(failures).toEqual([expect.stringContaining('gave way to another account')])
    content.resume()
    await once(content, 'end')
  } finally {
    await downloads.stop()
  }
})

test('an export that began a moment ago gives way to no one', limits, async () => {
  const [other, third] = await Promise.all([t.account(), t.account()])
  const downloads = new ExportDownloads()
  try {
    for (const { id } of [account, other]) await downloads.start(t.context, id)
    await expect(downloads.start(t.context, third.id)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  } finally {
    await downloads.stop()
  }
})
