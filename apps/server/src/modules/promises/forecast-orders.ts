import type { Sql } from '../../db/database.ts'
import type { AccountId, JobId, OrderId, SkuId } from '../../kernel/ids.ts'
import { inTurns } from '../../kernel/in-turns.ts'
import type { Happening } from '../events/event-catalogue.ts'
import type { Work } from '../events/work.ts'
import { getOrderSettings, type OrderSettings } from '../orders/settings/order-settings.service.ts'
import type { FarmForecast } from './forecast/forecast-farm.ts'
import { forecastOrder, type LineFact, type OrderOutlook } from './forecast/forecast-order.ts'
import { unknown } from './forecast/moment.ts'
import { isNewPromise } from './forecast/next-promise.ts'
import {
  type LineToForecast,
  listAssemblySeconds,
  listLastPromises,
  listLinesToForecast,
  listStoredForecasts,
  type StoredForecast,
} from './forecast-facts.queries.ts'
import { forecastJobs } from './forecast-jobs.ts'
import {
  deleteOtherForecasts,
  insertPromises,
  isNews,
  markLate,
  markRisks,
  type NewPromise,
  type RunPart,
  type TurnedOrder,
  writeGapForecasts,
  writeJobForecasts,
  writeOrderForecasts,
} from './forecasts.queries.ts'
import { findLeavingDays } from './leaving-days.ts'

/** Waits until no other transaction forecasts this account; the others wait until this one is over. */
export async function waitForForecast(sql: Sql, accountId: AccountId): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('forecast ' || ${accountId}::text, 0))`
}

/**
 * Forecasts every open order of an account, writes what is new, and keeps what is promised by it. What there is much of is read, followed
 * and written part by part, so that no request waits for more than one of them.
 *
 * @param runPart writes some of the jobs: what holds a job for as long as all is written would keep it from being deleted.
 */
export async function forecastOrders(work: Work, runPart: RunPart): Promise<void> {
  const { sql, accountId } = work
  await waitForForecast(sql, accountId)
  const lines: LineToForecast[] = []
  for await (const some of listLinesToForecast(sql, accountId)) lines.push(...some)
  const farm = await forecastJobs(work, lines)
  await writeJobForecasts(runPart, farm.jobs)
  await writeGapForecasts(work, farm.gaps)
  const orders = await groupByOrder(lines)
  await deleteOtherForecasts(work, [...orders.keys()])
  const outlookOf = await lookOut(work, lines, farm)
  const settings = await getOrderSettings(sql, accountId)
  for await (const some of inTurns([...orders])) {
    const outlooks = new Map(some.map(([orderId, its]) => [orderId, outlookOf(its)]))
    await writeNews(work, settings, outlooks)
  }
  await recordRisks(work)
  await recordLate(work)
}

async function groupByOrder(lines: readonly LineToForecast[]): Promise<Map<OrderId, LineToForecast[]>> {
  const orders = new Map<OrderId, LineToForecast[]>()
  for await (const some of inTurns(lines)) {
    for (const line of some) {
      const its = orders.get(line.order_id)
      if (its) its.push(line)
      else orders.set(line.order_id, [line])
    }
  }
  return orders
}

/** Answers what is to be expected of the lines of an order. */
async function lookOut(
  { sql, accountId, now }: Work,
  lines: readonly LineToForecast[],
  farm: FarmForecast,
): Promise<(its: readonly LineToForecast[]) => OrderOutlook> {
  const skuIds = new Set<SkuId>()
  for await (const some of inTurns(lines))
    for (const line of some) if (line.product_sku_id) skuIds.add(line.product_sku_id)
  const assembly = new Map<SkuId, LineFact['assembly']>(
    (await listAssemblySeconds(sql, accountId, [...skuIds])).map((row) => [
      row.product_sku_id,
      { p50Seconds: row.p50_seconds, p90Seconds: row.p90_seconds },
    ]),
  )
  // A job or a gap that came after the facts were read is forecast in the next round.
  const ofJob = (jobId: JobId) => farm.jobs.get(jobId) ?? unknown('not_planned')
  const factOf = (line: LineToForecast): LineFact => ({
    skuId: line.product_sku_id,
    sku: line.sku,
    units: line.units,
    plannedUnits: line.planned_units,
    reservedUnits: line.reserved_units,
    blockedBy: line.blocked_by,
    prints: [...line.job_ids.map(ofJob), ...(farm.gaps.get(line.id)?.values() ?? [])],
    assembly: line.product_sku_id === null ? undefined : assembly.get(line.product_sku_id),
  })
  return (its) => forecastOrder(its.map(factOf), now.getTime())
}

/** Writes what is new of some orders, and keeps what is promised by it. */
async function writeNews(
  work: Work,
  settings: OrderSettings,
  outlooks: ReadonlyMap<OrderId, OrderOutlook>,
): Promise<void> {
  const stored = await listStoredForecasts(work.sql, work.accountId, [...outlooks.keys()])
  const before = new Map(stored.map((row) => [row.order_id, row]))
  const forecasts = await withDays(work, settings, outlooks, before)
  const changed = forecasts.filter((forecast) => isNews(before.get(forecast.order_id), forecast))
  await writeOrderForecasts(work, changed)
  await recordPromises(work, changed)
}

/** The forecasts with the days on which the orders leave. What is ready stays ready since it was first seen so. */
async function withDays(
  { sql, now }: Work,
  settings: OrderSettings,
  outlooks: ReadonlyMap<OrderId, OrderOutlook>,
  before: ReadonlyMap<OrderId, StoredForecast>,
): Promise<StoredForecast[]> {
  const leaving = await findLeavingDays(
    sql,
    settings,
    [...outlooks.values()].flatMap(({ p90Ms }) => (p90Ms === null ? [] : [new Date(p90Ms)])),
  )
  return [...outlooks].map(([orderId, { isReady, p50Ms, p90Ms, reason, sku }]) => {
    const stored = before.get(orderId)
    const since = (isReady && stored?.is_ready && stored.ready_p90_at) || now
    const day = p90Ms === null ? undefined : leaving.get(p90Ms)
    return {
      order_id: orderId,
      is_ready: isReady,
      ready_p50_at: isReady ? since : p50Ms === null ? null : new Date(p50Ms),
      ready_p90_at: isReady ? since : p90Ms === null ? null : new Date(p90Ms),
      leaves_p90_at: day?.leavesAt ?? null,
      promised_at: day?.endsAt ?? null,
      reason,
      sku,
    }
  })
}

/** Records which orders have come to leave too late by their forecast, and which in time again. */
async function recordRisks(work: Work): Promise<void> {
  const turned = await markRisks(work)
  for await (const some of inTurns(turned)) await work.recordAll(some.map(happeningOf))
}

function happeningOf({ order_id: subjectId, is_at_risk, ship_by, leaves_at }: TurnedOrder): Happening {
  if (!is_at_risk || !ship_by || !leaves_at) return { type: 'order.risk_ended', subjectId, data: {} }
  return {
    type: 'order.at_risk',
    subjectId,
    data: { ship_by: ship_by.toISOString(), leaves_at: leaves_at.toISOString() },
  }
}

/** Records which orders have not left by the time they must, and which may leave later after all. */
async function recordLate(work: Work): Promise<void> {
  for await (const some of inTurns(await markLate(work))) {
    await work.recordAll(
      some.map(({ order_id: subjectId, is_late, ship_by }) =>
        is_late && ship_by
          ? { type: 'order.late' as const, subjectId, data: { ship_by: ship_by.toISOString() } }
          : { type: 'order.late_ended' as const, subjectId, data: {} },
      ),
    )
  }
}

async function recordPromises(work: Work, forecasts: readonly StoredForecast[]): Promise<void> {
  const made = forecasts.flatMap(({ order_id, ready_p50_at, ready_p90_at, promised_at }) =>
    ready_p50_at && ready_p90_at && promised_at ? [{ order_id, ready_p50_at, ready_p90_at, promised_at }] : [],
  )
  if (made.length === 0) return
  const ids = made.map(({ order_id }) => order_id)
  const last = new Map((await listLastPromises(work.sql, work.accountId, ids)).map((row) => [row.order_id, row]))
  const inMs = (row: Pick<NewPromise, 'ready_p90_at' | 'promised_at'>) => ({
    readyP90Ms: row.ready_p90_at.getTime(),
    promisedMs: row.promised_at.getTime(),
  })
  await insertPromises(
    work,
    made.flatMap((promise) => {
      const former = last.get(promise.order_id)
      if (!isNewPromise(former && inMs(former), inMs(promise))) return []
      return [{ ...promise, number: (former?.number ?? 0) + 1 }]
    }),
  )
}
