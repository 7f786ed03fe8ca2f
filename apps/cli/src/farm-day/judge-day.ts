import type { Sql } from '@printyard/server/db/database'
import { type Clearing, countStarts, readDeviceLog } from '../fault-runs/judge.ts'

interface AttemptToJudge {
  id: string
  printer_id: string
  outcome: string | null
}

export interface DayEvidence {
  sql: Sql
  accountId: string
  /** Jobs that were queued in the day. */
  jobs: number
  /** Where the hub of each printer keeps its simulated printers. */
  hubDirs: ReadonlyMap<string, string>
  /** Plates that were emptied since the beginning, when all were empty. */
  clearings: readonly Clearing[]
}

/** Everything that is wrong after a day, by what the printers themselves wrote down; empty when all promises were held. */
export async function judgeDay({ sql, accountId, jobs, hubDirs, clearings }: DayEvidence): Promise<string[]> {
  const wrong: string[] = []
  const attempts = await sql<AttemptToJudge[]>`
    select id, printer_id, outcome from attempts where account_id = ${accountId}`
  const attemptByTail = new Map(attempts.map((attempt) => [tailOf(attempt.id), attempt]))
  const starts = new Map<string, number>()
  const cleared = new Set(clearings.map(({ printerId, startsSeen }) => `${printerId} ${startsSeen}`))
  for (const [printerId, hubDir] of hubDirs) {
    const log = readDeviceLog(hubDir, printerId)
    const onOccupied = log.filter(({ kind }) => kind === 'started_on_occupied_plate').length
    if (onOccupied > 0) wrong.push(`${printerId} began ${onOccupied} prints on a plate that was not empty`)
    for (let before = 1; before < countStarts(log); before += 1) {
      const isClear = cleared.has(`${printerId} ${before}`)
      if (!isClear) wrong.push(`start ${before + 1} of ${printerId} was on a plate that nobody had cleared`)
    }
    for (const { kind, fileName } of log) {
      if (kind !== 'started') continue
      const attempt = attemptByTail.get(/-(\w+)\.gcode$/.exec(fileName ?? '')?.[1] ?? '')
      if (attempt?.printer_id !== printerId) wrong.push(`${printerId} started ${fileName}, which nobody asked of it`)
      else starts.set(attempt.id, (starts.get(attempt.id) ?? 0) + 1)
    }
  }
  for (const { id, outcome } of attempts) {
    const count = starts.get(id) ?? 0
    if (count > 1) wrong.push(`${id} was started ${count} times`)
    if (outcome === 'not_started' && count > 0) wrong.push(`${id} is said not to have started, and was`)
    if ((outcome === 'done' || outcome === 'failed') && count === 0) wrong.push(`${id} is ${outcome}, and never ran`)
  }
  const [known] = await sql<{ jobs: number }[]>`select count(*) as jobs from jobs where account_id = ${accountId}`
  if (known?.jobs !== jobs) wrong.push(`${jobs} jobs were queued and ${known?.jobs} are there`)
  wrong.push(...(await judgeStock(sql, accountId)))
  return wrong
}

/** The file's name at the printer ends in the last twelve signs of the attempt's ID. */
const tailOf = (attemptId: string) => attemptId.replace(/[^A-Za-z0-9]/g, '').slice(-12)

/** Every item's stock is the sum of its movements, and what the completed jobs made. */
async function judgeStock(sql: Sql, accountId: string): Promise<string[]> {
  const items = await sql<{ id: string; stock: number; ledger: number; made: number }[]>`
    select i.id, i.ready_stock::int8 as stock,
      (select coalesce(sum(m.change), 0)::int8 from stock_movements m
       where m.account_id = i.account_id and m.inventory_item_id = i.id and m.stock = 'ready') as ledger,
      (select coalesce(sum(j.number_of_units), 0)::int8 from jobs j
       where j.account_id = i.account_id and j.product_sku_id = i.product_sku_id and j.status = 'completed') as made
    from inventory_items i where i.account_id = ${accountId}`
  return items
    .filter(({ stock, ledger, made }) => stock !== ledger || stock !== made)
    .map(({ id, stock, ledger, made }) => `the stock of ${id} is ${stock}, its ledger ${ledger}, and ${made} were made`)
}
