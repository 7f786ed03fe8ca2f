import type { Context } from '../../context/context.ts'
import { beginIfMatch } from '../../http/conditional.ts'
import { readPage } from '../../http/cursor.ts'
import { answerOnce } from '../../http/idempotency.ts'
import {
  bodyFailures,
  envelope,
  failures,
  idParams,
  ok,
  page,
  pageEnvelope,
  pageQuery,
  request,
} from '../../http/schema.ts'
import type { App } from '../../http/types.ts'
import { workOf } from '../events/work.ts'
import { EnqueueBody, enqueueFailures } from '../jobs/jobs.schema.ts'
import { explainJob } from './explain-job.ts'
import { foreseeFinishes } from './foresee-finishes.ts'
import { JobPreviewAnswer, presentPreview } from './preview-job.schema.ts'
import { previewJob } from './preview-job.ts'
import { listQueueOfPrinter, pageOfQueue } from './printer-queue.ts'
import { countQueue } from './queue-counts.queries.ts'
import {
  JobExplanationAnswer,
  presentExplanation,
  presentQueuedJob,
  presentQueueEntry,
  QueueCounts,
  QueueCountsQuery,
  QueuedJob,
  QueueEntry,
  QueueQuery,
} from './scheduler.schema.ts'
import { lockSettings } from './settings.queries.ts'
import { ChangeSettingsBody, presentSettings, SchedulerSettings } from './settings.schema.ts'
import { changeSettings, getSettings } from './settings.service.ts'
import { listRunning, listWaiting } from './waiting-jobs.queries.ts'
import { explainWaiting } from './waiting-jobs.ts'

const ExplainQuery = request({
  limit: {
    ...pageQuery.limit,
    default: 20,
    description: 'Most printers to answer, those nearest to starting it first',
  },
})

export function schedulerRoutes(routes: App, context: Context): void {
  routes.get(
    '/jobs/:id/explain',
    {
      config: { scope: 'read' },
      schema: {
        tags: ['Jobs'],
        summary: 'Explain why a job waits',
        description: 'The rules that hold and fail on each printer, and the earliest start that can be foreseen.',
        params: idParams('job'),
        querystring: ExplainQuery,
        response: { 200: envelope(JobExplanationAnswer), ...failures('NOT_FOUND') },
      },
    },
    async ({ actor, params, query }) =>
      ok(presentExplanation(await explainJob(context, actor.accountId, params.id), query.limit)),
  )

  routes.post(
    '/jobs/preview',
    {
      config: { scope: 'write' },
      schema: {
        tags: ['Jobs'],
        summary: 'Preview how a print job would be scheduled if it were queued now',
        description:
          'Accepts and refuses the same requests as `POST /jobs`, but queues nothing: the answer tells which printers fit, which is free, and when the job would be done.',
        body: EnqueueBody,
        response: {
          200: envelope(JobPreviewAnswer),
          ...failures(...enqueueFailures),
        },
      },
    },
    (request, reply) =>
      answerOnce(context, request, reply, 200, async (sql) =>
        ok(presentPreview(await previewJob(context, workOf(context, request.actor, sql), request.body))),
      ),
  )

  routes.get(
    '/jobs/queue',
    {
      config: { scope: 'read' },
      schema: {
        tags: ['Jobs'],
        summary: 'List the queue in its order, with the reason why each job waits',
        description:
          '`part` chooses between the jobs that wait, in the order in which they would start, and those that hold a printer.',
        querystring: QueueQuery,
        response: { 200: pageEnvelope(QueuedJob), ...failures() },
      },
    },
    async (request) => {
      const { accountId } = request.actor
      const { rows, meta } = await readPage(context, request, ({ part, ...filter }) =>
        part === 'running'
          ? listRunning(context.db.sql, accountId, filter)
          : listWaiting(context.db.sql, accountId, filter),
      )
      const waiting = await explainWaiting(
        context,
        accountId,
        rows.filter(({ status }) => status === 'queued'),
      )
      const finishes = await foreseeFinishes(context, accountId, rows)
      return page(
        rows.map((job) =>
          presentQueuedJob(
            job,
            waiting.get(job.id),
            finishes.get(job.id) ?? null,
            job.printer_id === null
              ? undefined
              : (context.printers.findPast(job.printer_id) ?? context.printers.find(job.printer_id)),
          ),
        ),
        meta,
      )
    },
  )

  routes.get(
    '/jobs/queue/counts',
    {
      config: { scope: 'read', tagged: true },
      schema: {
        tags: ['Jobs'],
        summary: 'Count the jobs that wait and those on printers',
        description:
          'Counts at this moment, with the filters of the queue, and all filaments that jobs want which are not over.',
        querystring: QueueCountsQuery,
        response: { 200: envelope(QueueCounts), ...failures() },
      },
    },
    async ({ actor, query }) => ok(await countQueue(context.db.sql, actor.accountId, query)),
  )

  routes.get(
    '/printers/:id/queue',
    {
      config: { scope: 'read' },
      schema: {
        tags: ['Printers'],
        summary: 'List the jobs that would print on a printer, in their order',
        description: 'Reads the first 1,000 jobs in the queue that this printer could take.',
        params: idParams('printer'),
        querystring: request(pageQuery),
        response: { 200: pageEnvelope(QueueEntry), ...failures('NOT_FOUND') },
      },
    },
    async (request) => {
      const { actor, params } = request
      const queue = await listQueueOfPrinter(context, actor.accountId, params.id)
      const { rows, meta } = await readPage(context, request, async (bounds) => pageOfQueue(queue, bounds))
      return page(
        rows.map(({ entry }) => presentQueueEntry(params.id, entry)),
        meta,
      )
    },
  )

  routes.get(
    '/scheduler/settings',
    {
      config: { scope: 'read', tagged: true },
      schema: {
        tags: ['Jobs'],
        summary: 'Get the settings of the scheduler',
        description:
          'Settings of the whole account. Whether a printer takes part is a setting of the printer: `auto_start`.',
        response: { 200: envelope(SchedulerSettings), ...failures('NOT_FOUND') },
      },
    },
    async ({ actor }) => ok(presentSettings(await getSettings(context.db.sql, actor.accountId))),
  )

  routes.patch(
    '/scheduler/settings',
    {
      config: { scope: 'write' },
      schema: {
        tags: ['Jobs'],
        summary: 'Change the settings of the scheduler',
        description:
          'Fields that are left out stay as they are. Counts from the next decision on; prints that run are not touched.',
        body: ChangeSettingsBody,
        response: { 200: envelope(SchedulerSettings), ...failures('NOT_FOUND', ...bodyFailures) },
      },
    },
    async (request, reply) => {
      const { actor, body } = request
      const begin = beginIfMatch(context, request, reply, async (sql) => {
        await lockSettings(sql, actor.accountId)
        return presentSettings(await getSettings(sql, actor.accountId))
      })
      return ok(presentSettings(await changeSettings(context, actor, body, begin)))
    },
  )
}
