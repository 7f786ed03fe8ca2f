import type { Static } from 'typebox'
import type { Context } from '../../../context/context.ts'
import { readPage } from '../../../http/cursor.ts'
import { failures, page, pageEnvelope } from '../../../http/schema.ts'
import type { App } from '../../../http/types.ts'
import type { AccountId } from '../../../kernel/ids.ts'
import { findOwnLive, findOwnPast } from '../../../live/own-printer.ts'
import type { PastPrinter } from '../../../live/printers.ts'
import { presentHealth } from '../../health/health.schema.ts'
import { rememberFleets } from '../fleet-memory.ts'
import { statusNow } from '../live-printer.ts'
import { listPrinters, mapPrintNames, type PrinterRow } from '../printers.queries.ts'
import { type LastKnown, LivePrinter, LivePrintersQuery } from './live-printers.schema.ts'
import { loadedFilament } from './printer-status.ts'

/** Routes for what all printers do at this moment: for grids and wall displays, which go on from here by the stream of events. */
export function livePrinterRoutes(app: App, context: Context): void {
  const fleet = context.memory.hold(rememberFleets, context)
  app.get(
    '/printers/live',
    {
      config: { scope: 'read' },
      schema: {
        tags: ['Printers'],
        summary: 'List the current status of all printers, by name',
        description:
          'The live fields of each come from the reports of its hub. The `live` frames of `/events/stream` hold the same fields as they change.',
        querystring: LivePrintersQuery,
        response: { 200: pageEnvelope(LivePrinter), ...failures() },
      },
    },
    async (request) => {
      const { accountId } = request.actor
      const { rows, meta } = await fleet.findPage(request.actor, request.routeOptions.url ?? '', request.query, () =>
        readPage(context, request, (bounds) => listPrinters(context.db.sql, accountId, bounds)),
      )
      const attempts = rows.flatMap((row) => {
        const known = findOwnLive(context, accountId, row).live ?? findOwnPast(context, accountId, row)
        return known?.state.run?.attempt_id ?? []
      })
      const names = await mapPrintNames(context.db.sql, accountId, attempts)
      return page(
        rows.map((row) => presentLivePrinter(context, accountId, row, names)),
        meta,
      )
    },
  )
}

function presentLivePrinter(
  context: Pick<Context, 'hubs' | 'printers'>,
  accountId: AccountId,
  row: PrinterRow,
  printNames: ReadonlyMap<string, string>,
): Static<typeof LivePrinter> {
  const { hubOnline, live } = findOwnLive(context, accountId, row)
  const state = live?.state
  const run = state?.run ?? null
  return {
    id: row.id,
    name: row.name,
    model: row.model,
    location: row.location,
    hub_id: row.hub_id,
    hub_online: hubOnline,
    is_active: row.is_active,
    in_maintenance: row.in_maintenance,
    status: statusNow(context, accountId, row),
    status_reason: state?.status_reason ?? null,
    health_problem: presentHealth(row.health)[0]?.message ?? null,
    plate_state: row.plate_state,
    progress: state?.progress ?? null,
    remaining_time_minutes: state?.remaining_time_minutes ?? null,
    layer_num: state?.layer_num ?? null,
    total_layers: state?.total_layers ?? null,
    nozzle_temp: state?.nozzle_temp ?? null,
    bed_temp: state?.bed_temp ?? null,
    chamber_temp: state?.chamber_temp ?? null,
    target_nozzle_temp: state?.target_nozzle_temp ?? null,
    target_bed_temp: state?.target_bed_temp ?? null,
    light_on: state?.light_on ?? null,
    last_known: presentLastKnown(findOwnPast(context, accountId, row), printNames),
    file_name: nameOf(run, printNames),
    is_foreign: run !== null && run.attempt_id === null,
    ...loadedFilament(row, state?.filament_type ?? null, state?.filament_color_hex ?? null),
    loaded_filament_grams: row.loaded_filament_grams,
  }
}

/** By the name that people gave its file, else by the one on the printer. */
function nameOf(run: PastPrinter['state']['run'], printNames: ReadonlyMap<string, string>): string | null {
  return printNames.get(run?.attempt_id ?? '') ?? run?.file_name ?? null
}

function presentLastKnown(
  past: PastPrinter | undefined,
  printNames: ReadonlyMap<string, string>,
): Static<typeof LastKnown> | null {
  if (!past) return null
  const { status, progress, remaining_time_minutes, run } = past.state
  const reported_at = past.reportedAt.toISOString()
  return { status, progress, remaining_time_minutes, file_name: nameOf(run, printNames), reported_at }
}
