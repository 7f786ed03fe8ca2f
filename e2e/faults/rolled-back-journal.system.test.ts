import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { PrinterId } from '@printyard/server/kernel/ids'
import type { VirtualPrinter } from '@printyard/virtual-printers/virtual-printer'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type InProcessFarm, startInProcessFarm, until } from '../test/in-process-farm.ts'

const handPlan = { printTimeSeconds: 60, layerCount: 5, nozzleTemp: 0, bedTemp: 0 }

let farm: InProcessFarm
beforeAll(async () => {
  farm = await startInProcessFarm()
})
afterAll(() => farm?.end())

/** How far the print of a job has come, by the database. */
async function standing({ t, account }: InProcessFarm, jobId: string) {
  const [attempt] = await t.db.sql<{ phase: string; outcome: string | null }[]>`
    select phase, outcome from attempts where account_id = ${account.id} and job_id = ${jobId}`
  return attempt
}

/**
 * Prints a job of which the service learns that the file is on its way, and then nothing more; `meanwhile` the hub is away. After it
 * the hub has the journal from before that print, as by an image of its card.
 */
async function printAndRollBack(farm: InProcessFarm, printerId: PrinterId, meanwhile: () => Promise<void>) {
  const journal = join(farm.hubDir, 'journal.jsonl')
  await farm.print(await farm.queueJob(printerId))
  await farm.clearPlate(printerId)
  await copyFile(journal, `${journal}.image`)
  const jobId = await farm.queueJob(printerId)
  await farm.ask(200, 'POST', `/jobs/${jobId}/start`)
  await farm.t.settled(async () => (await standing(farm, jobId))?.phase === 'transferring')
  farm.t.context.hubs.disconnect(farm.hubId, { reason: 'service_restart', message: 'Away.', retry_after_ms: 600_000 })
  await until('the second print', async () => (await farm.countStarts(printerId)) === 2)
  await meanwhile()
  await farm.stopHub()
  await copyFile(`${journal}.image`, journal)
  await farm.startHub()
  return jobId
}

test('a hub whose journal was rolled back knows by the name of its file what it has printed since, and does not print it again', async () => {
  await farm.startHub()
  const printerId = await farm.addPrinter({ upload_bytes_per_second: 200_000 })
  const jobId = await printAndRollBack(farm, printerId, () => Promise.resolve())
  await farm.t.settled(async () => (await standing(farm, jobId))?.outcome === 'done')
  expect((await farm.job(jobId)).status).toBe('completed')
  expect(await farm.countStarts(printerId)).toBe(2)
})

test('a hub whose journal was rolled back is not believed where no name tells, and a person says what became of it', async () => {
  const printers = new Map<string, VirtualPrinter>()
  const other = await startInProcessFarm(5_000, printers)
  try {
    const { t } = other
    await other.startHub()
    const printerId = await other.addPrinter({ upload_bytes_per_second: 200_000 })
    const jobId = await printAndRollBack(other, printerId, async () => {
      const hasEnded = () => printers.get(printerId)?.report().lastResult === 'completed'
      await until('the end of the second print', async () => hasEnded())
      printers.get(printerId)?.startByHand('vase.gcode', handPlan)
      await until('the end of the print by hand', async () => hasEnded())
    })
    await t.settled(() => t.context.printers.find(printerId)?.state.status === 'idle')
    await t.written()
    expect(await standing(other, jobId)).toMatchObject({ outcome: 'unknown' })
    expect((await other.job(jobId)).status).toBe('processing')
    expect((await other.account.request('POST', `/jobs/${jobId}/start`)).statusCode).toBe(409)

    // The next connection, with a journal that is no shorter than before, changes nothing of that.
    await other.stopHub()
    await other.startHub()
    await t.settled(() => t.context.printers.find(printerId)?.state.status === 'idle')
    await t.written()
    expect((await other.job(jobId)).status).toBe('processing')
    await other.ask(200, 'POST', `/jobs/${jobId}/resolve`, { outcome: 'printed' })
    expect((await other.job(jobId)).status).toBe('completed')

    // What the hub is told from here on is believed again.
    const startsBefore = await other.countStarts(printerId)
    await other.clearPlate(printerId)
    await other.print(await other.queueJob(printerId))
    expect(await other.countStarts(printerId)).toBe(startsBefore + 1)
  } finally {
    await other.end()
  }
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
