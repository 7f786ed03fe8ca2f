import { type DeviceEvent, fateOf, isByHand, isFileOf, readDeviceLog, startsOf } from './device-log.ts'
import type { RunFarm } from './run-farm.ts'

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
  plates_done: number
  number_of_units: number
  quantity_per_print: number
}

/** What runs are counted by; sums of runs add up. */
export interface RunFigures {
  attempts: number
  /** Starts of ours, of which none may be the second of its attempt or on a plate that carries anything. */
  starts: number
  doubleStarts: number
  startsOnOccupiedPlate: number
  /** Starts by hand, and how often ours was the next one. */
  startsByHand: number
  startsAfterHand: number
  /** Jobs that came to no end. */
  stuck: number
  /** Questions what became of a plate that a person had to answer. */
  answered: number
}

type Evidence = Pick<RunFarm, 'lane' | 'jobIds' | 'skuId' | 'printerIds' | 'hubDir' | 'twinDir'>

interface Judgement {
  /** Everything that is wrong; empty when all promises were held. */
  wrong: string[]
  figures: Omit<RunFigures, 'stuck' | 'answered'>
}

const over = ['completed', 'failed', 'cancelled']

/** Judges by what the machines themselves wrote down, once they have all come to rest, and by the tables. */
export async function judge(evidence: Evidence): Promise<Judgement> {
  const { lane, hubDir, twinDir, printerIds } = evidence
  const { accountId } = lane
  const { sql } = lane.db
  const wrong: string[] = []
  const jobs = await sql<JobToJudge[]>`
    select id, status, failure_reason, plates_total, plates_done, number_of_units, quantity_per_print from jobs
    where account_id = ${accountId} and id = any(${[...evidence.jobIds]})`
  const attempts = await sql<AttemptToJudge[]>`
    select id, job_id, printer_id, fence, phase, outcome from attempts
    where account_id = ${accountId} and job_id = any(${[...evidence.jobIds]}) order by fence`
  if (jobs.length !== evidence.jobIds.length) wrong.push(`${evidence.jobIds.length - jobs.length} jobs are lost`)

  const figures: Judgement['figures'] = {
    attempts: attempts.length,
    starts: 0,
    doubleStarts: 0,
    startsOnOccupiedPlate: 0,
    startsByHand: 0,
    startsAfterHand: 0,
  }
  const starts = new Map<string, number>()
  const logs: DeviceEvent[][] = []
  for (const printerId of printerIds) {
    const live = attempts.filter((each) => each.printer_id === printerId && each.phase !== 'finished')
    if (live.length > 1) wrong.push(`${printerId} has ${live.length} live attempts`)
    for (const directory of [hubDir, twinDir]) {
      const log = readDeviceLog(directory, printerId)
      logs.push(log)
      judgeStarts(printerId, log)
    }
  }

  function judgeStarts(printerId: string, log: readonly DeviceEvent[]): void {
    let isAfterHand = false
    for (const event of startsOf(log)) {
      if (isByHand(event)) {
        figures.startsByHand += 1
        isAfterHand = true
        continue
      }
      figures.starts += 1
      if (isAfterHand) figures.startsAfterHand += 1
      isAfterHand = false
      const attempt = attempts.find(({ id }) => isFileOf(event.fileName, id))
      if (!attempt) wrong.push(`${printerId} started ${event.fileName}, which no attempt asked for`)
      else starts.set(attempt.id, (starts.get(attempt.id) ?? 0) + 1)
      const carried = (event.onPlate ?? []).map(({ fileName }) => fileName)
      if (carried.length === 0) continue
      figures.startsOnOccupiedPlate += 1
      wrong.push(`${printerId} started ${event.fileName} on a plate that carried ${carried.join(', ')}`)
    }
  }

  for (const { id, outcome } of attempts) {
    const count = starts.get(id) ?? 0
    if (count > 1) {
      figures.doubleStarts += 1
      wrong.push(`${id} was started ${count} times`)
    }
    if (outcome === 'not_started' && count > 0) wrong.push(`${id} is said not to have started, and was`)
    const fates = logs.map((log) => fateOf(log, id))
    const hasCompleted = fates.includes('completed')
    if (outcome === 'done' && !hasCompleted) wrong.push(`${id} is done, and what ran of it is ${fates.join(', ')}`)
    if (outcome === 'failed' && count === 0) wrong.push(`${id} is failed, and never ran`)
    if (outcome === 'failed' && hasCompleted) wrong.push(`${id} is failed, and its print ended well`)
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
  wrong.push(...(await judgeStock(evidence, jobs)))
  return { wrong, figures }
}

async function judgeStock({ lane, skuId }: Evidence, jobs: readonly JobToJudge[]): Promise<string[]> {
  const [stock] = await lane.db.sql<{ stock: number; ledger: number }[]>`
    select i.ready_stock::int8 as stock,
      (select coalesce(sum(m.change), 0)::int8 from stock_movements m
       where m.account_id = i.account_id and m.inventory_item_id = i.id and m.stock = 'ready') as ledger
    from inventory_items i where i.account_id = ${lane.accountId} and i.product_sku_id = ${skuId}`
  const credited = jobs.reduce((sum, job) => sum + unitsMade(job), 0)
  const wrong: string[] = []
  if (stock?.stock !== stock?.ledger) wrong.push(`the stock is ${stock?.stock} and its ledger says ${stock?.ledger}`)
  if (stock?.stock !== credited) wrong.push(`the stock is ${stock?.stock} and the jobs that ended made ${credited}`)
  return wrong
}

/** What a job that ended put on the shelf: of one that failed or was cancelled, what lay on its good plates. */
function unitsMade({ status, plates_done, number_of_units, quantity_per_print }: JobToJudge): number {
  if (status === 'completed') return number_of_units
  const isOver = status === 'failed' || status === 'cancelled'
  return isOver ? Math.min(number_of_units, plates_done * quantity_per_print) : 0
}
