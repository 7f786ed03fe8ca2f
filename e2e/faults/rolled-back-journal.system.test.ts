import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type InProcessFarm, startInProcessFarm, until } from '../test/in-process-farm.ts'

let farm: InProcessFarm
beforeAll(async () => {
  farm = await startInProcessFarm()
})
afterAll(() => farm?.end())

test('a hub whose journal was rolled back, as by an image of its card, does not print again what it has printed since', async () => {
  const { t } = farm
  const journal = join(farm.hubDir, 'journal.jsonl')
  await farm.startHub()
  const printerId = await farm.addPrinter({ upload_bytes_per_second: 200_000 })
  await farm.print(await farm.queueJob(printerId))
  await farm.clearPlate(printerId)
  await copyFile(journal, `${journal}.image`)

  // Of this print the service hears that the file is on its way, and then nothing more.
  const jobId = await farm.queueJob(printerId)
  await farm.ask(200, 'POST', `/jobs/${jobId}/start`)
  const phase = async () => {
    const [attempt] = await t.db.sql<{ phase: string; outcome: string | null }[]>`
      select phase, outcome from attempts where account_id = ${farm.account.id} and job_id = ${jobId}`
    return attempt
  }
  await t.settled(async () => (await phase())?.phase === 'transferring')
  t.context.hubs.disconnect(farm.hubId, { reason: 'service_restart', message: 'Away.', retry_after_ms: 600_000 })
  await until('the second print', async () => (await farm.countStarts(printerId)) === 2)
  await farm.stopHub()
  await copyFile(`${journal}.image`, journal)

  await farm.startHub()
  await t.settled(() => t.context.printers.find(printerId)?.state.status === 'idle')
  await t.written()
  expect(await phase()).toMatchObject({ outcome: 'unknown' })
  expect((await farm.job(jobId)).status).toBe('processing')
  expect((await farm.account.request('POST', `/jobs/${jobId}/start`)).statusCode).toBe(409)
  expect(await farm.countStarts(printerId)).toBe(2)

  // The next connection, with a journal that is no shorter than before, changes nothing of that.
  await farm.stopHub()
  await farm.startHub()
  await t.settled(() => t.context.printers.find(printerId)?.state.status === 'idle')
  await t.written()
  expect((await farm.job(jobId)).status).toBe('processing')
  await farm.ask(200, 'POST', `/jobs/${jobId}/resolve`, { outcome: 'printed' })
  expect((await farm.job(jobId)).status).toBe('completed')

  // What the hub is told from here on is believed again.
  await farm.clearPlate(printerId)
  await farm.print(await farm.queueJob(printerId))
  expect(await farm.countStarts(printerId)).toBe(3)
})

test('a hub that comes again with its own journal is believed', async () => {
  const { t } = farm
  const printerId = await farm.addPrinter()
  const before = await farm.countStarts(printerId)
  for (let print = 0; print < 3; print += 1) {
    await farm.print(await farm.queueJob(printerId))
    await farm.clearPlate(printerId)
    await farm.stopHub()
    await farm.startHub()
    expect(t.context.hubs.find(farm.hubId)?.hasLostJournal).toBe(false)
    await t.settled(() => t.context.printers.find(printerId)?.state.status === 'idle')
  }
  expect(await farm.countStarts(printerId)).toBe(before + 3)
})
