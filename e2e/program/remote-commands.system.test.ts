import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTestApp, type TestAccount, type TestApp } from '@printyard/server/test/app/test-app'
import { slicedFile } from '@printyard/server/test/farm/sliced-file'
import { addSku } from '@printyard/server/test/farm/test-catalogue'
import { createTestFarm, type TestFarm } from '@printyard/server/test/farm/test-farm'
import { lineOf, ordersOf } from '@printyard/server/test/farm/test-orders'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from '../test/free-port.ts'
import { runCli, startCli } from '../test/run-cli.ts'
import { runCommand } from '../test/run-command.ts'

let t: TestApp
let farm: TestFarm
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'printyard-remote-'))
  t = await createTestApp()
  farm = await createTestFarm(t)
})
afterAll(async () => {
  await t?.close()
  await rm(folder, { recursive: true, force: true })
})

function envOf(account: TestAccount = farm.account): Record<string, string> {
  return { PRINTYARD_URL: t.app.listeningOrigin, PRINTYARD_API_KEY: account.key, XDG_CONFIG_HOME: folder }
}

/** Runs a command that must be done, and answers its document. */
async function done<T>(...args: string[]): Promise<T> {
  const result = await runCommand([...args, '--json'], { env: envOf() })
  expect(result, result.stderr).toMatchObject({ exitCode: 0 })
  return result.document<T>()
}

test('a key is tried, kept for this user only, used and removed', async () => {
  const env = { XDG_CONFIG_HOME: folder }
  const server = ['--server', t.app.listeningOrigin]
  const wrong = await runCli(['login', ...server], { env, input: 'printyard_live_wrong\n' })
  expect(wrong).toMatchObject({ exitCode: 1, stdout: '', stderr: expect.stringContaining('refuses the key') })
  const login = await runCli(['login', ...server, '--json'], { env, input: `${farm.account.key}\n` })
  expect(login, login.stderr).toMatchObject({ exitCode: 0 })
  const { file } = login.document<{ file: string }>()
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect(login.stdout + login.stderr).not.toContain(farm.account.key)
  const printers = await runCli(['printers', 'list'], { env })
  expect(printers.stdout).toMatch(new RegExp(`^ID +NAME.*\\n${farm.printerId} +Printer +idle +MK4S`))
  expect(await runCli(['logout'], { env })).toMatchObject({ exitCode: 0 })
  expect(await runCli(['printers', 'list'], { env })).toMatchObject({ exitCode: 2, stdout: '' })
})

test('a file is pushed, printed by ID and by path, explained and cancelled', async () => {
  const [pushed] = await done<{ id: string }[]>('files', 'push', slicedFile)
  expect((await done<{ id: string }[]>('files', 'list')).map(({ id }) => id)).toContain(pushed?.id)
  const printed = ['jobs', 'print', pushed?.id ?? '', '--printer', 'Printer', '--units', '2']
  expect(await runCommand(printed, { env: envOf() })).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('--yes'),
  })
  const job = await done<{ id: string; number_of_units: number }>(...printed, '--yes')
  expect(job.number_of_units).toBe(2)
  const other = await done<{ id: string }>('jobs', 'print', slicedFile, '--yes')
  const queued = await done<{ id: string }[]>('jobs', 'list', '--status', 'queued')
  expect(queued.map(({ id }) => id)).toEqual(expect.arrayContaining([job.id, other.id]))
  const one = await runCommand(['jobs', 'list', '--limit', '1', '--json'], { env: envOf() })
  expect(one.document<unknown[]>()).toHaveLength(1)
  expect(one.stderr).toContain('Only the first 1')
  expect(await done('jobs', 'explain', job.id)).toMatchObject({ job_id: job.id, printers_total: 1 })
  expect((await runCommand(['jobs', 'explain', job.id], { env: envOf() })).stdout).toContain('CAN START')
  expect(await done('jobs', 'cancel', job.id, '--yes')).toMatchObject({ id: job.id, status: 'cancelled' })
  const retried = await runCommand(['jobs', 'retry', job.id, '--yes'], { env: envOf() })
  expect(retried).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('it cannot retry now') })
  expect(await done('jobs', 'show', other.id)).toMatchObject({ id: other.id })
})

test('a print is paused at the printer', async () => {
  const jobId = await farm.queueJob()
  const { attempt_id } = await farm.print(jobId)
  const paused = done('jobs', 'pause', jobId, '--yes')
  await t.settled(() => farm.hub.commands().some(({ kind }) => kind === 'pause'))
  const run = { file_name: 'clip.gcode', job_id: 'r1', attempt_id }
  farm.hub.telemetry(farm.printerId, { status: 'paused', progress: 10, run })
  expect(await paused).toMatchObject({ id: jobId })
})

test('a printer is found by its name, and its plate is not cleared before it is seen', async () => {
  const second = { name: 'Second', model: 'MK4S', hub_id: farm.hubId, connection_type: 'virtual' }
  await farm.account.request('POST', '/printers', second)
  expect(await done('printers', 'show', 'Second')).toMatchObject({ plate_state: 'unknown' })
  const refused = await runCommand(['printers', 'clear-plate', 'Second', '--yes'], { env: envOf() })
  expect(refused).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('is not reported yet') })
})

test('an order is listed, shown by its number, and produced with a reason for what cannot be', async () => {
  const sku = await addSku(farm.account)
  const order = await ordersOf(t, farm.account).addOrder([lineOf(sku)], { order_number: 'A-1001' })
  expect((await done<{ id: string }[]>('orders', 'list')).map(({ id }) => id)).toEqual([order.id])
  expect(await done('orders', 'show', 'A-1001')).toMatchObject({ id: order.id })
  const produced = await runCommand(['orders', 'produce', 'A-1001', '--yes'], { env: envOf() })
  expect(produced, produced.stderr).toMatchObject({ exitCode: 0 })
  expect(produced.stdout).toMatch(/^Queued 0 jobs.*\n! /)
})

test('events come a line each, and a later watch goes on after the last one', async () => {
  const first = startCli(['watch', '--type', 'job.', '--json'], { env: envOf() })
  await t.settled(() => first.stderr().includes('Watching'))
  const queued = await farm.queueJob()
  const event = JSON.parse(await first.nextLine()) as { id: string }
  expect(event).toMatchObject({ type: 'job.queued', subject_id: queued })
  first.child.kill('SIGINT')
  expect(await first.ended).toBe(0)
  expect(first.stderr()).toContain('printyard watch --after evt_')
  const missed = await farm.queueJob()
  const second = startCli(['watch', '--after', event.id, '--type', 'job.queued'], { env: envOf() })
  expect(await second.nextLine()).toContain(missed)
})

test('what goes wrong is a sentence on standard error', async () => {
  const reader = await t.account({ scopes: ['read'] })
  const scope = await runCommand(['jobs', 'cancel', 'job_x', '--yes'], { env: envOf(reader) })
  expect(scope).toMatchObject({ exitCode: 1, stdout: '', stderr: expect.stringContaining('lacks the scope "control"') })
  const foreign = await runCommand(['jobs', 'show', await farm.queueJob()], { env: envOf(reader) })
  expect(foreign).toMatchObject({ exitCode: 1, stdout: '', stderr: expect.stringMatching(/^No job has this ID/) })
  const nowhere = { ...envOf(), PRINTYARD_URL: `http://127.0.0.1:${await freePort()}` }
  const away = await runCommand(['printers', 'list', '--json'], { env: nowhere })
  expect(away).toMatchObject({
    exitCode: 1,
    stdout: '',
    stderr: expect.stringContaining('does not answer (ECONNREFUSED)'),
  })
  const nameless = await runCommand(['printers', 'show', 'Nothing'], { env: envOf() })
  expect(nameless).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('No printer is called Nothing') })
})
