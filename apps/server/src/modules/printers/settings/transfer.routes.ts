import Type from 'typebox'
import type { Context } from '../../../context/context.ts'
import { answer, envelope, failures, idParams, nullable, ok, resource } from '../../../http/schema.ts'
import type { App } from '../../../http/types.ts'
import { notFound } from '../../../kernel/errors.ts'
import { findOwnLive } from '../../../live/own-printer.ts'
import { findPrinterPlace } from '../printer-control.queries.ts'
import { findJobOfAttempt } from '../printers.queries.ts'

const PrinterTransfer = resource('PrinterTransfer', 'Progress of sending a print file to a printer', {
  printer_id: Type.String({ description: 'ID of the printer' }),
  hub_online: Type.Boolean({ description: 'Whether its hub is connected; without it, nothing is known' }),
  transfer: nullable(
    answer(
      {
        job_id: nullable(Type.String({ description: 'Job whose file it is; null when that job is gone' })),
        sent_bytes: Type.Integer({
          description: 'Bytes that the hub has handed to the printer',
          examples: [1_048_576],
        }),
        total_bytes: Type.Integer({ description: 'Size of the file in bytes', examples: [4_194_304] }),
      },
      { description: 'The file that is on its way from the hub to the printer; null when none is' },
    ),
  ),
})

export function transferRoutes(app: App, context: Context): void {
  app.get(
    '/printers/:id/transfer',
    {
      config: { scope: 'read' },
      schema: {
        tags: ['Printers'],
        summary: 'Get the progress of sending a print file to a printer',
        description: 'Read from the reports of its hub, about one a second, never from the database.',
        params: idParams('printer'),
        response: { 200: envelope(PrinterTransfer), ...failures('NOT_FOUND') },
      },
    },
    async ({ actor, params }) => {
      const printer = await findPrinterPlace(context.db.sql, actor.accountId, params.id)
      if (!printer) throw notFound('printer')
      const { hubOnline, live } = findOwnLive(context, actor.accountId, printer)
      const moving = live?.state.transfer
      const jobId = moving && (await findJobOfAttempt(context.db.sql, actor.accountId, params.id, moving.attempt_id))
      return ok({
        printer_id: params.id,
        hub_online: hubOnline,
        transfer: moving
          ? { job_id: jobId ?? null, sent_bytes: moving.sent_bytes, total_bytes: moving.total_bytes }
          : null,
      })
    },
  )
}
