import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Sql } from '../../db/database.ts'
import type { AccountId, JobId, OrderId, SkuId } from '../../kernel/ids.ts'
import type { Work } from '../events/work.ts'
import { rememberModels } from '../matching/farm-facts.ts'
import { isSlicedFor } from '../matching/sliced-for.ts'
import { getOrderSettings } from '../orders/settings/order-settings.service.ts'
import type { FileOnModel } from '../print-times/print-times.queries.ts'
import { loadPrintTimes } from '../print-times/print-times.service.ts'
import { type FarmFacts, type FarmForecast, forecastFarm } from './forecast/forecast-farm.ts'
import { forecastOrder, type OrderOutlook } from './forecast/forecast-order.ts'
import { unknown } from './forecast/moment.ts'
import { isNewPromise } from './forecast/next-promise.ts'
import {
  type JobToForecast,
  type LineToForecast,
  listAssemblySeconds,
  listJobsToForecast,
  listLastPromises,
  listLinesToForecast,
  listRecipesToForecast,
  listStoredForecasts,
  listWorkingPrinters,
  type StoredForecast,
} from './forecast-facts.queries.ts'
import {
  insertPromises,
  isNews,
  markRisks,
  type NewPromise,
  writeGapForecasts,
  writeJobForecasts,
  writeOrderForecasts,
} from './forecasts.queries.ts'
import { findLeavingDays } from './leaving-days.ts'

/** Orders that are forecast before others have their turn in the process. */
const ordersInTurn = 500

/** Waits until no other transaction forecasts this account; the others wait until this one is over. */
export async function waitForForecast(sql: Sql, accountId: AccountId): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('forecast ' || ${accountId}::text, 0))`
}

/** Forecasts every open order of an account, writes what is new, and keeps what is promised by it. The same few statements for any number. */
export async function forecastOrders(work: Work): Promise<void> {
  const { sql, accountId } = work
  await waitForForecast(sql, accountId)
  const lines = await listLinesToForecast(sql, accountId)
  const { farm, facts } = await forecastJobs(work, lines)
  const outlooks = await outlooksOf(sql, accountId, lines, farm, facts.nowMs)
  const before = new Map((await listStoredForecasts(sql, accountId)).map((row) => [row.order_id, row]))
  const forecasts = await withDays(work, outlooks, before)
  await writeJobForecasts(work, farm.jobs)
  await writeGapForecasts(work, farm.gaps)
  const changed = forecasts.filter((forecast) => isNews(before.get(forecast.order_id), forecast))
  await writeOrderForecasts(
    work,
    forecasts.map(({ order_id }) => order_id),
    changed,
  )
  await keepPromises(work, changed)
  await tellOfRisks(work)
}

/** When all jobs that are not over will be done, and what these lines still lack. */
export async function forecastJobs(
  { sql, accountId, now }: Work,
  lines: readonly LineToForecast[],
): Promise<{ farm: FarmForecast; facts: FarmFacts }> {
  const [printers, jobs] = await Promise.all([listWorkingPrinters(sql, accountId), listJobsToForecast(sql, accountId)])
  const gapSkus = [...new Set(lines.flatMap(({ gaps }) => gaps.map((gap) => gap.product_sku_id)))]
  const recipes = Map.groupBy(await listRecipesToForecast(sql, accountId, gapSkus), (recipe) => recipe.sku_id)
  const isSame = rememberModels()
  const fits = (model: string, fileModel: string | null) => isSlicedFor(model, fileModel, isSame)
  const models = [...new Set(printers.map(({ model }) => model))]
  const asked: FileOnModel[] = jobs.flatMap((job) =>
    job.model === null ? [] : [{ file_version_id: job.file_version_id, model: job.model }],
  )
  for (const way of [...jobs, ...jobs.flatMap(({ options }) => options ?? []), ...[...recipes.values()].flat()]) {
    for (const model of models) {
      if (fits(model, way.printer_model)) asked.push({ file_version_id: way.file_version_id, model })
    }
  }
  const timeOf = await loadPrintTimes(sql, accountId, distinct(asked))
  const facts: FarmFacts = {
    nowMs: now.getTime(),
    printers,
    running: jobs.filter(isRunning).map((job) => ({
      id: job.id,
      fileVersionId: job.file_version_id,
      fileModel: job.printer_model,
      printerId: job.printer_id,
      model: job.model,
      startedMs: job.started_at?.getTime() ?? null,
      platesLeft: Math.max(1, job.plates_total - job.plates_done),
    })),
    queued: jobs
      .filter((job) => !isRunning(job))
      .map((job) => ({
        id: job.id,
        printerId: job.printer_id,
        ways: (job.options ?? [job]).map((way) => ({
          fileVersionId: way.file_version_id,
          fileModel: way.printer_model,
          platesLeft: Math.max(1, way.plates_total - job.plates_done),
        })),
      })),
    gaps: lines.flatMap((line) =>
      line.gaps.map(({ product_sku_id: skuId, units }) => ({
        orderItemId: line.id,
        skuId,
        units,
        isDedicated: line.is_dedicated,
        recipes: (recipes.get(skuId) ?? []).map((recipe) => ({
          fileVersionId: recipe.file_version_id,
          fileModel: recipe.printer_model,
          unitsPerPlate: recipe.units_per_plate,
        })),
      })),
    ),
    timeOf: (file_version_id, model) => timeOf({ file_version_id, model }),
    fits,
  }
  return { farm: await forecastFarm(facts), facts }
}

type OnPrinter = JobToForecast & { printer_id: NonNullable<JobToForecast['printer_id']>; model: string }

function isRunning(job: JobToForecast): job is OnPrinter {
  return job.status !== 'queued' && job.printer_id !== null && job.model !== null
}

function distinct(asked: readonly FileOnModel[]): FileOnModel[] {
  return [...new Map(asked.map((each) => [`${each.file_version_id} ${each.model}`, each])).values()]
}

async function outlooksOf(
  sql: Sql,
  accountId: AccountId,
  lines: readonly LineToForecast[],
  farm: FarmForecast,
  nowMs: number,
): Promise<Map<OrderId, OrderOutlook>> {
  const skuIds = [...new Set(lines.flatMap((line) => line.product_sku_id ?? []))]
  const assembly = new Map<SkuId, { p50Seconds: number; p90Seconds: number }>(
    (await listAssemblySeconds(sql, accountId, skuIds)).map((row) => [
      row.product_sku_id,
      { p50Seconds: row.p50_seconds, p90Seconds: row.p90_seconds },
    ]),
  )
  // A job or a gap that came after the facts were read is forecast in the next round.
  const ofJob = (jobId: JobId) => farm.jobs.get(jobId) ?? unknown('not_planned')
  const byOrder = Map.groupBy(lines, (line) => line.order_id)
  const outlooks = new Map<OrderId, OrderOutlook>()
  for (const [orderId, its] of byOrder) {
    if (outlooks.size % ordersInTurn === ordersInTurn - 1) await nextTurn()
    const parts = its.map((line) => ({
      skuId: line.product_sku_id,
      sku: line.sku,
      units: line.units,
      groups: line.groups,
      prints: [...line.job_ids.map(ofJob), ...(farm.gaps.get(line.id)?.values() ?? [])],
      assembly: line.product_sku_id === null ? undefined : assembly.get(line.product_sku_id),
    }))
    outlooks.set(orderId, forecastOrder(parts, nowMs))
  }
  return outlooks
}

/** The forecasts with the days on which the orders leave. What is ready stays ready since it was first seen so. */
async function withDays(
  { sql, accountId, now }: Work,
  outlooks: ReadonlyMap<OrderId, OrderOutlook>,
  before: ReadonlyMap<OrderId, StoredForecast>,
): Promise<StoredForecast[]> {
  const settings = await getOrderSettings(sql, accountId)
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
async function tellOfRisks(work: Work): Promise<void> {
  const turned = await markRisks(work)
  await work.recordAll(
    turned.map(({ order_id, is_at_risk, ship_by, leaves_at }) =>
      is_at_risk && ship_by && leaves_at
        ? {
            type: 'order.at_risk' as const,
            subjectId: order_id,
            data: { ship_by: ship_by.toISOString(), leaves_at: leaves_at.toISOString() },
          }
        : { type: 'order.risk_ended' as const, subjectId: order_id, data: {} },
    ),
  )
}

async function keepPromises(work: Work, forecasts: readonly StoredForecast[]): Promise<void> {
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
