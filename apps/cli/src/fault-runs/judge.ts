import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Sql } from '@printyard/server/db/database'

/** What a simulated printer wrote down about itself. */
export interface DeviceEvent {
  kind: string
  fileName: string | null
  runId: string | null
}

/** A person looked at a printer, found it at rest after so many starts, and took off what lay there. */
export interface Clearing {
  printerId: string
  startsSeen: number
}

/** A printer's own log: no part of the service or the hub writes it. Empty before its first moment. */
export function readDeviceLog(hubDir: string, printerId: string): DeviceEvent[] {
  const path = join(hubDir, 'virtual', `${printerId}.jsonl`)
  if (!existsSync(path)) return []
  // The last line may be half written at this moment.
  const lines = readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line.endsWith('}'))
  return lines.flatMap((line) => (JSON.parse(line) as { events?: DeviceEvent[] }).events ?? [])
}

export function countStarts(log: readonly DeviceEvent[]): number {
  return log.filter(({ kind }) => kind === 'started').length
}

/** Whether something still runs, by the printer's own account. */
export function isDeviceBusy(log: readonly DeviceEvent[]): boolean {
  const started = log.findLast(({ kind }) => kind === 'started')
  if (!started) return false
  return !log.some(({ kind, runId }) => runId === started.runId && ['completed', 'failed', 'cancelled'].includes(kind))
}

interface AttemptToJudge {
  id: string
  job_id: string
  printer_id: string
  fence: number
  phase: string
  outcome: string | null
}

interface JobToJudge {
  id: string
  status: string
  failure_reason: string | null
  plates_total: number
  number_of_units: number
}

export interface Evidence {
  sql: Sql
  accountId: string
  jobIds: readonly string[]
  skuId: string
  printerIds: readonly string[]
  /** The directory of the hub, and that of its twin where there was one: two sets of simulated printers. */
  hubDir: string
  twinDir: string
  clearings: readonly Clearing[]
}

const over = ['completed', 'failed', 'cancelled']

/** Everything that is wrong; empty when all promises were held. */
export async function judge(evidence: Evidence): Promise<string[]> {
  const { sql, accountId, hubDir, twinDir, printerIds, clearings } = evidence
  const wrong: string[] = []
  const jobs = await sql<JobToJudge[]>`
    select id, status, failure_reason, plates_total, number_of_units from jobs
    where account_id = ${accountId} and id = any(${[...evidence.jobIds]})`
  const attempts = await sql<AttemptToJudge[]>`
    select id, job_id, printer_id, fence, phase, outcome from attempts
    where account_id = ${accountId} and job_id = any(${[...evidence.jobIds]}) order by fence`
  if (jobs.length !== evidence.jobIds.length) wrong.push(`${evidence.jobIds.length - jobs.length} jobs are lost`)

  const starts = new Map<string, number>()
  for (const printerId of printerIds) {
    const log = readDeviceLog(hubDir, printerId)
    for (const event of [...log, ...readDeviceLog(twinDir, printerId)]) {
      if (event.kind !== 'started') continue
      const attempt = attempts.find(({ id }) => isFileOf(event.fileName, id))
      if (!attempt) wrong.push(`${printerId} started ${event.fileName}, which no attempt asked for`)
      else starts.set(attempt.id, (starts.get(attempt.id) ?? 0) + 1)
    }
    for (let before = 0; before < countStarts(log); before += 1) {
      const isCleared = clearings.some((each) => each.printerId === printerId && each.startsSeen === before)
      if (!isCleared) wrong.push(`start ${before + 1} of ${printerId} was on a plate that nobody had cleared`)
    }
    const live = attempts.filter((each) => each.printer_id === printerId && each.phase !== 'finished')
    if (live.length > 1) wrong.push(`${printerId} has ${live.length} live attempts`)
  }

  for (const { id, outcome } of attempts) {
    const count = starts.get(id) ?? 0
    if (count > 1) wrong.push(`${id} was started ${count} times`)
    if (outcome === 'not_started' && count > 0) wrong.push(`${id} is said not to have started, and was`)
    if ((outcome === 'done' || outcome === 'failed') && count === 0) wrong.push(`${id} is ${outcome}, and never ran`)
  }

  for (const { id, status, failure_reason, plates_total } of jobs) {
    const own = attempts.filter(({ job_id }) => job_id === id)
    const live = own.find(({ phase }) => phase !== 'finished')
    if (over.includes(status) && live) wrong.push(`${id} is ${status} and its attempt ${live.id} is ${live.phase}`)
    if (!over.includes(status) && failure_reason === null) wrong.push(`${id} is ${status} for no named reason`)
    if (status === 'failed' && failure_reason === null) wrong.push(`${id} failed for no named reason`)
    const done = own.filter(({ outcome }) => outcome === 'done').length
    if (status === 'completed' && done !== plates_total)
      wrong.push(`${id} completed with ${done} of ${plates_total} plates`)
  }

  const [stock] = await sql<{ stock: number; ledger: number }[]>`
    select i.ready_stock::int8 as stock,
      (select coalesce(sum(m.change), 0)::int8 from stock_movements m
       where m.account_id = i.account_id and m.inventory_item_id = i.id and m.stock = 'ready') as ledger
    from inventory_items i where i.account_id = ${accountId} and i.product_sku_id = ${evidence.skuId}`
  const credited = jobs
    .filter(({ status }) => status === 'completed')
    .reduce((sum, job) => sum + job.number_of_units, 0)
  if (stock?.stock !== stock?.ledger) wrong.push(`the stock is ${stock?.stock} and its ledger says ${stock?.ledger}`)
  if (stock?.stock !== credited) wrong.push(`the stock is ${stock?.stock} and the completed jobs made ${credited}`)
  return wrong
}

/** The file's name at the printer ends in the last twelve signs of the attempt's ID. */
function isFileOf(fileName: string | null, attemptId: string): boolean {
  return fileName?.endsWith(`-${attemptId.replace(/[^A-Za-z0-9]/g, '').slice(-12)}.gcode`) === true
}
