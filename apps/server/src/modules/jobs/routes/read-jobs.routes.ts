import type { Context } from '../../../context/context.ts'
import { readPage } from '../../../http/cursor.ts'
import { envelope, failures, idParams, ok, page, pageEnvelope } from '../../../http/schema.ts'
import type { App } from '../../../http/types.ts'
import { rememberJobs } from '../job-memory.ts'
import { countJobStats, type JobDetailRow, listHistory, listJobs } from '../jobs.queries.ts'
import {
  HistoryQuery,
  Job,
  JobDetail,
  JobListQuery,
  JobStats,
  presentJob,
  presentStats,
  StatsQuery,
} from '../jobs.schema.ts'
import { liveOf, presentNow, tags } from './job-answers.ts'

/** Days of ended jobs that are counted when no one says how many. */
const statsDays = 30

/** Nothing happened before, and far enough back dates have no name that the database knows. */
const firstMs = Date.UTC(2000, 0)

function daysBefore(moment: Date, days: number): Date {
  return new Date(Math.max(moment.getTime() - days * 86_400_000, Math.min(firstMs, moment.getTime())))
}

/** Reads jobs, ended ones among them. */
export function readJobRoutes(app: App, context: Context): void {
  const memory = context.memory.hold(rememberJobs, context)
  const present = (job: JobDetailRow) => presentNow(context, job)

  app.get(
    '/jobs',
    {
      config: { scope: 'read' },
      schema: {
        tags,
        summary: 'List jobs, the newest first',
        description:
          'All jobs, waiting, running and ended; filters narrow them. `from` and `to` are about when a job was submitted.',
        querystring: JobListQuery,
        response: { 200: pageEnvelope(Job), ...failures() },
      },
    },
    async (request) => {
      const { rows, meta } = await readPage(context, request, (filter) =>
        listJobs(context.db.sql, request.actor.accountId, filter, context.clock.now()),
      )
      return page(
        rows.map((job) => presentJob(job, liveOf(context, job))),
        meta,
      )
    },
  )

  app.get(
    '/jobs/history',
    {
      config: { scope: 'read' },
      schema: {
        tags,
        summary: 'List completed, failed and cancelled jobs, the last ended first',
        description:
          '`from` and `to` are about when a job ended, both inclusive. Jobs that are not over are in `GET /jobs`.',
        querystring: HistoryQuery,
        response: { 200: pageEnvelope(Job), ...failures() },
      },
    },
    async (request) => {
      const { rows, meta } = await readPage(context, request, (filter) =>
        listHistory(context.db.sql, request.actor.accountId, filter),
      )
      return page(
        rows.map((job) => presentJob(job)),
        meta,
      )
    },
  )

  app.get(
    '/jobs/stats',
    {
      config: { scope: 'read' },
      schema: {
        tags,
        summary: 'Count jobs',
        description: 'Jobs that are not over are counted as they are now, ended ones of the last 30 days by default.',
        querystring: StatsQuery,
        response: { 200: envelope(JobStats), ...failures() },
      },
    },
    async ({ actor, query }) => {
      const to = query.to === undefined ? context.clock.now() : new Date(query.to)
      const from = query.from === undefined ? daysBefore(to, statsDays) : new Date(query.from)
      return ok(
        presentStats(await countJobStats(context.db.reportsFor(actor.accountId), actor.accountId, { from, to })),
      )
    },
  )

  app.get(
    '/jobs/:id',
    {
      config: { scope: 'read' },
      schema: {
        tags,
        summary: 'Get one job',
        description: 'While a plate prints, the progress is what its printer reports now, 0 to 100 over all plates.',
        params: idParams('job'),
        response: { 200: envelope(JobDetail), ...failures('NOT_FOUND') },
      },
    },
    ({ actor, params }) => {
      const job = memory.get(actor.accountId, params.id)
      return job instanceof Promise ? job.then((read) => ok(present(read))) : ok(present(job))
    },
  )
}
