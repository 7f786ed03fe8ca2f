import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { isWhole, sampleOf } from '@printyard/protocol/test/sample'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually, type FarmProcess, printyard, startServiceProcess } from '../test/farm-processes.ts'
import { startCli } from '../test/run-cli.ts'
import { startTestFarm, type TestFarm } from '../test/test-farm.ts'
import { backUp, slowly } from './slow-commands.ts'

let farm: TestFarm
let restored: FarmProcess | undefined
beforeAll(async () => {
  farm = await startTestFarm({ hasOwnPostgres: true })
}, 90_000)
afterAll(async () => {
  await restored?.stop()
  await farm?.end()
}, 60_000)

const backupsIn = async (folder: string) =>
  (await readdir(folder).catch(() => [])).filter((name) => name.startsWith('backup-'))

test('a backup that is killed at any moment leaves nothing that looks like one, and the next is whole', async () => {
  const folder = join(farm.path, 'killed')
  let killed = 0
  for (const afterMs of sampleOf([300, 900, 1_300, 1_700, 2_100, 2_600, 3_200], 2)) {
    const before = await backupsIn(folder)
    const backup = startCli(['backup', '--to', folder, '--data-dir', farm.dataDir, '--json'])
    await Promise.race([wait(afterMs), backup.ended])
    backup.child.kill('SIGKILL')
    if ((await backup.ended) === 0) continue
    killed += 1
    const after = await backupsIn(folder)
    expect(after.length - before.length).toBeLessThanOrEqual(1)
    // One that has its name is whole, even if its command did not come to say so.
    for (const name of after) {
      const dataDir = join(farm.path, `of-${afterMs}-${name}`)
      const args = ['--data-dir', dataDir, '--secret-key-file', join(farm.dataDir, 'secret.key')]
      if (!before.includes(name)) expect((await slowly(['restore', join(folder, name), ...args])).exitCode).toBe(0)
    }
  }
  expect(killed).toBeGreaterThan(isWhole ? 2 : 0)
  const { path } = await backUp(farm.dataDir, folder)
  expect((await readdir(folder)).filter((name) => name.startsWith('draft'))).toEqual([])
  expect((await readdir(farm.dataDir)).filter((name) => name.startsWith('backup-check'))).toEqual([])
  expect(await backupsIn(folder)).toContain(path.split('/').at(-1))
}, 240_000)

test('a service that was restored from a backup asks what was printed since, and starts nothing twice', async () => {
  const hub = await farm.createHub('Hub')
  hub.start({ speed: 3_000 })
  const fileId = await farm.addFile()
  const printerId = await hub.addPrinter()
  const queue = async () =>
    (await farm.ask<{ id: string }>(201, 'POST', '/jobs', { print_file_id: fileId, printer_id: printerId })).id
  const print = async (jobId: string) => {
    await farm.ask(200, 'POST', `/jobs/${jobId}/start`)
    await becomes(jobId, 'completed')
    await farm.ask(200, 'POST', `/printers/${printerId}/control`, { action: 'clear_bed' })
  }
  const becomes = (jobId: string, status: string) =>
    eventually(
      `the job becoming ${status}`,
      () => farm.job(jobId),
      (job) => job.status === status,
    )
  const countStarts = async () => (await hub.printerLog(printerId)).filter(({ kind }) => kind === 'started').length
  await print(await queue())
  const queued = await queue()
  const folder = join(farm.path, 'backups')
  const backup = await backUp(farm.dataDir, folder)
  expect(backup.files).toBeGreaterThan(0)

  await print(queued)
  await print(await queue())
  expect(await countStarts()).toBe(3)
  const { port } = farm.service
  await farm.service.kill()

  const dataDir = join(farm.path, 'elsewhere')
  const keyFile = join(farm.dataDir, 'secret.key')
  const answer = await slowly(['restore', backup.path, '--data-dir', dataDir, '--secret-key-file', keyFile])
  expect(answer).toMatchObject({ exitCode: 0, stderr: '' })
  expect(answer.stdout).toContain('never repeated')
  restored = await startServiceProcess(dataDir, { port })

  // The hub was never told: it comes back by itself, to the service at its address.
  const plate = () =>
    farm.ask<{ plate_state: string; plate_change_reason: string }>(200, 'GET', `/printers/${printerId}`)
  await eventually('the plate being asked about', plate, (now) => now.plate_state === 'unknown')
  expect(await plate()).toMatchObject({ plate_change_reason: 'service_restored' })
  expect(await farm.job(queued)).toMatchObject({ status: 'queued' })
  const tasks = await farm.ask<{ printer_id: string; title: string; description: string }[]>(
    200,
    'GET',
    '/worklist?status=pending',
  )
  const asked = tasks.filter((task) => task.printer_id === printerId && task.title.includes('restored from a backup'))
  expect(asked).toHaveLength(1)
  expect(asked[0]?.description.match(/\(done/g)).toHaveLength(2)

  await farm.ask(200, 'PATCH', `/printers/${printerId}`, { auto_start: true, nozzle_size: 0.4 })
  const refused = await farm.request('POST', `/jobs/${queued}/start`)
  expect([refused.status, refused.body.error?.code]).toEqual([400, 'PRINTER_UNAVAILABLE'])
  await wait(2_000)
  expect(await countStarts()).toBe(3)

  await farm.ask(200, 'POST', `/printers/${printerId}/control`, { action: 'clear_bed' })
  await becomes(queued, 'completed')
  expect(await countStarts()).toBe(4)
  // The file is there with its content, and the credentials that the key opens.
  const doctor = await printyard<{ ok: boolean }>(dataDir, 'doctor')
  expect(doctor.ok).toBe(true)
}, 180_000)
