import type { Context } from '../../../context/context.ts'
import { beginIfMatch } from '../../../http/conditional.ts'
import { answerOnce, answerOnceClosed } from '../../../http/idempotency.ts'
import { bodyFailures, envelope, failures, idParams, ok, postFailures } from '../../../http/schema.ts'
import type { App } from '../../../http/types.ts'
import { workOf } from '../../events/work.ts'
import { removeUnreferenced } from '../../files/content-references.ts'
import type { JobDetailRow } from '../jobs.queries.ts'
import {
  AssignBody,
  BulkBody,
  BulkJobs,
  ChangeJobBody,
  DeletedJob,
  EnqueueBody,
  enqueueFailures,
  JobDetail,
  presentBulk,
} from '../jobs.schema.ts'
import { enqueueJob, getJob } from '../jobs.service.ts'
import { enqueueJobs } from '../queue/bulk-enqueue.ts'
import { changeJob } from '../queue/change-job.ts'
import { lockJobToChange } from '../queue/queue-place.queries.ts'
import { assignJob, deleteJob, restoreJob, retryJob } from '../queue/queued-job.ts'
import { presentNow, tags } from './job-answers.ts'

/** Puts jobs into the queue, and changes those that stand there. */
export function queueJobRoutes(app: App, context: Context): void {
  const present = (job: JobDetailRow) => presentNow(context, job)

  app.post(
    '/jobs',
    {
      config: { scope: 'write' },
      schema: {
        tags,
        summary: 'Queue a print job',
        description:
          'Fields that are left out are taken from the SKU and the print file. The job waits until a printer that fits is free, or the printer that is named. With a SKU alone it is printed by whichever of its recipes fits the printer that takes it.',
        body: EnqueueBody,
        response: {
          201: envelope(JobDetail),
          ...failures(...enqueueFailures),
        },
      },
    },
    (request, reply) =>
      answerOnceClosed(context, request, reply, 201, async (sql, closing) =>
        ok(present(await enqueueJob(context, workOf(context, request.actor, sql), request.body, closing))),
      ),
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
        ok(presentBulk(await enqueueJobs(context, workOf(context, request.actor, sql), request.body.jobs))),
      ),
  )

  app.patch(
    '/jobs/:id',
    {
      config: { scope: 'write' },
      schema: {
        tags,
        summary: 'Change a queued job, or its place in the queue',
        description:
          'Only while it is queued. Fields that are left out stay as they are; a printer of another model is refused.',
        params: idParams('job'),
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
          'Its attempts and failures are deleted with it; the units that it added to the stock stay. A job that was started is cancelled first.',
        params: idParams('job'),
        response: { 200: envelope(DeletedJob), ...failures('NOT_FOUND', 'RESOURCE_IN_USE') },
      },
    },
    async ({ actor, params }) => {
      const contents = await context.db.beginFor(actor.accountId, (sql) =>
        deleteJob(workOf(context, actor, sql), params.id),
      )
      await removeUnreferenced(context, contents)
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
        description: 'Only while it is queued. Nothing is sent to the printer before the job starts.',
        params: idParams('job'),
        body: AssignBody,
        response: {
          200: envelope(JobDetail),
          ...failures(...postFailures, 'NOT_FOUND', 'JOB_STATE_CHANGED', 'PRINTER_NOT_FOUND', 'PRINTER_MODEL_MISMATCH'),
        },
      },
    },
    (request, reply) =>
      answerOnce(context, request, reply, 200, async (sql) =>
        ok(present(await assignJob(workOf(context, request.actor, sql), request.params.id, request.body.printer_id))),
      ),
  )

  app.post(
    '/jobs/:id/restore',
    {
      config: { scope: 'control' },
      schema: {
        tags,
        summary: 'Return a cancelled job to its place in the queue',
        description:
          'Takes a cancel back: priority, due date, position and printer are as before. Plates that were printed well stay done; one that was stopped is printed again.',
        params: idParams('job'),
        response: {
          200: envelope(JobDetail),
          ...failures(...postFailures, 'NOT_FOUND', 'JOB_STATE_CHANGED', 'QUOTA_EXCEEDED'),
        },
      },
    },
    (request, reply) =>
      answerOnce(context, request, reply, 200, async (sql) =>
        ok(present(await restoreJob(context, workOf(context, request.actor, sql), request.params.id))),
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
          'Plates that were printed well stay done and count for its progress; its times start over. Its tries stay on record.',
        params: idParams('job'),
        response: {
          200: envelope(JobDetail),
          ...failures(...postFailures, 'NOT_FOUND', 'JOB_STATE_CHANGED', 'QUOTA_EXCEEDED'),
        },
      },
    },
    (request, reply) =>
      answerOnce(context, request, reply, 200, async (sql) =>
        ok(present(await retryJob(context, workOf(context, request.actor, sql), request.params.id))),
      ),
  )
}
