import { createHash, X509Certificate } from 'node:crypto'
import { cpSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:https'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { slicedFile } from '@printyard/server/test/farm/sliced-file'
import { temporaryDirectory } from '@printyard/server/test/run/temporary-directory'
import { makeTestAuthority } from '@printyard/server/test/services/test-certificates'
import type { Finding } from 'printyard/doctor/finding'
import { expect, test } from 'vitest'
import { eventually } from '../test/farm-processes.ts'
import { freePort } from '../test/free-port.ts'
import { type CommandResult, runCli, startCli } from '../test/run-cli.ts'

const limits = { timeout: 180_000 }

interface Made {
  certificate_file: string
  key_file: string
  ca_file: string
  ca_fingerprint: string
  hosts: string[]
}

/** A client that knows the authority of the service and no other. */
function clientOf(url: string, key: string, ca: string) {
  const agent = new Agent({ ca, keepAlive: true })
  return function send<T>(method: string, path: string, body?: unknown): Promise<{ status: number; data: T }> {
    const isRaw = body instanceof Uint8Array
    return new Promise((resolve, reject) => {
      const headers = {
        authorization: `Bearer ${key}`,
        ...(body !== undefined && { 'content-type': isRaw ? 'application/octet-stream' : 'application/json' }),
      }
      const sent = request(`${url}/public/v1${path}`, { method, agent, headers }, (answer) => {
        text(answer).then(
          (read) => resolve({ status: answer.statusCode ?? 0, data: (JSON.parse(read) as { data: T }).data }),
          reject,
        )
      })
      sent.on('error', reject)
      sent.end(isRaw ? body : body === undefined ? undefined : JSON.stringify(body))
    })
  }
}

function finding(result: CommandResult, name: string): Finding | undefined {
  return result.document<{ checks: Finding[] }>().checks.find((check) => check.name === name)
}

test(
  'a certificate of its own: made, served, joined by fingerprint, printed over, renewed while running',
  limits,
  async () => {
    const folder = temporaryDirectory()
    const dataDir = join(folder, 'data')
    const made = (
      await runCli(['tls', 'self-signed', '--host', 'farm.lan', '--data-dir', dataDir, '--json'])
    ).document<Made>()
    expect(made.hosts).toEqual(expect.arrayContaining(['farm.lan', 'localhost', '127.0.0.1']))
    for (const file of [made.key_file, join(dataDir, 'tls/ca.key')]) expect(statSync(file).mode & 0o777).toBe(0o600)
    const again = await runCli(['tls', 'self-signed', '--data-dir', dataDir])
    expect([again.exitCode, again.stderr]).toEqual([1, expect.stringContaining('is there already')])

    const port = await freePort()
    const env = {
      PRINTYARD_DATA_DIR: dataDir,
      PRINTYARD_PORT: String(port),
      PRINTYARD_TLS_CERT_FILE: made.certificate_file,
      PRINTYARD_TLS_KEY_FILE: made.key_file,
    }
    const service = startCli(['serve'], { env })
    const url = `https://127.0.0.1:${port}`
    expect(await service.nextLine()).toBe(`Printyard is ready at ${url}`)
    expect(await runCli(['health'], { env })).toMatchObject({
      exitCode: 0,
      stdout: `The service is ready at ${url}/readyz.\n`,
    })

    const account = (
      await runCli(['accounts', 'create', '--name', 'Farm', '--owner-email', 'o@example.com', '--json'], { env })
    ).document<{ id: string }>()
    const { key } = (
      await runCli(
        ['keys', 'create', '--account', account.id, '--name', 'k', '--scopes', 'read,write,control', '--json'],
        { env },
      )
    ).document<{ key: string }>()
    const ca = readFileSync(made.ca_file, 'utf8')
    const send = clientOf(url, key, ca)
    const hub = await send<{ id: string; join_code: string; ca_fingerprint: string }>('POST', '/hubs', {
      name: 'Workshop',
    })
    expect(hub.data.ca_fingerprint).toBe(made.ca_fingerprint.replaceAll(':', '').toLowerCase())

    // A hub that is told nothing, or of another authority, sends its code to no one.
    const hubDir = join(folder, 'hub')
    const other = await makeTestAuthority()
    writeFileSync(join(folder, 'other.crt'), other.cert)
    const digest = createHash('sha256').update(new X509Certificate(other.cert).raw).digest('hex')
    for (const [more, reason] of [
      [[], 'is not from an authority that this hub trusts'],
      [['--ca-file', join(folder, 'other.crt')], 'is not from an authority that this hub trusts'],
      [['--ca-fingerprint', digest], 'shows no certificate with this fingerprint'],
      [['--ca-fingerprint', 'abc'], 'is not a SHA-256 fingerprint'],
      [['--ca-file', join(folder, 'gone')], 'cannot be read (ENOENT)'],
    ] as const) {
      const insecure = { NODE_TLS_REJECT_UNAUTHORIZED: '0' }
      const refused = await runCli(['hub', 'join', url, hub.data.join_code, ...more, '--data-dir', hubDir], {
        env: insecure,
      })
      expect([refused.exitCode === 0, refused.stderr]).toEqual([false, expect.stringContaining(reason)])
    }
    const joined = await runCli([
      'hub',
      'join',
      url,
      hub.data.join_code,
      '--ca-fingerprint',
      hub.data.ca_fingerprint,
      '--data-dir',
      hubDir,
    ])
    expect(joined).toMatchObject({ exitCode: 0 })
    cpSync(hubDir, `${hubDir}-copy`, { recursive: true })
    const running = startCli(['hub', 'run', '--speed', '2000', '--data-dir', hubDir])

    // Files and telemetry go the same encrypted way.
    const printer = await send<{ id: string }>('POST', '/printers', {
      name: 'First',
      model: 'MK4S',
      hub_id: hub.data.id,
      connection_type: 'virtual',
    })
    const statusOf = () => send<{ status: string | null }>('GET', `/printers/${printer.data.id}/status`)
    await eventually('an idle printer', statusOf, ({ data }) => data.status === 'idle')
    await send('POST', `/printers/${printer.data.id}/control`, { action: 'clear_bed' })
    const upload = await send<{ token: string }>('POST', '/files/upload-url', { filename: 'bracket.gcode' })
    await send('PUT', `/files/upload/${upload.data.token}`, new Uint8Array(readFileSync(slicedFile)))
    const file = await send<{ id: string }>('POST', '/files', { upload_token: upload.data.token })
    const job = await send<{ id: string }>('POST', '/jobs', {
      print_file_id: file.data.id,
      printer_id: printer.data.id,
    })
    expect((await send('POST', `/jobs/${job.data.id}/start`)).status).toBe(200)

    // Another certificate while it prints: no one is put out.
    const renewed = await runCli(['tls', 'self-signed', '--renew', '--json'], { env })
    expect(renewed.document<Made>().ca_fingerprint).toBe(made.ca_fingerprint)
    await eventually(
      'the new certificate',
      () => Promise.resolve(service.stderr()),
      (log) => log.includes('another certificate is served from now on'),
    )
    const jobOf = () => send<{ status: string }>('GET', `/jobs/${job.data.id}`)
    await eventually('the end of the print', jobOf, ({ data }) => data.status === 'completed', 60_000)
    expect(running.stderr()).not.toContain('the hub connects again')

    const well = await runCli(['doctor', '--json'], { env })
    expect(finding(well, 'certificate')).toMatchObject({ status: 'ok', message: expect.stringContaining('farm.lan') })
    expect(finding(well, 'service')?.status).toBe('ok')
    writeFileSync(made.certificate_file, 'half')
    const ill = await runCli(['doctor', '--json'], { env })
    expect(finding(ill, 'certificate')).toMatchObject({
      status: 'problem',
      message: expect.stringContaining('The running service keeps the former one'),
    })
    expect((await statusOf()).status).toBe(200)

    // The hub that was joined with one authority refuses the service with another.
    running.child.kill('SIGTERM')
    await running.ended
    const replaced = await runCli(['tls', 'self-signed', '--new-authority', '--json'], { env })
    expect(replaced.document<Made>().ca_fingerprint).not.toBe(made.ca_fingerprint)
    await eventually(
      'the other certificate',
      () => Promise.resolve(service.stderr().split('another certificate is served')),
      (parts) => parts.length === 3,
    )
    const lost = startCli(['hub', 'run', '--data-dir', hubDir])
    await eventually(
      'the refusal',
      () => Promise.resolve(lost.stderr()),
      (log) => log.includes('the service is not trusted'),
    )
    expect(
      (
        await clientOf(
          url,
          key,
          readFileSync(made.ca_file, 'utf8'),
        )<{ is_online: boolean }>('GET', `/hubs/${hub.data.id}`)
      ).data.is_online,
    ).toBe(false)
    const told = startCli(['hub', 'run', '--data-dir', `${hubDir}-copy`, '--ca-file', made.ca_file])
    await eventually(
      'the hub that was told of it',
      () =>
        clientOf(url, key, readFileSync(made.ca_file, 'utf8'))<{ is_online: boolean }>('GET', `/hubs/${hub.data.id}`),
      ({ data }) => data.is_online,
    )
    expect(told.stderr()).not.toContain('is not trusted')
  },
)

test('a service whose pair cannot be used does not start, and says which setting is wrong', async () => {
  const folder = temporaryDirectory()
  writeFileSync(join(folder, 'empty'), '')
  const env = {
    PRINTYARD_DATA_DIR: join(folder, 'data'),
    PRINTYARD_TLS_CERT_FILE: join(folder, 'empty'),
    PRINTYARD_TLS_KEY_FILE: join(folder, 'empty'),
  }
  const result = await runCli(['serve', '--port', '0'], { env })
  expect([result.exitCode, result.stderr]).toEqual([2, expect.stringContaining('PRINTYARD_TLS_CERT_FILE')])
  const half = await runCli(['serve', '--port', '0'], { env: { ...env, PRINTYARD_TLS_KEY_FILE: '' } })
  expect([half.exitCode, half.stderr]).toEqual([2, expect.stringContaining('needs PRINTYARD_TLS_KEY_FILE too')])
  const strange = await runCli(['tls', 'self-signed', '--host', '8.8.8.8', '--data-dir', join(folder, 'data')])
  expect([strange.exitCode, strange.stderr]).toEqual([1, expect.stringContaining('8.8.8.8')])
})
