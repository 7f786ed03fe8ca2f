import type { FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import type { Actor } from '../../actor.ts'
import type { Context } from '../../context.ts'
import type { ErrorCode } from '../../errors.ts'
import { answerOnce, answerOnceOutside } from '../../http/idempotency.ts'
import {
  answer,
  bodyFailures,
  envelope,
  failures,
  IdParams,
  ok,
  page,
  pageEnvelope,
  postFailures,
  success,
} from '../../http/schema.ts'
import type { App } from '../../http/types.ts'
import { cancelJob } from './cancel-job.ts'
import { changeJob } from './change-job.ts'
import { type JobDetailRow, listHistory, listJobs } from './jobs.queries.ts'
import {
  ChangeJobBody,
  EnqueueBody,
  HistoryQuery,
  Job,
  JobDetail,
  JobListQuery,
  presentJob,
  presentJobDetail,
} from './jobs.schema.ts'
import { enqueueJob, getJob } from './jobs.service.ts'
import { pauseJob, resumeJob, stopJob } from './running-job.ts'
import { startJob } from './start-job.ts'

const tags = ['Jobs']

const commandFailures: ErrorCode[] = [
  ...postFailures,
  'NOT_FOUND',
  'JOB_STATE_CHANGED',
  'NO_PRINTER_ASSIGNED',
  'NO_HUB_ASSIGNED',
  'HUB_OFFLINE',
  'HUB_COMMAND_FAILED',
]

export function jobRoutes(app: App, context: Context): void {
  const live = (job: { printer_id: string | null }) =>
    job.printer_id ? context.hubs.findLive(job.printer_id) : undefined
  const present = (job: JobDetailRow) => presentJobDetail(job, live(job))

  app.post(
    '/jobs',
    {
      config: { scope: 'write' },
      schema: {
        tags,
        summary: 'Queue a print job',
        body: EnqueueBody,
        response: {
          201: envelope(JobDetail),
          ...failures(
            ...postFailures,
            'FILE_NOT_FOUND',
            'PRINTER_NOT_FOUND',
            'PRODUCT_NOT_FOUND',
            'SKU_NOT_FOUND',
            'PRINTER_MODEL_MISMATCH',
            'FILE_NOT_SLICED',
          ),
        },
      },
    },
    (request, reply) =>
      answerOnce(context, request, reply, 201, async (sql) =>
        ok(present(await enqueueJob(context, sql, request.actor, request.body))),
      ),
  )

  app.get(
    '/jobs',
    {
      config: { scope: 'read' },
      schema: {
        tags,
        summary: 'List jobs, the newest first',
        querystring: JobListQuery,
        response: { 200: pageEnvelope(Job), ...failures() },
      },
    },
    async (request) => {
      const jobs = await listJobs(context.db.sql, request.actor.accountId, request.query)
      return page(
        jobs.map((job) => presentJob(job, live(job))),
        request.query,
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
        querystring: HistoryQuery,
        response: { 200: pageEnvelope(Job), ...failures() },
      },
    },
    async (request) => {
      const jobs = await listHistory(context.db.sql, request.actor.accountId, request.query)
      return page(
        jobs.map((job) => presentJob(job)),
        request.query,
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
        params: IdParams,
        response: { 200: envelope(JobDetail), ...failures('NOT_FOUND') },
      },
    },
    async (request) => ok(present(await getJob(context.db.sql, request.actor.accountId, request.params.id))),
  )

  app.patch(
    '/jobs/:id',
    {
      config: { scope: 'write' },
      schema: {
        tags,
        summary: 'Change a queued job, or its place in the queue',
        params: IdParams,
        body: ChangeJobBody,
        response: {
          200: envelope(JobDetail),
          ...failures('NOT_FOUND', 'JOB_STATE_CHANGED', 'PRINTER_NOT_FOUND', 'PRINTER_MODEL_MISMATCH', ...bodyFailures),
        },
      },
    },
    async (request) => ok(present(await changeJob(context, request.actor, request.params.id, request.body))),
  )

  /** One physical command on a job: answered when the printer has shown its effect, or not at all. */
  function command(
    name: string,
    summary: string,
    run: (context: Context, actor: Actor, jobId: string) => Promise<JobDetailRow>,
    codes: ErrorCode[] = [],
  ): void {
    app.post(
      `/jobs/:id/${name}`,
      {
        config: { scope: 'control' },
        schema: {
          tags,
          summary,
          params: IdParams,
          response: { 200: envelope(JobDetail), ...failures(...commandFailures, ...codes) },
        },
      },
      (request, reply) =>
        answerOnceOutside(context, request, reply, 200, async () =>
          ok(present(await run(context, request.actor, request.params.id))),
        ),
    )
  }

  command('start', 'Send the next plate of a queued job to its printer', startJob, [
    'PRINTER_UNAVAILABLE',
    'PRINTER_MODEL_MISMATCH',
  ])
  command('pause', 'Pause a printing job', async (...args) => (await pauseJob(...args)).job)
  command('stop', 'Stop a job that a printer works on', async (...args) => (await stopJob(...args)).job)
  command('cancel', 'Cancel a queued job, or stop a running one', cancelJob)

  app.post(
    '/jobs/:id/resume',
    {
      config: { scope: 'control' },
      schema: {
        tags,
        summary: 'Resume a paused job',
        params: IdParams,
        response: {
          200: answer(
            {
              success,
              data: JobDetail,
              queued: Type.Unsafe<true>({
                type: 'boolean',
                enum: [true],
                description: 'The command went to the printer',
              }),
            },
            { description: 'The resumed job' },
          ),
          ...failures(...commandFailures),
        },
      },
    },
    (request: FastifyRequest<{ Params: { id: string } }>, reply: FastifyReply) =>
      answerOnceOutside(context, request, reply, 200, async () => ({
        ...ok(present((await resumeJob(context, request.actor, request.params.id)).job)),
        queued: true as const,
      })),
  )
}
