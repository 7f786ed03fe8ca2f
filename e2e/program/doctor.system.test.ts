import { chmodSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { openDatabase } from '@printyard/server/db/database'
import { temporaryDirectory } from '@printyard/server/test/run/temporary-directory'
import { createTestDatabase } from '@printyard/server/test/run/test-database'
import type { Finding } from 'printyard/doctor/finding'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type CommandResult, runCli, startCli } from '../test/run-cli.ts'
import { runCommand } from '../test/run-command.ts'
import { startedDataDirectory } from '../test/started-data-directory.ts'

interface Report {
  ok: boolean
  checks: Finding[]
}

/** No one listens on port 1. */
const nobodysPort = { PRINTYARD_PORT: '1' }

function finding(result: CommandResult, name: string): Finding | undefined {
  return result.document<Report>().checks.find((check) => check.name === name)
}

function freshDataDir() {
  return join(temporaryDirectory(), 'data')
}

describe('doctor', () => {
  test('finds no problem before the first start, and makes nothing', async () => {
    const dataDir = freshDataDir()
    const env = { PRINTYARD_DATA_DIR: dataDir, ...nobodysPort }
    const result = await runCli(['doctor', '--json'], { env })
    expect(result).toMatchObject({ exitCode: 0, stderr: '' })
    expect(result.document<Report>().ok).toBe(true)
    expect(finding(result, 'data directory')?.message).toContain('does not exist yet')
    expect(finding(result, 'database')?.message).toContain('none yet')
    expect(finding(result, 'service')).toMatchObject({ status: 'warning', remedy: 'Start it with `npm start`.' })
    const again = await runCli(['doctor', '--json'], { env })
    expect(finding(again, 'data directory')?.message).toContain('does not exist yet')
  })

  // Six programs, one of which makes and restores a backup.
  const limits = { timeout: 120_000 }
  test('finds everything well beside a running service, and a key that others may read', limits, async () => {
    const dataDir = await startedDataDirectory()
    const service = startCli(['serve', '--port', '0', '--data-dir', dataDir])
    const url = (await service.nextLine()).split(' ').at(-1)
    const without = await runCli(['doctor', '--data-dir', dataDir, '--json'])
    expect(finding(without, 'backups')).toMatchObject({ status: 'warning', message: 'There is none yet.' })
    const backup = await runCli(['backup', '--data-dir', dataDir], { timeLimitMs: 60_000 })
    expect(backup.exitCode).toBe(0)
    const well = await runCli(['doctor', '--data-dir', dataDir, '--json'])
    expect(well.exitCode).toBe(0)
    expect(well.document<Report>().checks.filter(({ status }) => status !== 'ok')).toEqual([])
    expect(finding(well, 'backups')?.message).toContain('verified')
    expect(finding(well, 'data directory')?.message).toContain(`process ${service.child.pid} (service)`)
    expect(finding(well, 'database')?.message).toContain('beside the running service')
    expect(finding(well, 'service')?.message).toBe(`It is ready at ${url}.`)

    chmodSync(join(dataDir, 'secret.key'), 0o644)
    const result = await runCli(['doctor', '--data-dir', dataDir])
    expect(result.exitCode).toBe(1)
    expect(result.stdout).toMatch(/^problem +secret key +.*can be read by others.*\n +Run `chmod 600 /m)
    expect(result.stdout).toContain('One problem was found.')
  })

  test('warns where mail may go unencrypted, and only there', async () => {
    const mail = { PRINTYARD_MAIL_FROM: 'farm@example.com', PRINTYARD_PUBLIC_URL: 'https://farm.example.com' }
    const look = async (smtpUrl: string) => {
      const env = { ...nobodysPort, ...mail, SMTP_URL: smtpUrl, PRINTYARD_SMTP_PLAIN_TEXT: 'on' }
      return finding(await runCommand(['doctor', '--data-dir', freshDataDir(), '--json'], { env }), 'mail')
    }
    expect(await look('smtp://mail.example.com:587')).toMatchObject({
      status: 'warning',
      message: expect.stringContaining('unencrypted'),
      remedy: expect.stringContaining('PRINTYARD_SMTP_PLAIN_TEXT'),
    })
    expect(await look('smtps://mail.example.com')).toBeUndefined()
  })

  test('starts the database of a stopped service for the look, and stops it again', async () => {
    const dataDir = await startedDataDirectory()
    const first = await runCli(['doctor', '--data-dir', dataDir, '--json'], { env: nobodysPort })
    expect(finding(first, 'database')).toMatchObject({
      status: 'ok',
      message: expect.stringContaining('started for this look'),
    })
    const second = await runCli(['doctor', '--data-dir', dataDir, '--json'], { env: nobodysPort })
    expect(finding(second, 'data directory')?.message).toContain('no one uses it now')
  })

  test('tells an unreachable database within seconds, without its password', async () => {
    const startedAt = performance.now()
    const result = await runCli(['doctor', '--json'], {
      env: {
        DATABASE_URL: 'postgres://printyard:hunter2secret@127.0.0.1:9/farm',
        PRINTYARD_DATA_DIR: freshDataDir(),
        ...nobodysPort,
      },
    })
    expect(performance.now() - startedAt).toBeLessThan(10_000)
    expect(result.exitCode).toBe(1)
    expect(result.stdout + result.stderr).not.toContain('hunter2secret')
    expect(finding(result, 'database')).toMatchObject({
      status: 'problem',
      message: expect.stringContaining('Cannot reach the database farm'),
    })
  })

  test('warns of a database elsewhere that may be spoken to in the clear', async () => {
    const lookAt = (address: string) =>
      runCommand(['doctor', '--json'], {
        env: { DATABASE_URL: address, PRINTYARD_DATA_DIR: freshDataDir(), ...nobodysPort },
      })
    // This address of the machine itself is none of the loopback.
    expect(finding(await lookAt('postgres://u@0.0.0.0:9/farm'), 'database encryption')).toMatchObject({
      status: 'warning',
      remedy: expect.stringContaining('sslmode=verify-full'),
    })
    const local = await lookAt('postgres://u@127.0.0.1:9/farm')
    expect(local.stdout).not.toContain('database encryption')
  })

  test('tells a database that lacks a migration from one that is newer', async () => {
    const db = await createTestDatabase()
    onTestFinished(() => db.close())
    const env = { DATABASE_URL: db.url, PRINTYARD_DATA_DIR: freshDataDir(), ...nobodysPort }
    const { sql, close } = openDatabase({ target: db.target })

    const [last] = await sql<{ number: number; file: string }[]>`
      delete from schema_migrations where number = (select max(number) from schema_migrations) returning number, file`
    const behind = await runCommand(['doctor', '--json'], { env })
    expect(behind.exitCode).toBe(0)
    expect(finding(behind, 'migrations')).toMatchObject({
      status: 'warning',
      message: `Not applied yet: ${last?.file}.`,
    })

    await sql`insert into schema_migrations (number, file, checksum) values (9999, '9999-future.sql', 'x')`
    await close()
    const ahead = await runCommand(['doctor', '--json'], { env })
    expect(ahead.exitCode).toBe(1)
    expect(finding(ahead, 'migrations')).toMatchObject({
      status: 'problem',
      message: expect.stringContaining('Start that version.'),
    })
  })

  test('knows a port that another program has', async () => {
    const other = createServer((_, answer) => answer.end('hello')).listen(0, '127.0.0.1')
    onTestFinished(() => void other.close())
    await new Promise((resolve) => other.once('listening', resolve))
    const { port } = other.address() as AddressInfo
    const result = await runCommand(['doctor', '--json'], {
      env: { PRINTYARD_DATA_DIR: freshDataDir(), PRINTYARD_PORT: String(port) },
    })
    expect(result.exitCode).toBe(1)
    expect(finding(result, 'service')).toMatchObject({
      status: 'problem',
      message: `Something else than Printyard answers at http://127.0.0.1:${port}.`,
    })
  })

  test('lists bad settings as problems and unknown ones as a warning', async () => {
    const bad = await runCommand(['doctor', '--json'], { env: { PRINTYARD_PORT: 'many', PRINTYARD_MAX_FILE_MB: '0' } })
    expect(bad.exitCode).toBe(1)
    const problems = bad.document<Report>().checks.filter(({ name }) => name === 'settings')
    expect(problems.map(({ status }) => status)).toEqual(['problem', 'problem'])

    const env = { PRINTYARD_DATA_DIR: freshDataDir(), PRINTYARD_PROT: '4400', ...nobodysPort }
    const unknown = await runCommand(['doctor', '--json'], { env })
    expect(unknown.exitCode).toBe(0)
    expect(finding(unknown, 'settings')).toMatchObject({
      status: 'warning',
      message: 'Not known, and without effect: PRINTYARD_PROT.',
    })
  })
})
