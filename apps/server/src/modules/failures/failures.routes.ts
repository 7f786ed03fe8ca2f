import type { Context } from '../../context/context.ts'
import { lockRow } from '../../db/lock-row.ts'
import { beginIfMatch } from '../../http/conditional.ts'
import { orCsv, sendCsv, wantsCsv } from '../../http/csv.ts'
import { contentPolicy } from '../../http/request/browser-headers.ts'
import { bodyFailures, envelope, failures, idParams, ok } from '../../http/schema.ts'
import type { App } from '../../http/types.ts'
import { notFound } from '../../kernel/errors.ts'
import { workOf } from '../events/work.ts'
import { bytes } from '../files/files.schema.ts'
import { findPicture } from './failure-pictures.queries.ts'
import {
  FailureAnalytics,
  FailureChangesBody,
  FailuresQuery,
  PictureQuery,
  PrintFailure,
  presentFailure,
} from './failures.schema.ts'
import { changeFailure, getFailure, readFailures } from './failures.service.ts'

const tags = ['Analytics']

export function failureRoutes(app: App, context: Context): void {
  const { db, clock } = context

  app.get(
    '/analytics/failures',
    {
      config: { scope: 'read' },
      schema: {
        tags,
        summary: 'Count prints that failed or were stopped',
        description: 'By the days of the account, at most 366 of them; without from and to the last 30.',
        querystring: FailuresQuery,
        response: { 200: orCsv(envelope(FailureAnalytics)), ...failures() },
      },
    },
    async (request, reply) => {
      const { by = 'day', format } = request.query
      const report = await readFailures(
        db.reportsFor(request.actor.accountId),
        request.actor.accountId,
        request.query,
        clock.now(),
      )
      if (!wantsCsv(request, format)) return ok(report)
      const name = `failures-by-${by}`
      if (by === 'type') return sendCsv(reply, name, ['type', 'count'], report.by_type)
      if (by === 'printer') return sendCsv(reply, name, ['printer_name', 'count'], report.by_printer)
      return sendCsv(reply, name, ['date', 'count'], report.daily_trend)
    },
  )

  app.get(
    '/analytics/failures/:id/picture',
    {
      config: { scope: 'read' },
      schema: {
        tags,
        summary: 'Get the camera picture of a print that failed or was stopped',
        description:
          'A JPEG as the camera gave it, or with `size=small` a WebP. 404 where no picture is kept: the printer has no camera, it showed nothing ' +
          'within two minutes, or the picture is older than they are kept.',
        params: idParams('printFailure'),
        querystring: PictureQuery,
        response: { 200: bytes(['image/jpeg', 'image/webp'], 'The picture'), ...failures('NOT_FOUND') },
      },
    },
    async ({ actor, params, query }, reply) => {
      const picture = await findPicture(db.sql, actor.accountId, params.id)
      if (!picture) throw notFound('picture')
      const isSmall = query.size === 'small'
      const { content, sizeBytes } = await context.files.read(isSmall ? picture.thumb_sha256 : picture.sha256)
      return reply
        .headers({
          'Content-Type': isSmall ? 'image/webp' : 'image/jpeg',
          'Content-Length': sizeBytes,
          'Cache-Control': 'private, max-age=300',
          'Content-Security-Policy': contentPolicy,
        })
        .send(content)
    },
  )

  app.patch(
    '/analytics/failures/:id',
    {
      config: { scope: 'write' },
      schema: {
        tags,
        summary: 'Classify the failure of a print, or mark it as dealt with',
        description:
          'Fields that are left out stay as they are. `reason` and `reason_code`, which the printer or the service gave, do not change.',
        params: idParams('printFailure'),
        body: FailureChangesBody,
        response: { 200: envelope(PrintFailure), ...failures('NOT_FOUND', ...bodyFailures) },
      },
    },
    async (request, reply) => {
      const { actor, params, body } = request
      const begin = beginIfMatch(context, request, reply, async (sql) => {
        await lockRow(sql, 'print_failures', actor.accountId, params.id)
        return presentFailure(await getFailure(sql, actor.accountId, params.id))
      })
      return ok(presentFailure(await begin((sql) => changeFailure(workOf(context, actor, sql), params.id, body))))
    },
  )
}
