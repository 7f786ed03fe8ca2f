import type { Context } from '../../../context/context.ts'
import type { Sql } from '../../../db/database.ts'
import { beginIfMatch } from '../../../http/conditional.ts'
import { readPage } from '../../../http/cursor.ts'
import { answerOnce } from '../../../http/idempotency.ts'
import { bodyFailures, envelope, failures, idParams, ok, pageEnvelope, postFailures } from '../../../http/schema.ts'
import type { App } from '../../../http/types.ts'
import { sendJson, writePage } from '../../../http/written-answers.ts'
import { notFound } from '../../../kernel/errors.ts'
import type { AccountId, PrinterId } from '../../../kernel/ids.ts'
import { findOwnLive } from '../../../live/own-printer.ts'
import { workOf } from '../../events/work.ts'
import { requireRoom } from '../../quotas/quotas.service.ts'
import { rememberFleets } from '../fleet-memory.ts'
import { getPrinter } from '../get-printer.ts'
import { rememberLastTelemetry } from '../last-telemetry.ts'
import { statusNow } from '../live-printer.ts'
import { listPrinters, lockPrinter, type PrinterRow } from '../printers.queries.ts'
import { sendPrinterSettings } from '../send-settings.ts'
import { findStatusParts, StatusTexts } from './printer-status.ts'
import {
  ChangePrinterBody,
  CreatePrinterBody,
  DeletedPrinter,
  DeletePrinterQuery,
  ListPrintersQuery,
  LivePrinterStatus,
  MaintenanceBody,
  Printer,
  PrinterDetail,
  presentPrinter,
  presentPrinterDetail,
} from './printers.schema.ts'
import { addPrinter, changePrinter, deletePrinter, listPrintersOfStatus, setMaintenance } from './printers.service.ts'

const tags = ['Printers']

export function printerRoutes(routes: App, context: Context): void {
  const fleet = context.memory.hold(rememberFleets, context)
  const lastTelemetry = rememberLastTelemetry(context.printers)
  const statusTexts = new StatusTexts()

  function detailNow(accountId: AccountId, row: PrinterRow) {
    const { live } = findOwnLive(context, accountId, row)
    return presentPrinterDetail(row, statusNow(context, accountId, row), live?.state)
  }

  async function lockedDetail(sql: Sql, accountId: AccountId, printerId: PrinterId) {
    await lockPrinter(sql, accountId, printerId)
    return detailNow(accountId, await getPrinter(sql, accountId, printerId))
  }

  routes.post(
    '/printers',
    {
      config: { scope: 'write' },
      schema: {
        tags,
        summary: 'Add a printer',
        description:
          'Its plate is `unknown` until it is cleared: nothing starts on it before. docs/hub has a page for each connection type with its fields and what to switch on at the printer.',
        body: CreatePrinterBody,
        response: {
          201: envelope(PrinterDetail),
          ...failures('HUB_NOT_FOUND', 'DUPLICATE_NAME', 'QUOTA_EXCEEDED', ...postFailures),
        },
      },
    },
    async (request, reply) => {
      const { actor, body } = request
      await answerOnce(context, request, reply, 201, async (sql) => {
        await requireRoom(context, sql, actor.accountId, 'printers')
        return ok(detailNow(actor.accountId, await addPrinter(context, workOf(context, actor, sql), body)))
      })
      if (body.hub_id) await sendPrinterSettings(context, actor.accountId, body.hub_id)
      return reply
    },
  )

  routes.get(
    '/printers',
    {
      config: { scope: 'read' },
      schema: {
        tags,
        summary: 'List printers by name',
        description: 'Each with its current status, as its hub reports it. Filters by status look at the same.',
        querystring: ListPrintersQuery,
        response: { 200: pageEnvelope(Printer), ...failures() },
      },
    },
    async (request, reply) => {
      const { accountId } = request.actor
      const { status } = request.query
      const found =
        status === undefined
          ? await fleet.findPage(request.actor, request.routeOptions.url ?? '', request.query, () =>
              readPage(context, request, (filter) => listPrinters(context.db.sql, accountId, filter)),
            )
          : await readPage(context, request, (filter) => listPrintersOfStatus(context, accountId, status, filter))
      const body = fleet.bodyOf(
        found,
        context.printers.statusMark(accountId),
        // The status that let a printer through stands, even if a report has changed it meanwhile.
        (row) => status ?? statusNow(context, accountId, row),
        (shown) =>
          writePage(
            reply,
            shown.map((printer) => presentPrinter(printer.row, printer.status)),
            found.meta,
          ),
      )
      return sendJson(reply, body)
    },
  )

  routes.get(
    '/printers/:id',
    {
      config: { scope: 'read' },
      schema: {
        tags,
        summary: 'Get a printer',
        description:
          'With its plate, its health and the slots that it reports now. Credentials of its connection are never answered.',
        params: idParams('printer'),
        response: { 200: envelope(PrinterDetail), ...failures('NOT_FOUND') },
      },
    },
    async ({ actor, params }) => {
      const row = await fleet.findPrinter(actor, params.id)
      if (!row) throw notFound('printer')
      return ok(detailNow(actor.accountId, row))
    },
  )

  routes.patch(
    '/printers/:id',
    {
      config: { scope: 'write' },
      schema: {
        tags,
        summary: 'Change a printer',
        description:
          'A given `connection` replaces the stored one as a whole. While a print is under way the printer can neither ' +
          'change its hub nor be put out of use, unless it does not answer and a person looked: `seen_over`.',
        params: idParams('printer'),
        body: ChangePrinterBody,
        response: {
          200: envelope(PrinterDetail),
          ...failures(
            'NOT_FOUND',
            'HUB_NOT_FOUND',
            'DUPLICATE_NAME',
            'RESOURCE_IN_USE',
            'PRINTER_OUT_OF_REACH',
            ...bodyFailures,
          ),
        },
      },
    },
    async (request, reply) => {
      const { actor, params, body } = request
      const begin = beginIfMatch(context, request, reply, (sql) => lockedDetail(sql, actor.accountId, params.id))
      return ok(detailNow(actor.accountId, await changePrinter(context, actor, params.id, body, begin)))
    },
  )

  routes.delete(
    '/printers/:id',
    {
      config: { scope: 'write' },
      schema: {
        tags,
        summary: 'Delete a printer',
        description:
          'Only while no job, finished or not, names it. Else put it out of use with `is_active: false`. `seen_over` ends the print on a printer that does not answer. That print is history, so the printer itself stays: the answer is RESOURCE_IN_USE and says that the print is ended.',
        params: idParams('printer'),
        querystring: DeletePrinterQuery,
        response: {
          200: envelope(DeletedPrinter),
          ...failures('NOT_FOUND', 'RESOURCE_IN_USE', 'PRINTER_OUT_OF_REACH', 'VALIDATION_ERROR'),
        },
      },
    },
    async ({ actor, params, query }) => {
      await deletePrinter(context, actor, params.id, { seenOver: query.seen_over === true })
      lastTelemetry.forget(actor.accountId, params.id)
      return ok({ id: params.id, deleted: true })
    },
  )

  routes.put(
    '/printers/:id/maintenance',
    {
      config: { scope: 'write' },
      schema: {
        tags,
        summary: 'Take a printer out of service, or put it back',
        description: 'A print that is under way goes on; nothing new begins while in maintenance.',
        params: idParams('printer'),
        body: MaintenanceBody,
        response: {
          200: envelope(PrinterDetail),
          ...failures('NOT_FOUND', ...bodyFailures),
        },
      },
    },
    async (request, reply) => {
      const { actor, params, body } = request
      const begin = beginIfMatch(context, request, reply, (sql) => lockedDetail(sql, actor.accountId, params.id))
      return ok(
        detailNow(actor.accountId, await begin((sql) => setMaintenance(workOf(context, actor, sql), params.id, body))),
      )
    },
  )

  routes.get(
    '/printers/:id/status',
    {
      config: { scope: 'read' },
      schema: {
        tags,
        summary: 'Get the current status of a printer',
        description: 'Read from the reports of its hub, never from the database.',
        params: idParams('printer'),
        response: { 200: envelope(LivePrinterStatus), ...failures('NOT_FOUND') },
      },
    },
    async ({ actor, params }, reply) => {
      const parts = await findStatusParts(context, { fleet, lastTelemetry }, actor, params.id)
      return sendJson(
        reply,
        statusTexts.of(parts, (status) => reply.serializeInput(ok(status), '200') as string),
      )
    },
  )
}
