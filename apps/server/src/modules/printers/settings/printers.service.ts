import type { PrinterStatus } from '@printyard/protocol/printer-state'
import type { Context } from '../../../context/context.ts'
import type { Database, Sql } from '../../../db/database.ts'
import { isForeignKeyViolation, isUniqueViolation } from '../../../db/database-errors.ts'
import type { PageRow } from '../../../db/page-bounds.ts'
import type { Actor } from '../../../kernel/actor.ts'
import { AppError, notFound, validationError } from '../../../kernel/errors.ts'
import { type AccountId, type HubId, newId, type PrinterId } from '../../../kernel/ids.ts'
import { requireMayHandOver } from '../../../kernel/policy.ts'
import { findLiveAttemptOfPrinter, lockLiveAttemptOfPrinter } from '../../attempts/attempts.queries.ts'
import { type Work, workOf } from '../../events/work.ts'
import { freeFromAttempt, releaseAttempt } from '../../jobs/life/seen-over.ts'
import { askForMaintenanceWhenDue, recordMaintained } from '../../jobs/plates/maintenance-due.ts'
import { connectionIdentity } from '../connection/connection-identity.ts'
import { connectionErrors } from '../connection/connection-settings.ts'
import { statusNow } from '../live-printer.ts'
import { ejectionErrors } from '../models/ejection-rules.ts'
import {
  countPrintersOfHub,
  deletePrinterRow,
  hasUnfinishedWork,
  insertPrinter,
  listPlaces,
  listPrintersById,
  lockPrinter,
  mostPrintersPerHub,
  type PrinterChange,
  type PrinterRow,
  updatePrinter,
} from '../printers.queries.ts'
import { sendPrinterSettings } from '../send-settings.ts'
import { withPinnedCertificate } from './pinned-certificate.ts'
import type { ChangePrinterBody, CreatePrinterBody, MaintenanceBody, PrintersFilter } from './printers.schema.ts'

/** The printers that have a status at this moment, for a page of them. What is live is in memory: rows are read for the page alone. */
export async function listPrintersOfStatus(
  context: Context,
  accountId: AccountId,
  status: PrinterStatus,
  wanted: PrintersFilter,
): Promise<PageRow<PrinterRow>[]> {
  const { limit, offset, ...filter } = wanted
  const { db } = context
  const places = await listPlaces(db.sql, accountId, filter)
  const ids = places.filter((place) => statusNow(context, accountId, place) === status).map((place) => place.id)
  const onPage = ids.slice(offset, offset + limit)
  if (onPage.length === 0) return []
  const rows = await listPrintersById(db.sql, accountId, onPage)
  // One was deleted meanwhile. A page with a gap would be taken for the last one.
  if (rows.length < onPage.length) return listPrintersOfStatus(context, accountId, status, wanted)
  return rows.map((row) => ({ ...row, page_key: row.name }))
}

/** Adds a printer; its plate is unknown until a person clears it. Call `sendPrinterSettings` after the commit. */
export async function addPrinter(
  context: Pick<Context, 'secrets'>,
  work: Work,
  body: CreatePrinterBody,
): Promise<PrinterRow> {
  const { connection = {}, hub_id = null } = body
  const errors = connectionErrors(body.connection_type, connection)
  if (errors) throw validationError(errors)
  if (hub_id !== null) await refuseFullHub(work.sql, work.accountId, hub_id)
  const id = newId('printer', work.now.getTime())
  const row = await namingConflicts(() =>
    insertPrinter(work, {
      id,
      hub_id,
      name: body.name,
      model: body.model,
      manufacturer: body.manufacturer ?? '',
      location: body.location ?? '',
      notes: body.notes ?? '',
      connection_type: body.connection_type,
      connection_sealed: context.secrets.seal(connection, id),
      ...connectionIdentity(body.connection_type, connection),
      nozzle_size: body.nozzle_size ?? null,
      current_color: body.current_color ?? '',
      current_color_hex: body.current_color_hex?.toUpperCase() ?? '',
      current_filament_type: body.current_filament_type ?? '',
      current_build_plate: body.current_build_plate ?? '',
      has_ams: body.has_ams ?? false,
      auto_start: body.auto_start ?? false,
      maintenance_interval_hours: body.maintenance_interval_hours ?? null,
      power_group: body.power_group ?? '',
      loaded_filament_grams: body.loaded_filament_grams ?? null,
      ...ejectionColumns(body, body.ejection ?? null),
    }),
  )
  await work.record({
    type: 'printer.created',
    subjectId: id,
    data: { name: row.name, model: row.model, hub_id, connection_type: row.connection_type },
  })
  return row
}

/** Changes a printer and tells its hub. While a print is under way it can neither leave its hub nor be put out of use. */
export async function changePrinter(
  context: Context,
  actor: Actor,
  printerId: PrinterId,
  body: ChangePrinterBody,
  begin: Database['begin'],
): Promise<PrinterRow> {
  const { before, after, ended } = await begin(async (sql) => {
    const work = workOf(context, actor, sql)
    if (body.seen_over === true) await lockLiveAttemptOfPrinter(sql, actor.accountId, printerId)
    const before = await lockPrinter(sql, actor.accountId, printerId)
    if (!before) throw notFound('printer')
    const change = changesTo(context, before, await withPinnedCertificate(context, sql, actor.accountId, before, body))
    if (Object.keys(change).length === 0) return { before, after: before }
    const isHandedOver = typeof change.hub_id === 'string' && change.connection_sealed === undefined
    // A virtual printer has no credentials.
    if (isHandedOver && before.connection_type !== 'virtual') requireMayHandOver(actor)
    const seenOver = body.seen_over === true
    const ended =
      change.is_active === false
        ? await freeFromAttempt(context, work, printerId, { action: 'be put out of use', seenOver })
        : undefined
    await refuseUnsafeChange(sql, actor.accountId, before, change)
    const after = await namingConflicts(() => updatePrinter(work, printerId, change))
    await work.record({
      type: 'printer.updated',
      subjectId: printerId,
      data: { fields: [...new Set(Object.keys(change).map(settingOf))] },
    })
    if (change.maintenance_interval_hours) {
      await askForMaintenanceWhenDue(work, printerId)
    }
    return { before, after, ended }
  })
  if (after === before) return after
  if (ended) releaseAttempt(context, ended)
  if (before.hub_id !== after.hub_id || !after.is_active) context.printers.forget(printerId)
  for (const hubId of new Set([before.hub_id, after.hub_id])) {
    if (hubId !== null) await sendPrinterSettings(context, actor.accountId, hubId)
  }
  return after
}

/** Answers what of a request differs from the row. A new connection always does: the old one is not opened to compare. */
function changesTo(
  context: Context,
  row: PrinterRow,
  { connection, ejection, seen_over: _, ...others }: Omit<ChangePrinterBody, 'pinned_fingerprint'>,
): PrinterChange {
  if (Object.keys(others).length === 0 && connection === undefined && ejection === undefined) {
    throw validationError({ _root: ['must have at least one field'] })
  }
  const fields = { ...others, ...(ejection !== undefined && ejectionColumns(row, ejection)) }
  if (fields.current_color_hex !== undefined) fields.current_color_hex = fields.current_color_hex.toUpperCase()
  const different = Object.entries(fields).filter(([name, value]) => row[name as keyof typeof fields] !== value)
  const change: PrinterChange = Object.fromEntries(different)
  if (connection !== undefined) {
    const errors = connectionErrors(row.connection_type, connection)
    if (errors) throw validationError(errors)
    change.connection_sealed = context.secrets.seal(connection, row.id)
    Object.assign(change, connectionIdentity(row.connection_type, connection))
  }
  return change
}

/** The name under which people know what a column keeps. */
function settingOf(column: string): string {
  if (column.startsWith('connection_')) return 'connection'
  return column.startsWith('ejection_') ? 'ejection' : column
}

const noEjection = { ejection_cooldown_temp: null, ejection_gcode: null, ejection_check_after: 5 }

/** Answers what a request wants of ejection, as the row keeps it. Refuses what would not be safe on a printer of this model. */
function ejectionColumns(
  printer: Pick<PrinterRow, 'model' | 'connection_type'>,
  wanted: NonNullable<ChangePrinterBody['ejection']> | null,
): Pick<PrinterRow, 'ejection_cooldown_temp' | 'ejection_gcode' | 'ejection_check_after'> {
  if (wanted === null) return noEjection
  const { cooldown_temp = 30, gcode = null, check_after = 5 } = wanted
  const errors = ejectionErrors(printer, { cooldown_temp, gcode })
  if (errors) throw validationError(errors)
  return { ejection_cooldown_temp: cooldown_temp, ejection_gcode: gcode, ejection_check_after: check_after }
}

async function refuseUnsafeChange(
  sql: Sql,
  accountId: AccountId,
  row: PrinterRow,
  change: PrinterChange,
): Promise<void> {
  const hubId = change.hub_id === undefined ? row.hub_id : change.hub_id
  const isMoved = change.hub_id !== undefined
  if (hubId !== null && (isMoved || change.is_active === true)) await refuseFullHub(sql, accountId, hubId)
  if (!isMoved && change.is_active !== false) return
  // Only the hub that began a print can tell how it ended.
  if (await findLiveAttemptOfPrinter(sql, accountId, row.id)) {
    throw new AppError('RESOURCE_IN_USE', { resource: 'printer', why: 'a print is under way on it' })
  }
}

async function refuseFullHub(sql: Sql, accountId: AccountId, hubId: HubId): Promise<void> {
  if ((await countPrintersOfHub(sql, accountId, hubId)) >= mostPrintersPerHub) {
    throw validationError({ hub_id: [`this hub already runs ${mostPrintersPerHub} printers, the most possible`] })
  }
}

async function namingConflicts<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    if (isUniqueViolation(error, 'printers_name_key')) {
      throw new AppError('DUPLICATE_NAME', { resource: 'printer' }, { cause: error })
    }
    if (isForeignKeyViolation(error)) throw new AppError('HUB_NOT_FOUND', {}, { cause: error })
    throw error
  }
}

/** Takes a printer out of service or puts it back. What it is printing goes on; nothing new begins. */
export async function setMaintenance(
  work: Work,
  printerId: PrinterId,
  { in_maintenance, maintenance_type: type }: MaintenanceBody,
): Promise<PrinterRow> {
  const row = await lockPrinter(work.sql, work.accountId, printerId)
  if (!row) throw notFound('printer')
  const maintenance_type = in_maintenance ? type || null : null
  if (row.in_maintenance === in_maintenance && row.maintenance_type === maintenance_type) return row
  const hasEnded = row.in_maintenance && !in_maintenance
  const changed = await updatePrinter(work, printerId, {
    in_maintenance,
    maintenance_type,
    ...(hasEnded && { last_maintenance_date: work.now }),
  })
  if (hasEnded) await recordMaintained(work, printerId)
  await work.record({
    type: in_maintenance ? 'printer.maintenance_started' : 'printer.maintenance_ended',
    subjectId: printerId,
    data: { maintenance_type: in_maintenance ? maintenance_type : row.maintenance_type },
  })
  return changed
}

/**
 * Deletes a printer that nothing refers to. One with a history can only be put out of use. With `seenOver` the print on one
 * that is out of reach is ended first, as a person saw it, whether or not the printer can be deleted then.
 */
export async function deletePrinter(
  context: Context,
  actor: Actor,
  printerId: PrinterId,
  { seenOver }: { seenOver: boolean },
): Promise<void> {
  const { accountId } = actor
  const ended = await context.db.beginFor(actor.accountId, (sql) =>
    freeFromAttempt(context, workOf(context, actor, sql), printerId, { action: 'be deleted', seenOver }),
  )
  if (ended) releaseAttempt(context, ended)
  const inUse = (why: string, cause?: unknown) =>
    new AppError('RESOURCE_IN_USE', { resource: 'printer', why }, { cause })
  const hubId = await context.db
    .beginFor(actor.accountId, async (sql) => {
      const work = workOf(context, actor, sql)
      const row = await lockPrinter(sql, accountId, printerId)
      if (!row) throw notFound('printer')
      if (await hasUnfinishedWork(sql, accountId, printerId)) throw inUse('it has jobs that are not finished')
      await deletePrinterRow(work, printerId)
      await work.record({
        type: 'printer.deleted',
        subjectId: printerId,
        data: { name: row.name, model: row.model },
      })
      return row.hub_id
    })
    .catch((error: unknown) => {
      if (!isForeignKeyViolation(error)) throw error
      const put = 'set is_active to false to put it out of use'
      throw inUse(
        ended ? `its print is ended now, and its history names it: ${put}` : `its history names it; ${put}`,
        error,
      )
    })
  context.printers.forget(printerId)
  if (hubId !== null) await sendPrinterSettings(context, accountId, hubId)
}
