import type { Context } from '../../../context/context.ts'
import { beginIfMatch } from '../../../http/conditional.ts'
import { answerOnceAround } from '../../../http/idempotency.ts'
import { bodyFailures, envelope, failures, idParams, ok, postFailures } from '../../../http/schema.ts'
import type { App } from '../../../http/types.ts'
import { workOf } from '../../events/work.ts'
import type { JobDetailRow } from '../jobs.queries.ts'
import { CompleteBody, JobDetail, ProductBody, ResolveBody } from '../jobs.schema.ts'
import { getJob } from '../jobs.service.ts'
import { completeJob, resolveJob } from '../life/settle-by-person.ts'
import { nameProduct } from '../product/name-product.ts'
import { lockJobToChange } from '../queue/queue-place.queries.ts'
import { presentNow, tags } from './job-answers.ts'

/** Lets people say what became of a job. */
export function settleJobRoutes(app: App, context: Context): void {
  const present = (job: JobDetailRow) => presentNow(context, job)

  app.post(
    '/jobs/:id/complete',
    {
      config: { scope: 'write' },
      schema: {
        tags,
        summary: 'Mark a job as completed although the service did not see it',
        description:
          'For a queued job that was printed by hand, a failed one that is good after all, and one whose plate is out of sight: its fate is unknown, or its printer or hub is out of reach. All units that were not rejected are credited. The plate of a printer that printed it out of sight is occupied; no other plate changes.',
        params: idParams('job'),
        body: CompleteBody,
        response: { 200: envelope(JobDetail), ...failures(...postFailures, 'NOT_FOUND', 'JOB_STATE_CHANGED') },
      },
    },
    (request, reply) =>
      answerOnceAround(
        context,
        request,
        reply,
        200,
        (begin) => completeJob(context, request.actor, request.params.id, request.body, begin),
        async (sql) => ok(present(await getJob(sql, request.actor.accountId, request.params.id))),
      ),
  )

  app.post(
    '/jobs/:id/resolve',
    {
      config: { scope: 'write' },
      schema: {
        tags,
        summary: 'Report the outcome of a plate that the service cannot see',
        description:
          'Completes the task to look at the printer. Possible while its fate is unknown, or its printer or hub is out of reach; `not_started` only of a start whose fate is unknown. Nothing starts on the plate before it is cleared, here with `plate_is_clear` or later.',
        params: idParams('job'),
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
        (begin) => resolveJob(context, request.actor, request.params.id, request.body, begin),
        async (sql) => ok(present(await getJob(sql, request.actor.accountId, request.params.id))),
      ),
  )

  app.put(
    '/jobs/:id/product',
    {
      config: { scope: 'write' },
      schema: {
        tags,
        summary: 'Set the SKU of a job that names none',
        description:
          'Completes the task that asks for it, such as for a job that a slicer sent; null: it makes no product. A recipe of its file for this SKU determines the yield of a plate. The units of a completed job go into stock now.',
        params: idParams('job'),
        body: ProductBody,
        response: {
          200: envelope(JobDetail),
          ...failures('NOT_FOUND', 'SKU_NOT_FOUND', 'ALREADY_EXISTS', ...bodyFailures),
        },
      },
    },
    async (request, reply) => {
      const { actor, params, body } = request
      const begin = beginIfMatch(context, request, reply, async (sql) => {
        await lockJobToChange(sql, actor.accountId, params.id)
        return present(await getJob(sql, actor.accountId, params.id))
      })
      return ok(
        await begin(async (sql) => {
          await nameProduct(workOf(context, actor, sql), params.id, body.product_sku_id)
          return present(await getJob(sql, actor.accountId, params.id))
        }),
      )
    },
  )
}
