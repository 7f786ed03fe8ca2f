import type { Sql } from '../../db/database.ts'
import { type JobId, newId, type OrderId, type OrderItemId, type SkuId } from '../../kernel/ids.ts'
import { inTurns } from '../../kernel/in-turns.ts'
import type { Work } from '../events/work.ts'
import type { JobOutlook, Outlook } from './forecast/moment.ts'
import type { StoredForecast } from './forecast-facts.queries.ts'

/** Less than this is no news: what waits gets a little later all the time. */
const leastNewsSeconds = 300

const dateOf = (ms: number | null) => (ms === null ? null : new Date(ms))

const columnsOfOutlooks = (outlooks: readonly Outlook[]) => ({
  p50: outlooks.map(({ p50Ms }) => dateOf(p50Ms)),
  p90: outlooks.map(({ p90Ms }) => dateOf(p90Ms)),
  reasons: outlooks.map(({ reason }) => reason),
})

/** Runs a part of some work in a transaction, that of the work or one of its own. */
export type RunPart = (part: (work: Work) => Promise<void>) => Promise<void>

/**
 * Writes the forecasts of jobs part by part, and removes those of jobs that are over. What moved little and would print where it would is not
 * written. What is stored is looked up row by row: a plan for all of them at once would be as good as the statistics are new.
 */
export async function writeJobForecasts(run: RunPart, forecasts: ReadonlyMap<JobId, JobOutlook>): Promise<void> {
  await run(async ({ sql, accountId }) => {
    await sql`
      delete from job_forecasts f where f.account_id = ${accountId}
        and (select j.status from jobs j where j.account_id = f.account_id and j.id = f.job_id)
          not in ('queued', 'processing', 'printing', 'paused')`
  })
  for await (const some of inTurns([...forecasts])) await run((work) => upsertJobForecasts(work, some))
}

/** What stays as it is is not even locked, as it would be by the conflict alone. A job that was deleted meanwhile is left out. */
async function upsertJobForecasts({ sql, accountId }: Work, forecasts: readonly [JobId, JobOutlook][]): Promise<void> {
  const ids = forecasts.map(([id]) => id)
  const outlooks = forecasts.map(([, outlook]) => outlook)
  const { p50, p90, reasons } = columnsOfOutlooks(outlooks)
  const printers = outlooks.map(({ printerId }) => printerId)
  const starts = outlooks.map(({ startsMs }) => dateOf(startsMs))
  await sql`
    insert into job_forecasts (account_id, job_id, p50_at, p90_at, reason, printer_id, starts_at)
    select ${accountId}, w.* from unnest(
      ${ids}::text[], ${p50}::timestamptz[], ${p90}::timestamptz[], ${reasons}::text[], ${printers}::text[],
      ${starts}::timestamptz[]
    ) as w (job_id, p50_at, p90_at, reason, printer_id, starts_at)
    left join lateral (
      select * from job_forecasts b where b.account_id = ${accountId} and b.job_id = w.job_id limit 1
    ) f on true
    where exists (select from jobs j where j.account_id = ${accountId} and j.id = w.job_id)
      and (
        f.job_id is null or ${outlookIsNews(sql)} or f.printer_id is distinct from w.printer_id
        or (f.starts_at is null) <> (w.starts_at is null)
        or abs(extract(epoch from f.starts_at - w.starts_at)) >= ${leastNewsSeconds})
    on conflict (account_id, job_id) do update
      set p50_at = excluded.p50_at, p90_at = excluded.p90_at, reason = excluded.reason, printer_id = excluded.printer_id,
        starts_at = excluded.starts_at`
}

/** Compares what is stored as `f` and what would be written as `w`. */
const outlookIsNews = (sql: Sql) => sql`(
  f.reason is distinct from w.reason or (f.p50_at is null) <> (w.p50_at is null) or (f.p90_at is null) <> (w.p90_at is null)
  or abs(extract(epoch from f.p50_at - w.p50_at)) >= ${leastNewsSeconds}
  or abs(extract(epoch from f.p90_at - w.p90_at)) >= ${leastNewsSeconds})`

/** The same of what is still to be queued. */
export async function writeGapForecasts(
  work: Work,
  forecasts: ReadonlyMap<OrderItemId, ReadonlyMap<SkuId, Outlook>>,
): Promise<void> {
  const rows = [...forecasts].flatMap(([itemId, bySku]) =>
    [...bySku].map(([skuId, outlook]) => ({ itemId, skuId, outlook })),
  )
  const { sql, accountId } = work
  await sql`
    delete from gap_forecasts f where f.account_id = ${accountId}
      and (
        select g.units from plan_gaps g where g.account_id = f.account_id
          and (g.order_item_id, g.product_sku_id) = (f.order_item_id, f.product_sku_id)) is null`
  for await (const some of inTurns(rows)) await upsertGapForecasts(work, some)
}

async function upsertGapForecasts(
  { sql, accountId }: Work,
  rows: readonly { itemId: OrderItemId; skuId: SkuId; outlook: Outlook }[],
): Promise<void> {
  const items = rows.map(({ itemId }) => itemId)
  const skus = rows.map(({ skuId }) => skuId)
  const { p50, p90, reasons } = columnsOfOutlooks(rows.map(({ outlook }) => outlook))
  await sql`
    insert into gap_forecasts (account_id, order_item_id, product_sku_id, p50_at, p90_at, reason)
    select ${accountId}, w.* from unnest(
      ${items}::text[], ${skus}::text[], ${p50}::timestamptz[], ${p90}::timestamptz[], ${reasons}::text[]
    ) as w (order_item_id, product_sku_id, p50_at, p90_at, reason)
    left join lateral (
      select * from gap_forecasts b where b.account_id = ${accountId}
        and (b.order_item_id, b.product_sku_id) = (w.order_item_id, w.product_sku_id) limit 1
    ) f on true
    where f.order_item_id is null or ${outlookIsNews(sql)}
    on conflict (account_id, order_item_id, product_sku_id) do update
      set p50_at = excluded.p50_at, p90_at = excluded.p90_at, reason = excluded.reason`
}

/** Removes the forecasts of orders that are not among these. */
export async function deleteOtherForecasts({ sql, accountId }: Work, open: readonly OrderId[]): Promise<void> {
  await sql`delete from order_forecasts where account_id = ${accountId} and order_id <> all(${[...open]}::text[])`
}

export async function writeOrderForecasts({ sql, accountId }: Work, changed: readonly StoredForecast[]): Promise<void> {
  if (changed.length === 0) return
  await sql`
    insert into order_forecasts
      (account_id, order_id, is_ready, ready_p50_at, ready_p90_at, leaves_p90_at, promised_at, reason, sku)
    select ${accountId}, w.* from unnest(
      ${changed.map((row) => row.order_id)}::text[], ${changed.map((row) => row.is_ready)}::boolean[],
      ${changed.map((row) => row.ready_p50_at)}::timestamptz[], ${changed.map((row) => row.ready_p90_at)}::timestamptz[],
      ${changed.map((row) => row.leaves_p90_at)}::timestamptz[], ${changed.map((row) => row.promised_at)}::timestamptz[],
      ${changed.map((row) => row.reason)}::text[], ${changed.map((row) => row.sku)}::text[]
    ) as w (order_id, is_ready, ready_p50_at, ready_p90_at, leaves_p90_at, promised_at, reason, sku)
    on conflict (account_id, order_id) do update
      set is_ready = excluded.is_ready, ready_p50_at = excluded.ready_p50_at, ready_p90_at = excluded.ready_p90_at,
        leaves_p90_at = excluded.leaves_p90_at, promised_at = excluded.promised_at, reason = excluded.reason,
        sku = excluded.sku`
}

/** An order that turned to be at risk, or not to be any more. */
export interface TurnedOrder {
  order_id: OrderId
  is_at_risk: boolean
  ship_by: Date | null
  leaves_at: Date | null
}

/** Records which orders leave later than they must by their forecast, as `isAtRisk` has it, and answers those of which that is new. */
export async function markRisks({ sql, accountId }: Work): Promise<TurnedOrder[]> {
  return sql<TurnedOrder[]>`
    update order_forecasts f set is_at_risk = w.is_at_risk
    from (
      select g.order_id, o.ship_by, coalesce(g.leaves_p90_at, g.ready_p50_at) as leaves_at,
             coalesce(coalesce(g.leaves_p90_at, g.ready_p50_at) > o.ship_by, false) as is_at_risk
      from order_forecasts g join orders o on o.account_id = g.account_id and o.id = g.order_id
      where g.account_id = ${accountId}
    ) w
    where f.account_id = ${accountId} and f.order_id = w.order_id and f.is_at_risk <> w.is_at_risk
    returning f.order_id, f.is_at_risk, w.ship_by, w.leaves_at`
}

/** True when a forecast says anything new. */
export function isNews(before: StoredForecast | undefined, now: StoredForecast): boolean {
  if (!before) return true
  const moved = (['ready_p50_at', 'ready_p90_at', 'leaves_p90_at', 'promised_at'] as const).some((field) => {
    const [a, b] = [before[field], now[field]]
    if (a === null || b === null) return a !== b
    return Math.abs(Number(a) - Number(b)) >= leastNewsSeconds * 1_000
  })
  return moved || before.is_ready !== now.is_ready || before.reason !== now.reason || before.sku !== now.sku
}

export interface NewPromise {
  order_id: OrderId
  /** From 1. */
  number: number
  ready_p50_at: Date
  ready_p90_at: Date
  promised_at: Date
}

/** Keeps any number of promises. */
export async function insertPromises({ sql, accountId, now }: Work, promises: readonly NewPromise[]): Promise<void> {
  if (promises.length === 0) return
  // Another process may have made the same one.
  await sql`
    insert into order_promises (account_id, id, order_id, number, ready_p50_at, ready_p90_at, promised_at, made_at)
    select ${accountId}, w.*, ${now}::timestamptz from unnest(
      ${promises.map(() => newId('orderPromise', now.getTime()))}::text[],
      ${promises.map((row) => row.order_id)}::text[], ${promises.map((row) => row.number)}::integer[],
      ${promises.map((row) => row.ready_p50_at)}::timestamptz[], ${promises.map((row) => row.ready_p90_at)}::timestamptz[],
      ${promises.map((row) => row.promised_at)}::timestamptz[]
    ) as w (id, order_id, number, ready_p50_at, ready_p90_at, promised_at)
    on conflict do nothing`
}

/** An order that is late since the last look, or not any more because it may leave later. */
interface OverdueOrder {
  order_id: OrderId
  is_late: boolean
  ship_by: Date | null
}

/** Records which orders have not left by the time they must, and answers those of which that is new. */
export async function markLate({ sql, accountId, now }: Work): Promise<OverdueOrder[]> {
  return sql<OverdueOrder[]>`
    update order_forecasts f set is_late = w.is_late
    from (
      select g.order_id, o.ship_by, coalesce(o.ship_by < ${now}, false) as is_late
      from order_forecasts g join orders o on o.account_id = g.account_id and o.id = g.order_id
      where g.account_id = ${accountId}
    ) w
    where f.account_id = ${accountId} and f.order_id = w.order_id and f.is_late <> w.is_late
    returning f.order_id, f.is_late, w.ship_by`
}
