import { createServer } from 'node:net'
import { join } from 'node:path'
import { readHolder } from '@printyard/server/db/embedded/data-directory'
import { temporaryDirectory } from '@printyard/server/test/run/temporary-directory'
import { createTestDatabase } from '@printyard/server/test/run/test-database'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type RunningCli, runCli, startCli } from '../test/run-cli.ts'
import { startedDataDirectory } from '../test/started-data-directory.ts'

const readyForm = /^Printyard is ready at (http:\/\/127\.0\.0\.1:\d+)$/

function freshDataDir() {
  return join(temporaryDirectory(), 'data')
}

async function startService(dataDir: string, ...more: string[]): Promise<RunningCli & { url: string }> {
  const service = startCli(['serve', '--port', '0', '--data-dir', dataDir, ...more])
  const [, url] = readyForm.exec(await service.nextLine()) ?? []
  if (url === undefined) throw new Error(`no ready line: ${service.stdout()}`)
  return { ...service, url }
}

// Each of these starts up to seven processes, one after the other.
describe('a service with commands beside it', { timeout: 90_000 }, () => {
  test('lets keys in at once, refuses revoked ones at once, and ends in order on SIGTERM', async () => {
    const dataDir = freshDataDir()
    const service = await startService(dataDir)
    const env = { PRINTYARD_DATA_DIR: dataDir }
    const run = (...args: string[]) => runCli([...args, '--json'], { env })
    const statusWith = async (key: string) =>
      (await fetch(`${service.url}/public/v1/hubs`, { headers: { authorization: `Bearer ${key}` } })).status

    const made = await run('accounts', 'create', '--name', 'Beside', '--owner-email', 'a@example.com')
    const account = made.document<{ id: string }>().id
    const key = (await run('keys', 'create', '--account', account, '--name', 'k', '--scopes', 'read')).document<{
      id: string
      key: string
    }>()
    expect(await statusWith(key.key)).toBe(200)
    expect((await run('keys', 'revoke', key.id)).exitCode).toBe(0)
    expect(await statusWith(key.key)).toBe(401)

    const hub = await run('hubs', 'create', '--account', account, '--name', 'Workshop hub')
    expect(hub.document()).toEqual({
      id: expect.stringMatching(/^hub_/),
      token: expect.stringMatching(/^printyard_hub_[0-9a-f]{64}$/),
    })
    expect(await run('hubs', 'create', '--account', account, '--name', 'Workshop hub')).toMatchObject({
      exitCode: 1,
      stdout: '',
      stderr: 'Another hub has this name.\n',
    })
    expect(await run('hubs', 'create', '--account', 'acc_none', '--name', 'Hub')).toMatchObject({
      exitCode: 1,
      stdout: '',
      stderr: 'No account has this ID.\n',
    })

    const startedAt = performance.now()
    service.child.kill('SIGTERM')
    expect(await service.ended).toBe(0)
    expect(performance.now() - startedAt).toBeLessThan(10_000)
    expect(service.stdout()).toMatch(/^Printyard is ready at \S+\n$/)

    // What was made beside it is there when it is gone.
    const listed = await run('keys', 'list', '--account', account)
    expect(listed.document<{ id: string; state: string }[]>()).toMatchObject([{ id: key.id, state: 'revoked' }])
  })

  test('runs a hub that connects with its token, and the hub ends in order too', async () => {
    const dataDir = await startedDataDirectory()
    const service = await startService(dataDir)
    const run = (...args: string[]) => runCli([...args, '--data-dir', dataDir, '--json'])
    const made = await run('accounts', 'create', '--name', 'Hubs', '--owner-email', 'a@example.com')
    const account = made.document<{ id: string }>().id
    const token = (await run('hubs', 'create', '--account', account, '--name', 'H')).document<{ token: string }>().token
    const key = (await run('keys', 'create', '--account', account, '--name', 'k', '--scopes', 'read')).document<{
      key: string
    }>().key

    const hub = startCli(
      ['hub', 'run', '--url', service.url, '--virtual', '2', '--speed', '100', '--data-dir', freshDataDir(), '--json'],
      { env: { PRINTYARD_HUB_TOKEN: token } },
    )
    await expect
      .poll(
        async () => {
          const answer = await fetch(`${service.url}/public/v1/hubs`, { headers: { authorization: `Bearer ${key}` } })
          return JSON.stringify(await answer.json())
        },
        { timeout: 15_000, interval: 250 },
      )
      .toContain('"is_online":true')
    hub.child.kill('SIGTERM')
    expect(await hub.ended).toBe(0)
    expect(JSON.parse(hub.stdout())).toEqual({ stopped: true })
    expect(hub.stderr()).not.toContain(token)
  })
})

test('a second service on the same data directory is told who has it, and leaves the first alone', async () => {
  const dataDir = await startedDataDirectory()
  const first = await startService(dataDir)
  const second = await runCli(['serve', '--port', '0', '--data-dir', dataDir])
  expect(second).toMatchObject({ exitCode: 1, stdout: '' })
  expect(second.stderr).toContain(`is in use by process ${first.child.pid} (service`)
  expect(second.stderr).toContain('Stop that process, or choose another directory')
  expect(second.stderr).not.toContain('    at ')
  expect((await fetch(`${first.url}/readyz`)).status).toBe(200)
})

test('a taken port is told in a sentence, and the database that was started for it is stopped', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void other.close())
  await new Promise((resolve) => other.once('listening', resolve))
  const { port } = other.address() as { port: number }
  const dataDir = await startedDataDirectory()
  const result = await runCli(['serve', '--port', String(port), '--data-dir', dataDir], {
    env: { PRINTYARD_LOG_LEVEL: 'error' },
  })
  expect(result).toMatchObject({ exitCode: 1, stdout: '' })
  expect(result.stderr).toBe(
    `Port ${port} of 127.0.0.1 is taken by another program; stop it, or choose another port with --port or PRINTYARD_PORT.\n`,
  )
  // Nothing holds the directory: a command starts the database again.
  expect((await runCli(['accounts', 'list', '--data-dir', dataDir, '--json'])).document()).toEqual([])
})

test('an address that is not of this machine is told in a sentence', async () => {
  const db = await createTestDatabase()
  onTestFinished(() => db.close())
  const result = await runCli(['serve', '--port', '0', '--host', '203.0.113.9', '--data-dir', freshDataDir()], {
    env: { PRINTYARD_LOG_LEVEL: 'error', DATABASE_URL: db.url },
  })
  expect(result).toMatchObject({ exitCode: 1, stdout: '' })
  expect(result.stderr).toMatch(/^203\.0\.113\.9 is not an address of this machine; choose another with --host/)
})

test('an unreachable database ends the start within seconds, and its password is not shown', async () => {
  const startedAt = performance.now()
  const result = await runCli(['serve', '--port', '0', '--data-dir', freshDataDir()], {
    env: { DATABASE_URL: 'postgres://printyard:hunter2secret@127.0.0.1:9/farm' },
  })
  expect(performance.now() - startedAt).toBeLessThan(10_000)
  expect(result).toMatchObject({ exitCode: 1, stdout: '' })
  expect(result.stderr).toContain('Cannot reach the database farm at 127.0.0.1:9')
  expect(result.stderr).not.toContain('hunter2secret')
})

test('a bad port on the command line is in the table of settings', async () => {
  const result = await runCli(['serve', '--port', 'http'])
  expect(result).toMatchObject({ exitCode: 2, stdout: '' })
  expect(result.stderr).toContain('PRINTYARD_PORT  must be a whole number from 0 to 65535')
})

test('with --json the ready line is a document', async () => {
  const service = startCli(['serve', '--port', '0', '--data-dir', await startedDataDirectory(), '--json'])
  expect(JSON.parse(await service.nextLine())).toEqual({ url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/) })
})

test('a signal that comes before the service is up ends it in order once it is', async () => {
  // A database that is there already: making one can take longer than a stop may on a busy machine.
  const dataDir = await startedDataDirectory()
  const service = startCli(['serve', '--port', '0', '--data-dir', dataDir])
  await expect.poll(async () => (await readHolder(dataDir))?.purpose, { timeout: 15_000 }).toBe('service')
  service.child.kill('SIGINT')
  expect(await service.ended).toBe(0)
  expect(await readHolder(dataDir)).toBeUndefined()
})

test('a second signal ends the service at once, and the next start takes its database over', async () => {
  const dataDir = await startedDataDirectory()
  const service = await startService(dataDir)
  service.child.kill('SIGTERM')
  service.child.kill('SIGINT')
  const exitCode = await service.ended
  // Whichever of the two the system delivers first asks, and the other one ends.
  expect([130, 143]).toContain(exitCode)
  expect((await runCli(['accounts', 'list', '--data-dir', dataDir, '--json'])).document()).toEqual([])
})

// Three programs, one after the other.
test('the demo leaves a farm alone that is there already', { timeout: 90_000 }, async () => {
  const dataDir = await startedDataDirectory()
  const owner = ['--name', 'Real farm', '--owner-email', 'a@example.com']
  await runCli(['accounts', 'create', ...owner, '--data-dir', dataDir])
  const result = await runCli(['serve', '--demo', '--port', '0', '--data-dir', dataDir])
  expect(result.exitCode).toBe(1)
  expect(result.stderr.trim().split('\n').at(-1)).toMatch(/^--demo needs an empty data directory/)
  const listed = await runCli(['accounts', 'list', '--data-dir', dataDir, '--json'])
  expect(listed.document<{ name: string }[]>().map(({ name }) => name)).toEqual(['Real farm'])
})
