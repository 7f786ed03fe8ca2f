import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createHubWithToken } from '@printyard/server/modules/hubs/hubs.service'
import { systemWork } from '@printyard/server/test/app/system-work'
import { insertAccountWithKey, insertIntoDatabase, startService } from '../farms/farm.ts'
import { startChild } from '../harness/child.ts'
import { fetchOk } from '../harness/fetch-ok.ts'
import { listDescendants, readMemory } from '../harness/process-figures.ts'
import { atMost, type Benchmark, lessThan } from '../harness/result.ts'
import { median } from '../harness/statistics.ts'
import { readDatabaseWork, workPerHour } from './small-machine/database-work.ts'
import { type LimitedGroup, makeLimitedGroup } from './small-machine/limited-group.ts'
import { mountOwnDisk, type OwnDisk } from './small-machine/own-disk.ts'

const commandLine = fileURLToPath(new URL('../../../apps/cli/bin/printyard.mjs', import.meta.url))

const limitMb = 512
const printersInAll = 20
/** Each print takes so long, in real time. Most take longer; shorter ones write more. */
const printMinutes = 15
const defaultMinutes = 6
const diskBytes = { service: 2_000_000_000, hub: 1_000_000_000 }
const lookMs = 500
const pollMs = 5_000
const settleMs = 30_000

/** What a time of a few minutes took. */
interface Window {
  heldMb: number[]
  figures: Record<string, string>
}

interface Machine {
  group: LimitedGroup
  disks: Record<'service' | 'hub', OwnDisk>
  dataDir: string
}

export const small: Benchmark = {
  name: 'small',
  what: `service, PostgreSQL and a hub with ${printersInAll} virtual printers in ${limitMb} MB, and what they write (--minutes N: for each part)`,
  async run(scope, { minutes = defaultMinutes }) {
    const group = makeLimitedGroup(scope, limitMb * 1024 * 1024)
    const disks = {
      service: await mountOwnDisk(scope, diskBytes.service),
      hub: await mountOwnDisk(scope, diskBytes.hub),
    }
    const dataDir = join(disks.service.folder, 'data')
    const machine = { group, disks, dataDir }
    const service = await startService(scope, dataDir, { onStart: group.join, logLevel: 'info' })
    const { key, hub } = await insertIntoDatabase(dataDir, async (sql) => {
      const account = await insertAccountWithKey(sql)
      return { key: account.key, hub: await createHubWithToken(systemWork(sql, account.id), 'Hub') }
    })
    const ask = makeAsk(service.url, key)
    const printerIds: string[] = []
    for (let number = 1; number <= printersInAll; number += 1) {
      const printer = { name: `Printer ${number}`, model: 'MK4S', hub_id: hub.id, connection_type: 'virtual' }
      printerIds.push((await ask('POST', '/printers', printer)).id)
    }
    const hubArgs = ['hub', 'run', '--url', service.url, '--token', hub.token, '--data-dir', disks.hub.folder]
    const hubProcess = startChild(commandLine, hubArgs)
    group.join(hubProcess.pid)
    scope.defer(() => hubProcess.stop())

    const peaks = [group.heldMb()]
    await untilAllIdle(ask)
    // What PostgreSQL does once for new tables is no part of an hour.
    await insertIntoDatabase(dataDir, (sql) => sql`vacuum analyze`)
    await wait(settleMs)
    const idle = await watch(machine, minutes)

    const files = await uploadFiles(ask)
    let isGoingOn = true
    let prints = 0
    const printing = printerIds.map(async (printerId, index) => {
      // The first ones end one after another, so that from then on prints end and begin all the time.
      for (let file = files[index]; isGoingOn && file !== undefined; file = files.at(-1)) {
        await ask('POST', `/printers/${printerId}/control`, { action: 'clear_bed' })
        const job = await ask('POST', '/jobs', { print_file_id: file, printer_id: printerId })
        await ask('POST', `/jobs/${job.id}/start`)
        prints += 1
        while (isGoingOn && !(await isOver(ask, job.id))) await wait(pollMs)
      }
    })
    await Promise.race([wait(settleMs), Promise.all(printing)])
    const before = prints
    const busy = await Promise.race([watch(machine, minutes), rejectEarly(printing)])
    const turns = prints - before
    isGoingOn = false
    await Promise.all(printing)

    peaks.push(...idle.heldMb, ...busy.heldMb)
    const parts = {
      service: readMemory([service.process.pid]) ?? null,
      PostgreSQL: readMemory(listDescendants(service.process.pid)) ?? null,
      [`hub, ${printersInAll} virtual printers`]: readMemory([hubProcess.pid]) ?? null,
    }
    return {
      name: 'small',
      memory: parts,
      compared: {
        [`idle, ${minutes} minutes`]: describe(idle, 0),
        [`printing, ${minutes} minutes`]: describe(busy, (turns * 60) / minutes),
        limit: { how: group.how, 'processes ended by it': String(group.kills()) },
      },
      goals: [
        lessThan('MB of all together that cannot be dropped, at most', Math.max(...peaks), limitMb),
        atMost('processes ended for want of memory', group.kills(), 0),
      ],
    }
  },
}

type Ask = ReturnType<typeof makeAsk>

function makeAsk(url: string, key: string) {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  return async (method: string, path: string, body?: object) => {
    const init = { method, ...(body && { body: JSON.stringify(body) }) }
    return JSON.parse(await fetchOk(`${url}/public/v1${path}`, headers, init)).data
  }
}

async function untilAllIdle(ask: Ask): Promise<void> {
  for (let tries = 0; tries < 300; tries += 1) {
    if ((await ask('GET', '/printers?status=idle')).length === printersInAll) return
    await wait(200)
  }
  throw new Error('The virtual printers did not become idle')
}

async function isOver(ask: Ask, id: string): Promise<boolean> {
  const { status } = await ask('GET', `/jobs/${id}`)
  if (status === 'failed' || status === 'cancelled') throw new Error(`A print is ${status}`)
  return status === 'completed'
}

/** A file for each printer's first print, of growing lengths; the last one takes as long as all later prints. */
async function uploadFiles(ask: Ask): Promise<string[]> {
  const ids: string[] = []
  for (let number = 1; number <= printersInAll; number += 1) {
    const seconds = Math.round((number / printersInAll) * printMinutes * 60)
    const text = `; generated by PrusaSlicer 2.5.0\n${'G1 X10 Y10 E1\n'.repeat(20_000 + number)}; estimated printing time (normal mode) = ${Math.floor(seconds / 60)}m ${seconds % 60}s\n`
    const { upload_url, token } = await ask('POST', '/files/upload-url', { filename: `clip-${number}.gcode` })
    await fetchOk(upload_url, {}, { method: 'PUT', body: text })
    ids.push((await ask('POST', '/files', { upload_token: token, name: `Clip ${number}` })).id)
  }
  return ids
}

async function watch({ group, disks, dataDir }: Machine, minutes: number): Promise<Window> {
  const readWork = () => insertIntoDatabase(dataDir, readDatabaseWork)
  const heldMb: number[] = []
  // What came before is written before: tables that were made, files that were stored.
  await insertIntoDatabase(dataDir, (sql) => sql`checkpoint`)
  const before = { work: await readWork(), service: disks.service.writtenBytes(), hub: disks.hub.writtenBytes() }
  const startedAt = performance.now()
  const end = startedAt + minutes * 60_000
  while (performance.now() < end) {
    heldMb.push(group.heldMb())
    await wait(lookMs)
  }
  const after = { service: disks.service.writtenBytes(), hub: disks.hub.writtenBytes() }
  const hours = (performance.now() - startedAt) / 3_600_000
  const perHour = (disk: 'service' | 'hub') => ((after[disk] - before[disk]) / 1e6 / hours).toFixed(1)
  const figures = {
    'service and PostgreSQL, MB written to the disk per hour': perHour('service'),
    'hub, MB written to the disk per hour': perHour('hub'),
    ...workPerHour(before.work, await readWork(), hours),
    // Those come twice an hour, so that none may be in the time.
    'a checkpoint after it, MB written': await writeCheckpoint(dataDir, disks.service),
  }
  return { heldMb, figures }
}

/** What waited in memory to be written to tables and indexes. */
async function writeCheckpoint(dataDir: string, disk: OwnDisk): Promise<string> {
  const before = disk.writtenBytes()
  await insertIntoDatabase(dataDir, (sql) => sql`checkpoint`)
  return ((disk.writtenBytes() - before) / 1e6).toFixed(2)
}

/** Fails as soon as one of them does, and never ends otherwise. */
function rejectEarly(work: Promise<unknown>[]): Promise<never> {
  return new Promise((_, reject) => {
    for (const each of work) each.catch(reject)
  })
}

function describe({ heldMb, figures }: Window, printsPerHour: number): Record<string, string> {
  return {
    'held, MB': `${median(heldMb).toFixed(0)}, at most ${Math.max(...heldMb).toFixed(0)}`,
    'prints started per hour': printsPerHour.toFixed(0),
    ...figures,
  }
}
