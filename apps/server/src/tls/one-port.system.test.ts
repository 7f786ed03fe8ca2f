import { execFile } from 'node:child_process'
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { request as requestPlain } from 'node:http'
import { Agent, request as requestSecure } from 'node:https'
import { connect as connectTcp, isIP } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import { connect as connectTls, type TLSSocket } from 'node:tls'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { silentLog } from '../db/setup/database-log.ts'
import { connectionsOf } from '../http/connections/open-connections.ts'
import { watchCertificate } from '../modules/certificate/certificate.service.ts'
import { createTestApp, type TestAccount, type TestApp } from '../test/app/test-app.ts'
import { createTestPerson } from '../test/farm/test-person.ts'
import { makeTestAuthority, makeTestCertificate, writePair } from '../test/services/test-certificates.ts'
import { type MadeCertificate, makeServerCertificate } from './make-certificate.ts'
import { ServedCertificate } from './served-certificate.ts'

const run = promisify(execFile)
const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

let folder: string
let authority: MadeCertificate
let other: MadeCertificate
let certificate: ServedCertificate
let t: TestApp
let account: TestAccount
let port: number
let caFile: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'printyard-tls-'))
  ;[authority, other] = await Promise.all([makeTestAuthority(), makeTestAuthority()])
  const files = writePair(folder, await makeTestCertificate(authority))
  caFile = join(folder, 'ca.crt')
  writeFileSync(caFile, authority.cert)
  certificate = new ServedCertificate(files, silentLog)
  t = await createTestApp({
    config: { tlsCertFile: files.certFile, tlsKeyFile: files.keyFile },
    context: { certificate },
  })
  account = await t.account()
  await t.app.listen({ host: '127.0.0.1', port: 0 })
  port = (t.app.server.address() as { port: number }).port
})
afterAll(async () => {
  await t?.close()
  rmSync(folder, { recursive: true, force: true })
})

interface Asked {
  status: number
  headers: NodeJS.Dict<string | string[]>
  body: string
}

function ask(
  path: string,
  {
    isPlain = false,
    ca = authority.cert,
    agent = undefined as Agent | undefined,
    method = 'GET',
    headers = {},
    body = '',
  } = {},
): Promise<Asked> {
  return new Promise((resolve, reject) => {
    const options = {
      host: '127.0.0.1',
      servername: 'localhost',
      port,
      path,
      method,
      headers,
      ca,
      agent: agent ?? (false as const),
    }
    const request = (isPlain ? requestPlain : requestSecure)(options, (answer) => {
      text(answer).then(
        (read) => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: read }),
        reject,
      )
    })
    request.on('error', reject)
    request.end(body)
  })
}

const asBrowser = { accept: 'text/html' }
const asProgram = () => ({ authorization: `Bearer ${account.key}` })

/** Puts another pair in its place as careful programs do, and lets the service look at it. */
async function serve(made: MadeCertificate): Promise<void> {
  for (const [name, content] of [
    ['server.key', made.key],
    ['server.crt', made.cert],
  ] as const) {
    writeFileSync(join(folder, `${name}.new`), content, { mode: 0o600 })
    renameSync(join(folder, `${name}.new`), join(folder, name))
    certificate.look()
  }
  certificate.look()
}

test('clients that know the authority are answered over TLS 1.2 and 1.3, all others refuse', async () => {
  expect(await ask('/livez')).toMatchObject({ status: 200, body: '{"status":"alive"}' })
  await expect(ask('/livez', { ca: other.cert })).rejects.toThrow(/self-signed certificate|unable to verify/)

  const url = `https://localhost:${port}/livez`
  const curl = await run('curl', [
    '--silent',
    '--show-error',
    '--cacert',
    caFile,
    '--resolve',
    `localhost:${port}:127.0.0.1`,
    url,
  ])
  expect(curl.stdout).toBe('{"status":"alive"}')
  writeFileSync(join(folder, 'other.crt'), other.cert)
  await expect(run('curl', ['--silent', '--show-error', '--cacert', join(folder, 'other.crt'), url])).rejects.toThrow(
    /certificate/,
  )

  for (const version of ['-tls1_2', '-tls1_3']) {
    const openssl = run('openssl', [
      's_client',
      '-connect',
      `127.0.0.1:${port}`,
      '-servername',
      'localhost',
      '-CAfile',
      caFile,
      '-verify_return_error',
      '-verify_hostname',
      'localhost',
      '-alpn',
      'h2,http/1.1',
      version,
    ])
    openssl.child.stdin?.end()
    const { stdout } = await openssl
    expect(stdout).toContain('Verification: OK')
    expect(stdout).toContain('ALPN protocol: http/1.1')
  }
  const old = run('openssl', ['s_client', '-connect', `127.0.0.1:${port}`, '-tls1_1', '-cipher', 'ALL@SECLEVEL=0'])
  old.child.stdin?.end()
  await expect(old).rejects.toThrow()
})

test('a browser in plain text is sent on, a program is refused and nothing is done', async () => {
  const page = await ask('/printers?tab=all', { isPlain: true, headers: asBrowser })
  expect(page).toMatchObject({
    status: 307,
    headers: { location: `https://127.0.0.1:${port}/printers?tab=all`, 'cache-control': 'no-store' },
  })
  const body = JSON.stringify({ name: 'Over plain text', model: 'MK4S', connection_type: 'virtual' })
  const headers = { ...asProgram(), 'content-type': 'application/json' }
  const refused = await ask('/public/v1/printers', { isPlain: true, method: 'POST', headers, body })
  expect(refused.status).toBe(421)
  expect(JSON.parse(refused.body).error).toEqual({
    code: 'HTTPS_REQUIRED',
    message: `This service accepts HTTPS only: https://127.0.0.1:${port}.`,
  })
  // A session that a browser would bring makes no difference.
  const read = await ask('/app/v1/session', { isPlain: true, headers: { accept: 'application/json' } })
  expect(read.status).toBe(421)
  const list = await ask('/public/v1/printers', { headers: asProgram() })
  expect(JSON.parse(list.body)).toMatchObject({ success: true, data: [] })
  const foreign = await ask('/', { isPlain: true, headers: { ...asBrowser, host: 'farm.example.net' } })
  expect([foreign.status, JSON.parse(foreign.body).error.code]).toEqual([421, 'HOST_REFUSED'])
})

test('the authority is there in plain text and by HTTPS, with a code for phones; a key never is', async () => {
  for (const isPlain of [true, false]) {
    const file = await ask('/certificate/printyard-ca.crt', { isPlain })
    expect(file).toMatchObject({ status: 200, headers: { 'content-type': 'application/x-x509-ca-cert' } })
    expect(file.body.trim()).toBe(authority.cert.trim())
    const page = await ask('/certificate', { isPlain, headers: asBrowser })
    expect(page.status).toBe(200)
    expect(page.body).toContain('<svg')
    expect(page.body).toContain(certificate.pair.authority?.fingerprint256)
    // Only the page that may have been changed on its way says so.
    expect(page.body.includes('came unencrypted')).toBe(isPlain)
    expect(page.headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'nonce-/)
    expect(file.body + page.body).not.toContain('PRIVATE')
  }
  for (const path of ['/certificate/server.key', '/certificate/ca.key', '/certificate/../tls/ca.key']) {
    expect((await ask(path, { isPlain: true })).status).toBe(421)
    expect((await ask(path)).status).toBe(404)
  }
})

test('cookies are for HTTPS alone, and browsers are told to stay there where no other program can be meant', async () => {
  const strict = 'strict-transport-security'
  expect((await ask('/livez')).headers[strict]).toBeUndefined()
  expect((await ask('/livez', { headers: { host: 'farm.local' } })).headers[strict]).toBe('max-age=31536000')
  const password = 'three green printers hum'
  const person = await createTestPerson(t, account, 'owner', { password })
  const signIn = await ask('/app/v1/sign-in', {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: `https://127.0.0.1:${port}` },
    body: JSON.stringify({ email: person.email, password }),
  })
  const [cookie = ''] = signIn.headers['set-cookie'] ?? []
  expect(cookie).toMatch(/^__Host-printyard_session_.*; Path=\/; HttpOnly; SameSite=Lax; Max-Age=\d+; Secure$/)
})

test('another certificate takes its place under load without a lost request, half-written pairs never are served', async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 4 })
  const failures: unknown[] = []
  let answers = 0
  const shown = new Set<string>()
  let isOver = false
  const load = async (usesAgent: boolean) => {
    while (!isOver) {
      try {
        const { status } = await ask('/public/v1/printers', { headers: asProgram(), ...(usesAgent && { agent }) })
        if (status !== 200) failures.push(status)
        answers += 1
      } catch (error) {
        failures.push(error)
      }
    }
  }
  const watch = async () => {
    while (!isOver) shown.add(await fingerprintShown())
  }
  const workers = [load(true), load(true), load(true), load(false), load(false), watch()]
  const made = await Promise.all(Array.from({ length: 6 }, () => makeTestCertificate(authority)))
  for (const [index, pair] of made.entries()) {
    // Written in place by a careless program, in pieces, with looks in between.
    if (index % 2 === 1) {
      writeFileSync(join(folder, 'server.crt'), pair.cert.slice(0, 500))
      for (let count = 0; count < 3; count += 1) certificate.look()
      expect(certificate.problem).toContain('cut short')
    }
    await serve(pair)
    expect(certificate.pair.cert).toBe(pair.cert)
    expect(await fingerprintShown()).toBe(certificate.pair.leaf.fingerprint256)
    // However slow the machine is: requests go on before the next one.
    const [before, leaf] = [answers, certificate.pair.leaf.fingerprint256]
    await t.settled(() => failures.length > 0 || (answers >= before + 10 && shown.has(leaf)))
  }
  isOver = true
  await Promise.all(workers)
  agent.destroy()
  expect(failures).toEqual([])
  expect(answers).toBeGreaterThanOrEqual(60)
}, 60_000)

/** What a new connection is shown; it refuses what the authority has not signed. */
function fingerprintShown(name = 'localhost'): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connectTls(
      { host: '127.0.0.1', servername: isIP(name) === 0 ? name : '', port, ca: authority.cert },
      () => {
        resolve(socket.getPeerX509Certificate()?.fingerprint256 ?? '')
        socket.end()
      },
    )
    socket.on('error', reject)
  })
}

test('the authority vouches for no name of the internet: anyone who has its key cannot pass for one', async () => {
  const hosts = [['bank.example.com'], ['farm.local.example.com'], ['93.184.216.34']] as const
  for (const [host] of hosts) {
    await serve(await makeServerCertificate(authority, [host], new Date()))
    await expect(fingerprintShown(host)).rejects.toThrow('permitted subtree violation')
  }
  await serve(await makeServerCertificate(authority, ['printer.farm.local', '192.168.7.7'], new Date()))
  expect(await fingerprintShown('printer.farm.local')).toBe(certificate.pair.leaf.fingerprint256)
  await serve(await makeTestCertificate(authority))
})

test('a person gets one task when it ends soon, which closes by itself', async () => {
  const tasks = async () => {
    const rows = await t.db.sql<{ title: string }[]>`
      select title from worklist_tasks where account_id = ${account.id} and status = 'pending' and source = 'certificate'`
    return rows.map(({ title }) => title)
  }
  await watchCertificate(t.context)
  expect(await tasks()).toEqual([])
  await serve(await makeTestCertificate(authority, { daysLeft: 10 }))
  for (let count = 0; count < 2; count += 1) await watchCertificate(t.context)
  expect(await tasks()).toEqual([`The certificate ends on ${day(10)}`])
  await serve(await makeTestCertificate(authority))
  await watchCertificate(t.context)
  expect(await tasks()).toEqual([])
})

test('connections of strangers give way over TLS too, and that of a key does not', async () => {
  const connections = connectionsOf(t.context)
  const many = { ofNetwork: 500, ofSite: 500, ofStrangers: 500, atRestOfAccount: 500, graceMs: 50 }
  connections.limit({ ...many, ofNetwork: 4 })
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const strangers: TLSSocket[] = []
  onTestFinished(() => {
    connections.limit(many)
    agent.destroy()
    for (const stranger of strangers) stranger.destroy()
  })
  const headers = { authorization: `Bearer ${account.key}` }
  expect((await ask('/public/v1/jobs', { agent, headers })).status).toBe(200)
  const [known] = Object.values(agent.freeSockets).flat()
  for (let count = 0; count < 12; count += 1) {
    const stranger = connectTls({ host: '127.0.0.1', port, servername: 'localhost', ca: authority.cert })
    stranger.on('error', () => undefined)
    strangers.push(stranger)
    await new Promise((resolve) => stranger.once('secureConnect', resolve))
  }
  await t.settled(() => strangers.filter(({ closed }) => !closed).length <= 4)
  expect((await ask('/public/v1/jobs', { agent, headers })).status).toBe(200)
  expect(Object.values(agent.freeSockets).flat()).toEqual([known])
})

test('connections that say nothing, nonsense, or end at once hold up no one, nor the stop', async () => {
  const silent = connectTcp(port, '127.0.0.1')
  const nonsense = connectTcp(port, '127.0.0.1', () =>
    nonsense.write('\x16\x03\x01\x02\x00nonsense of the same length'),
  )
  const started = connectTcp(port, '127.0.0.1', () => started.write('GET / HT'))
  const gone = connectTcp(port, '127.0.0.1', () => gone.end())
  for (const socket of [silent, nonsense, started, gone]) socket.on('error', () => undefined)
  await wait(100)
  expect((await ask('/livez')).status).toBe(200)
  expect((await ask('/livez', { isPlain: true })).status).toBe(421)
  const stopping = performance.now()
  const dropped = setTimeout(() => t.app.server.closeAllConnections(), 500)
  await t.app.close()
  clearTimeout(dropped)
  expect(performance.now() - stopping).toBeLessThan(5_000)
})
