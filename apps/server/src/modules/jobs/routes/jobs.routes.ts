import type { FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import type { Context } from '../../../context/context.ts'
import { beginIfMatch } from '../../../http/conditional.ts'
import { readPage } from '../../../http/cursor.ts'
import { answerOnce, answerOnceAround, answerOnceOutside } from '../../../http/idempotency.ts'
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
} from '../../../http/schema.ts'
import type { App } from '../../../http/types.ts'
import type { Actor } from '../../../kernel/actor.ts'
import type { ErrorCode } from '../../../kernel/errors.ts'
import { PendingCommand } from '../../printers/control/pending-command.ts'
import { countJobStats, type JobDetailRow, listHistory, listJobs } from '../jobs.queries.ts'
import {
  AssignBody,
  BulkBody,
  BulkJobs,
  ChangeJobBody,
  DeletedJob,
  EnqueueBody,
  HistoryQuery,
  Job,
  JobDetail,
  JobListQuery,
  JobStats,
  presentBulk,
  presentJob,
  presentJobDetail,
  presentStats,
  ResolveBody,
  StartBody,
  StatsQuery,
  StopBody,
} from '../jobs.schema.ts'
import { enqueueJob, getJob } from '../jobs.service.ts'
import { cancelJob } from '../life/cancel-job.ts'
import { type CommandedRow, pauseJob, resumeJob, stopJob } from '../life/running-job.ts'
import { completeJob, resolveJob } from '../life/settle-by-person.ts'
import { startJob } from '../life/start-job.ts'
import { enqueueJobs } from '../queue/bulk-enqueue.ts'
import { changeJob } from '../queue/change-job.ts'
import { lockJobToChange } from '../queue/queue-place.queries.ts'
import { assignJob, deleteJob, retryJob } from '../queue/queued-job.ts'

const tags = ['Jobs']

/** Days of ended jobs that are counted when nobody says how many. */
const statsDays = 30

const commandFailures: ErrorCode[] = [
  ...postFailures,
  'NOT_FOUND',
  'JOB_STATE_CHANGED',
  'NO_PRINTER_ASSIGNED',
  'NO_HUB_ASSIGNED',
  'HUB_OFFLINE',
  'HUB_COMMAND_FAILED',
]

/** Nothing happened before, and far enough back dates have no name that the database knows. */
const firstMs = Date.UTC(2000, 0)

function daysBefore(moment: Date, days: number): Date {
  return new Date(Math.max(moment.getTime() - days * 86_400_000, Math.min(firstMs, moment.getTime())))
}

/** The answer to a command on a job. */
const commandedJob = {
  success,
  data: JobDetail,
  pending: PendingCommand,
}

export function jobRoutes(app: App, context: Context): void {
  const live = (job: { printer_id: string | null }) =>
    job.printer_id ? context.hubs.findLive(job.printer_id) : undefined
  const present = (job: JobDetailRow) => presentJobDetail(job, live(job))
  const presentCommanded = (job: CommandedRow) => ({
    ...ok(present(job)),
    ...(job.pending !== undefined && { pending: job.pending }),
  })

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
      const { rows, meta } = await readPage(context, request, (filter) =>
        listJobs(context.db.sql, request.actor.accountId, filter, context.clock.now()),
      )
      return page(
        rows.map((job) => presentJob(job, live(job))),
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

  app.post(
    '/jobs/bulk',
    {
      config: { scope: 'write' },
      schema: {
        tags,
        summary: 'Queue up to 100 print jobs',
        description:
          'Answers 200 with a result for each job, also when some or all of them were refused. The jobs that were not refused are queued together.',
        body: BulkBody,
        response: { 200: envelope(BulkJobs), ...failures(...postFailures) },
      },
    },
    (request, reply) =>
      answerOnce(context, request, reply, 200, async (sql) =>
        ok(presentBulk(await enqueueJobs(context, sql, request.actor, request.body.jobs))),
      ),
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
      return ok(presentStats(await countJobStats(context.db.reports, actor.accountId, { from, to })))
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
    async (request, reply) => {
      const { actor, params, body } = request
      const begin = beginIfMatch(context, request, reply, async (sql) => {
        await lockJobToChange(sql, actor.accountId, params.id)
        return present(await getJob(sql, actor.accountId, params.id))
      })
      return ok(present(await changeJob(context, actor, params.id, body, begin)))
    },
  )

  app.delete(
    '/jobs/:id',
    {
      config: { scope: 'write' },
      schema: {
        tags,
        summary: 'Delete a job that is over, or that was never tried',
        description:
          'Its tries and failures go with it; what it added to the stock stays. A job that was begun is cancelled first.',
        params: IdParams,
        response: { 200: envelope(DeletedJob), ...failures('NOT_FOUND', 'RESOURCE_IN_USE') },
      },
    },
    async ({ actor, params }) => {
      await context.db.begin((sql) => deleteJob(sql, actor, params.id))
      return ok({ id: params.id, deleted: true })
    },
  )

  app.post(
    '/jobs/:id/assign',
    {
      config: { scope: 'write' },
      schema: {
        tags,
        summary: 'Give a queued job to a printer, or to none',
        params: IdParams,
        body: AssignBody,
        response: {
          200: envelope(JobDetail),
          ...failures(...postFailures, 'NOT_FOUND', 'JOB_STATE_CHANGED', 'PRINTER_NOT_FOUND', 'PRINTER_MODEL_MISMATCH'),
        },
      },
    },
    (request, reply) =>
      answerOnce(context, request, reply, 200, async (sql) =>
        ok(present(await assignJob(context, sql, request.actor, request.params.id, request.body.printer_id))),
      ),
  )

  app.post(
    '/jobs/:id/retry',
    {
      config: { scope: 'write' },
      schema: {
        tags,
        summary: 'Queue a failed job again',
        description:
          'Plates that were printed well stay done and count for its progress; its times begin anew. Its tries stay on record.',
        params: IdParams,
        response: { 200: envelope(JobDetail), ...failures(...postFailures, 'NOT_FOUND', 'JOB_STATE_CHANGED') },
      },
    },
    (request, reply) =>
      answerOnce(context, request, reply, 200, async (sql) =>
        ok(present(await retryJob(context, sql, request.actor, request.params.id))),
      ),
  )

  app.post(
    '/jobs/:id/complete',
    {
      config: { scope: 'write' },
      schema: {
        tags,
        summary: 'Say that a job is done although the service did not see it',
        description:
          'For a queued job that was printed by hand, a failed one that is good after all, and one whose plate is out of sight: its fate is unknown, or its printer or hub is out of reach. All units that were not rejected are credited. The plate of a printer that printed it out of sight is occupied; no other plate changes.',
        params: IdParams,
        response: { 200: envelope(JobDetail), ...failures(...postFailures, 'NOT_FOUND', 'JOB_STATE_CHANGED') },
      },
    },
    (request, reply) =>
      answerOnceAround(
        context,
        request,
        reply,
        200,
        (begin) => completeJob(context, begin, request.actor, request.params.id),
        async (sql) => ok(present(await getJob(sql, request.actor.accountId, request.params.id))),
      ),
  )

  app.post(
    '/jobs/:id/resolve',
    {
      config: { scope: 'write' },
      schema: {
        tags,
        summary: 'Say what became of a plate that the service cannot see',
        description:
          'Answers the task to look at the printer. Possible while its fate is unknown, or its printer or hub is out of reach; `not_started` only of a start whose fate is unknown. Nothing starts on the plate before it is cleared, here with `plate_is_clear` or later.',
        params: IdParams,
        body: ResolveBody,
        response: {
          200: envelope(JobDetail),
          ...failures(...postFailures, 'NOT_FOUND', 'JOB_STATE_CHANGED', 'INVALID_STATE'),
        },
      },
    },
    (request, reply) =>
      answerOnceAround(
        context,
        request,
        reply,
        200,
        (begin) => resolveJob(context, begin, request.actor, request.params.id, request.body),
        async (sql) => ok(present(await getJob(sql, request.actor.accountId, request.params.id))),
      ),
  )

  /** One physical command on a job: answered when the printer has shown its effect, or not at all. */
  function command(
    name: string,
    summary: string,
    run: (context: Context, actor: Actor, jobId: string) => Promise<CommandedRow>,
    codes: ErrorCode[] = [],
    description?: string,
  ): void {
    app.post(
      `/jobs/:id/${name}`,
      {
        config: { scope: 'control' },
        schema: {
          tags,
          summary,
          ...(description !== undefined && { description }),
          params: IdParams,
          response: {
            200: answer(commandedJob, { description: 'The job after the command' }),
            ...failures(...commandFailures, ...codes),
          },
        },
      },
      (request, reply) =>
        answerOnceOutside(context, request, reply, 200, async () =>
          presentCommanded(await run(context, request.actor, request.params.id)),
        ),
    )
  }

  app.post(
    '/jobs/:id/start',
    {
      config: { scope: 'control' },
      schema: {
        tags,
        summary: 'Send the next plate of a queued job to its printer',
        description:
          'The rules that bind anybody must hold, as `GET /jobs/{id}/explain` tells them. Where what is loaded, the nozzle or the build plate is known to be another than the job needs, the answer is `JOB_DOES_NOT_FIT`: send `set_aside` to print there all the same.',
        params: IdParams,
        body: StartBody,
        response: {
          200: answer(commandedJob, { description: 'The job after the command' }),
          ...failures(...commandFailures, 'PRINTER_UNAVAILABLE', 'PRINTER_MODEL_MISMATCH', 'JOB_DOES_NOT_FIT'),
        },
      },
    },
    (request, reply) =>
      answerOnceOutside(context, request, reply, 200, async () => {
        const setAside = request.body.set_aside
        return presentCommanded(await startJob(context, request.actor, request.params.id, { setAside }))
      }),
  )
  command('pause', 'Pause a printing job', async (...args) => (await pauseJob(...args)).job)

  /** A command that a person who looked can also carry out alone; its body may be left out. */
  function ending(
    name: 'stop' | 'cancel',
    summary: string,
    description: string,
    run: (context: Context, actor: Actor, jobId: string, words: { seenOver: boolean }) => Promise<CommandedRow>,
  ): void {
    app.post(
      `/jobs/:id/${name}`,
      {
        config: { scope: 'control' },
        schema: {
          tags,
          summary,
          description,
          params: IdParams,
          body: StopBody,
          response: {
            200: answer(commandedJob, { description: 'The job after the command' }),
            ...failures(...commandFailures, 'PRINTER_OUT_OF_REACH'),
          },
        },
      },
      (request, reply) =>
        answerOnceOutside(context, request, reply, 200, async () => {
          const seenOver = request.body.seen_over === true
          return presentCommanded(await run(context, request.actor, request.params.id, { seenOver }))
        }),
    )
  }

  ending(
    'stop',
    'Stop a job that a printer works on',
    'A printer that does not answer its hub cannot be stopped: go and look, then send `seen_over`. Its plate is occupied then.',
    async (...args) => (await stopJob(...args)).job,
  )
  ending(
    'cancel',
    'Cancel a queued job, or stop a running one',
    'A job whose hub is away while it is on its way to the printer answers `processing`: the cancel is kept, and is the first that the hub is told when it returns. A job that answers `cancelled` never starts again. Of a printer that does not answer: see `stop`.',
    cancelJob,
  )

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
              ...commandedJob,
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
        ...presentCommanded((await resumeJob(context, request.actor, request.params.id)).job),
        queued: true as const,
      })),
  )
}
