import type { Sql } from '@printyard/server/db/database'
import { isByHand, isFileOf, readDeviceLog, startsOf } from '../fault-runs/device-log.ts'

interface AttemptToJudge {
  id: string
  printer_id: string
  outcome: string | null
}

interface DayEvidence {
  sql: Sql
  accountId: string
  /** Jobs that were queued in the day. */
  jobs: number
  /** Where the hub of each printer keeps its simulated printers. */
  hubDirs: ReadonlyMap<string, string>
}

export interface DayJudgement {
  /** Everything that is wrong; empty when all promises were held. */
  wrong: string[]
  /** By the printers' own logs. */
  starts: {
    ours: number
    /** Of ours, on a plate that carried anything. */
    onOccupiedPlate: number
    byHand: number
    /** Of ours, the next one after a start by hand. */
    afterHand: number
  }
}

/** Judges a day by what the printers themselves wrote down, and by the tables. */
export async function judgeDay({ sql, accountId, jobs, hubDirs }: DayEvidence): Promise<DayJudgement> {
  const wrong: string[] = []
  const attempts = await sql<AttemptToJudge[]>`
    select id, printer_id, outcome from attempts where account_id = ${accountId}`
  const attemptsOf = Map.groupBy(attempts, ({ printer_id }) => printer_id)
  const count = new Map<string, number>()
  const starts = { ours: 0, onOccupiedPlate: 0, byHand: 0, afterHand: 0 }
  for (const [printerId, hubDir] of hubDirs) {
    let isAfterHand = false
    for (const event of startsOf(readDeviceLog(hubDir, printerId))) {
      if (isByHand(event)) {
        starts.byHand += 1
        isAfterHand = true
        continue
      }
      starts.ours += 1
      if (isAfterHand) starts.afterHand += 1
      isAfterHand = false
      const attempt = attemptsOf.get(printerId)?.find(({ id }) => isFileOf(event.fileName, id))
      if (attempt) count.set(attempt.id, (count.get(attempt.id) ?? 0) + 1)
      else wrong.push(`${printerId} started ${event.fileName}, which no one asked of it`)
      const carried = (event.onPlate ?? []).map(({ fileName }) => fileName)
      if (carried.length === 0) continue
      starts.onOccupiedPlate += 1
      wrong.push(`${printerId} started ${event.fileName} on a plate that carried ${carried.join(', ')}`)
    }
  }
  for (const { id, outcome } of attempts) {
    const times = count.get(id) ?? 0
    if (times > 1) wrong.push(`${id} was started ${times} times`)
    if (outcome === 'not_started' && times > 0) wrong.push(`${id} is said not to have started, and was`)
    if ((outcome === 'done' || outcome === 'failed') && times === 0) wrong.push(`${id} is ${outcome}, and never ran`)
  }
  const [known] = await sql<{ jobs: number }[]>`select count(*) as jobs from jobs where account_id = ${accountId}`
  if (known?.jobs !== jobs) wrong.push(`${jobs} jobs were queued and ${known?.jobs} are there`)
  wrong.push(...(await judgeStock(sql, accountId)))
  return { wrong, starts }
}

/** Every item's stock is the sum of its movements, and what jobs made that ended: of those that failed, what lay on their good plates. */
async function judgeStock(sql: Sql, accountId: string): Promise<string[]> {
  const items = await sql<{ id: string; stock: number; ledger: number; made: number }[]>`
    select i.id, i.ready_stock::int8 as stock,
      (select coalesce(sum(m.change), 0)::int8 from stock_movements m
       where m.account_id = i.account_id and m.inventory_item_id = i.id and m.stock = 'ready') as ledger,
      (select coalesce(sum(case when j.status = 'completed' then j.number_of_units
         else least(j.number_of_units, j.plates_done * j.quantity_per_print) end), 0)::int8 from jobs j
       where j.account_id = i.account_id and j.product_sku_id = i.product_sku_id
         and j.status in ('completed', 'failed', 'cancelled')) as made
    from inventory_items i where i.account_id = ${accountId}`
  return items
    .filter(({ stock, ledger, made }) => stock !== ledger || stock !== made)
    .map(({ id, stock, ledger, made }) => `the stock of ${id} is ${stock}, its ledger ${ledger}, and ${made} were made`)
}
