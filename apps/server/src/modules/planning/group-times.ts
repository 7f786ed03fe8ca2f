import type { Sql } from '../../db/database.ts'
import type { AccountId, JobId } from '../../kernel/ids.ts'
import { listForecastTimes } from '../promises/shown/promise.queries.ts'
import { type GroupTimes, lastOf, noTimes } from '../promises/shown/promise.schema.ts'
import { loadNames, type Names } from './names.queries.ts'
import type { DemandPlan, Plan } from './plan/plan.ts'
import { idsOf } from './planning.schema.ts'
import type { Planned } from './replan/replan.ts'

/** What is told of a plan besides itself. */
export interface Told extends Names {
  timesOf: TimesOf
}

export async function loadTold(sql: Sql, accountId: AccountId, planned: Planned): Promise<Told> {
  const [names, timesOf] = await Promise.all([
    loadNames(sql, accountId, idsOf(planned)),
    loadGroupTimes(sql, accountId, planned),
  ])
  return { ...names, timesOf }
}

/** Says when the units of each group of a line are printed. */
type TimesOf = (line: DemandPlan) => readonly GroupTimes[]

/** The forecasts of what a plan holds, from two statements for all of its lines. */
async function loadGroupTimes(sql: Sql, accountId: AccountId, { plan }: Planned): Promise<TimesOf> {
  const pegs = Map.groupBy(plan.pegs, ({ demandId }) => demandId)
  const { jobs, gaps } = await listForecastTimes(sql, accountId, {
    jobIds: [...new Set(plan.pegs.flatMap(({ supply }) => (supply.kind === 'job' ? [supply.id] : [])))],
    itemIds: plan.demands.flatMap(({ demand }) => (demand.kind === 'order_item' ? [demand.id] : [])),
  })
  const notForecast = { p50_at: null, p90_at: null, reason: 'not_planned' }
  return ({ demand, groups }) => {
    if (demand.kind !== 'order_item') return groups.map(() => noTimes)
    const printed = spread(pegs.get(demand.id) ?? [], demand.skuId)
    let before = 0
    return groups.map((group) => {
      if (group.state === 'to_print')
        return lastOf([...timesOfJobs(printed), ...(gaps.get(demand.id) ?? [notForecast])])
      if (group.state !== 'on_live_job') return noTimes
      const from = before
      before += group.units
      return lastOf(timesOfJobs(printed.filter((peg) => peg.from < before && peg.to > from)))
    })
  }

  function timesOfJobs(its: readonly { jobId: JobId }[]) {
    return its.map(({ jobId }) => jobs.get(jobId) ?? notForecast)
  }
}

interface JobUnits {
  jobId: JobId
  from: number
  to: number
}

/** Answers which units of a line come from which job, nearest first. Of a kit, whose parts come from several, all may wait for each. */
function spread(pegs: Plan['pegs'], skuId: DemandPlan['demand']['skuId']): JobUnits[] {
  let before = 0
  return pegs.flatMap(({ skuId: of, supply, units }) => {
    if (supply.kind !== 'job') return []
    if (of !== skuId) return [{ jobId: supply.id, from: 0, to: Number.POSITIVE_INFINITY }]
    const from = before
    before += units
    return [{ jobId: supply.id, from, to: before }]
  })
}
