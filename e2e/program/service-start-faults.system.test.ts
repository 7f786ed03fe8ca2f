import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeFarmFolder } from '../test/farm-processes.ts'
import { runCli } from '../test/run-cli.ts'
import { startedDataDirectory } from '../test/started-data-directory.ts'
import { startTestFarm, type TestFarm } from '../test/test-farm.ts'

let farm: TestFarm
let folder: Awaited<ReturnType<typeof makeFarmFolder>>
beforeAll(async () => {
  folder = await makeFarmFolder()
  farm = await startTestFarm({ hasOwnPostgres: true })
}, 90_000)
afterAll(async () => {
  await farm?.end()
  await folder?.remove()
}, 30_000)

/** One sentence: no stack, no second line. */
const oneLine = /^[^\n]+\n$/

test('a second service on the same data directory ends with 1 and says who holds it; the first one goes on', async () => {
  const fileId = await farm.addFile()
  const second = await runCli(['serve', '--port', '0'], { env: { PRINTYARD_DATA_DIR: farm.dataDir } })
  expect(second).toMatchObject({ exitCode: 1, stdout: '' })
  expect(second.stderr).toMatch(oneLine)
  expect(second.stderr).toContain(`in use by process ${farm.service.pid} (service`)
  expect(second.stderr).toContain(`at ${farm.service.url}`)
  expect(await farm.ask<{ id: string }>(200, 'GET', `/files/${fileId}`)).toMatchObject({ id: fileId })
  await farm.ask(201, 'POST', '/jobs', { print_file_id: fileId })
})

test('a port that is taken ends the start with 1 and one sentence, and leaves the data directory free', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => other.once('listening', resolve))
  const { port } = other.address() as { port: number }
  const dataDir = await startedDataDirectory()
  const refused = await runCli(['serve', '--port', String(port)], { env: { PRINTYARD_DATA_DIR: dataDir } })
  await new Promise((resolve) => other.close(resolve))
  expect(refused).toMatchObject({ exitCode: 1, stdout: '' })
  // The log says what PostgreSQL did meanwhile, as JSON; the last line is for the person who started it.
  const sentences = refused.stderr.split('\n').filter((line) => line !== '' && !line.startsWith('{'))
  expect(sentences).toEqual([expect.stringContaining(`Port ${port} of 127.0.0.1 is taken by another program`)])
  const accounts = await runCli(['accounts', 'list', '--json'], { env: { PRINTYARD_DATA_DIR: dataDir } })
  expect(accounts).toMatchObject({ exitCode: 0, stdout: '[]\n' })
})

test('a database that cannot be reached ends the start with 1 within seconds, without the password', async () => {
  const env = {
    PRINTYARD_DATA_DIR: join(folder.path, 'unreachable'),
    DATABASE_URL: 'postgres://farm:open-sesame@127.0.0.1:9/farm',
  }
  const startedAt = performance.now()
  const refused = await runCli(['serve', '--port', '0'], { env })
  expect(performance.now() - startedAt).toBeLessThan(10_000)
  expect(refused).toMatchObject({ exitCode: 1, stdout: '' })
  expect(refused.stderr).toMatch(oneLine)
  expect(refused.stderr).toContain('Cannot reach the database farm at 127.0.0.1:9')
  expect(refused.stderr).not.toContain('open-sesame')
})

test('a database that accepts and then says nothing is given up within seconds', async () => {
  const mute = createServer(() => undefined).listen(0, '127.0.0.1')
  await new Promise((resolve) => mute.once('listening', resolve))
  const { port } = mute.address() as { port: number }
  const env = {
    PRINTYARD_DATA_DIR: join(folder.path, 'mute'),
    DATABASE_URL: `postgres://farm:open-sesame@127.0.0.1:${port}/farm`,
  }
  const startedAt = performance.now()
  const refused = await runCli(['serve', '--port', '0'], { env })
  mute.close()
  // Five seconds of waiting, and what a busy machine takes to start a program.
  expect(performance.now() - startedAt).toBeLessThan(20_000)
  expect(refused).toMatchObject({ exitCode: 1, stdout: '' })
  expect(refused.stderr).not.toContain('open-sesame')
})

test('bad settings end the start with 2 and a table of all of them, without the secret ones', async () => {
  const env = {
    PRINTYARD_DATA_DIR: join(folder.path, 'settings'),
    PRINTYARD_PORT: 'many',
    PRINTYARD_SECRET_KEY: 'open-sesame',
  }
  const refused = await runCli(['serve'], { env })
  expect(refused).toMatchObject({ exitCode: 2, stdout: '' })
  expect(refused.stderr).toBe(
    'Some settings cannot be used:\n' +
      '  PRINTYARD_PORT        must be a whole number from 0 to 65535\n' +
      '  PRINTYARD_SECRET_KEY  must match ^[0-9a-f]{64}$\n',
  )
})
