import { isDeepStrictEqual } from 'node:util'
import type { PrinterSettings } from '@printyard/protocol/messages'
import { createSealer } from '@printyard/protocol/sealed-connection'
import type { Context } from '../../context/context.ts'
import type { Sql } from '../../db/database.ts'
import type { PrinterRow } from '../../db/rows.generated.ts'
import type { AccountId, HubId, PrinterId } from '../../kernel/ids.ts'
import { KeyedWorker } from '../../kernel/keyed-worker.ts'
import type { HubConnection } from '../../live/hubs.ts'
import { findHubKey } from '../hubs/state/hub-key.queries.ts'
import { limitsOf } from './models/printer-models.ts'
import { listPrintersOfHub, type PrinterOfHub } from './printers.queries.ts'

/** Printers of a hub as its settings were made from them. */
export type PrintersTold = readonly PrinterOfHub[]

/** What a hub was told of its printers, for the next time that it is told: opening and sealing what has not changed takes most of the work. */
interface SettingsTold {
  /** For which it was sealed. */
  publicKey: string | null | undefined
  byPrinter: ReadonlyMap<PrinterId, { printer: PrinterOfHub; settings: PrinterSettings }>
}

/**
 * Answers what a hub is told of its printers, secrets included: for that hub's connection only.
 *
 * @param before what was told on the same connection
 */
export async function readPrinterSettings(
  context: Pick<Context, 'secrets' | 'log'>,
  sql: Sql,
  accountId: AccountId,
  hubId: HubId,
  before?: SettingsTold,
): Promise<{ settings: PrinterSettings[]; printers: PrintersTold; told: SettingsTold }> {
  const [printers, publicKey] = await Promise.all([
    listPrintersOfHub(sql, accountId, hubId),
    findHubKey(sql, accountId, hubId),
  ])
  const seal = publicKey ? createSealer(publicKey) : undefined
  const known = before && before.publicKey === publicKey ? before.byPrinter : undefined
  const byPrinter = new Map<PrinterId, { printer: PrinterOfHub; settings: PrinterSettings }>()
  const settings = printers.flatMap((printer) => {
    // A virtual printer has no credentials.
    const isSafe = seal !== undefined || printer.connection_type === 'virtual'
    const last = known?.get(printer.id)
    const made = last && isDeepStrictEqual(last.printer, printer) ? last.settings : make(printer)
    // What holds credentials as they are is not kept.
    if (made && isSafe) byPrinter.set(printer.id, { printer, settings: made })
    return made ?? []
  })
  return { settings, printers, told: { publicKey, byPrinter } }

  function make(printer: PrinterOfHub): PrinterSettings | undefined {
    const open = settingsOf(context, printer)
    if (!open || !seal || printer.connection_type === 'virtual') return open
    return { ...open, connection: {}, sealed_connection: seal(open.connection, printer.id) }
  }
}

/** Undefined when the connection cannot be opened: one damaged row must not keep the other printers from running. */
function settingsOf(
  { secrets, log }: Pick<Context, 'secrets' | 'log'>,
  printer: PrinterOfHub,
): PrinterSettings | undefined {
  let connection: PrinterSettings['connection']
  try {
    // Only objects are sealed for printers, and what was tampered with does not open.
    connection = secrets.open(printer.connection_sealed, printer.id) as PrinterSettings['connection']
  } catch (error) {
    log.error({ err: error, printer_id: printer.id }, 'the connection of a printer cannot be decrypted: enter it again')
    return undefined
  }
  return {
    printer_id: printer.id,
    name: printer.name,
    model: printer.model,
    connection_type: printer.connection_type,
    connection: { ...connection, ...simulatedHand(printer) },
    nozzle_size: printer.nozzle_size,
    limits: limitsOf(printer.model),
    // The material of a loaded spool may have a longer name than a hub takes: the whole message would be refused.
    filament_type: printer.current_filament_type.slice(0, 50).toWellFormed() || null,
    filament_color_hex: printer.current_color_hex || null,
  }
}

/** A simulated plate has no one to take the print off: it is told when a person said so. */
function simulatedHand(printer: PrinterOfHub): Record<string, unknown> {
  const isByHand =
    printer.plate_change_reason === 'cleared_by_person' || printer.plate_change_reason === 'cleared_by_task'
  if (printer.connection_type !== 'virtual' || printer.plate_state !== 'clear' || !isByHand) return {}
  return { plate_cleared_at: printer.plate_changed_at.toISOString() }
}

/** Time that the process that holds a hub may take to tell it. */
const elsewhereMs = 5_000

/** A hub that stays connected to a process which cannot be reached would learn of the change only when it connects again. */
const retryMs = 2_000

class NotSentError extends Error {}

/** Sends settings, to each hub one at a time, so that the last settings sent are the latest. */
function makeSender({ log }: Context): KeyedWorker<HubId, { context: Context; accountId: AccountId }> {
  const told = new WeakMap<HubConnection, SettingsTold>()
  return new KeyedWorker(
    async (hubId, { context, accountId }) => {
      const elsewhere = context.hubs.findElsewhere(hubId)
      if (elsewhere) {
        // Credentials do not go by way of Redis: the process that holds the hub reads them itself.
        const { kind } = await context.peers.ask(elsewhere, { kind: 'configure' }, elsewhereMs)
        if (kind !== 'answered') throw new NotSentError()
        return
      }
      const connection = context.hubs.findHere(hubId)
      if (!connection) return
      const read = await readPrinterSettings(context, context.db.sql, accountId, hubId, told.get(connection))
      told.set(connection, read.told)
      context.hubs.configure(hubId, read.settings)
    },
    {
      onError(error, hubId) {
        if (error instanceof NotSentError) return retryMs
        log.warn({ err: error, hub_id: hubId }, 'a hub was not told that its printers changed')
        return undefined
      },
    },
  )
}

/** Resolves when what changed about the printers of a hub so far was sent to it, or could not be. */
export async function settingsAreSent(context: Context, hubId: HubId): Promise<void> {
  await context.memory.hold(makeSender, context).settled(hubId)
}

/**
 * Tells a connected hub the present settings of all its printers. Call it after the commit. Never rejects: a hub that misses
 * one gets all at its next connection.
 */
export async function sendPrinterSettings(context: Context, accountId: AccountId, hubId: HubId): Promise<void> {
  await context.memory.hold(makeSender, context).request(hubId, { context, accountId })
}

/**
 * Tells the hub of a printer that a person cleared its plate, where that changes what the hub is told: a simulated plate has no one to
 * take the print off. To tell it of all its printers again costs each of them a sealing. Call it after the commit.
 */
export async function sendClearedPlate(
  context: Context,
  accountId: AccountId,
  { hub_id, connection_type }: Pick<PrinterRow, 'hub_id' | 'connection_type'>,
): Promise<void> {
  if (hub_id !== null && connection_type === 'virtual') await sendPrinterSettings(context, accountId, hub_id)
}

/**
 * Tells a hub that has just connected the settings again, where they are not those that it was welcomed with: what changed after they were
 * read, and before the connection was known, was told to no one. Printers in the order of `listPrintersOfHub`.
 */
export async function sendMissedSettings(
  context: Context,
  accountId: AccountId,
  hubId: HubId,
  told: PrintersTold,
): Promise<void> {
  const printers = await listPrintersOfHub(context.db.sql, accountId, hubId)
  if (!isDeepStrictEqual(printers, told)) await sendPrinterSettings(context, accountId, hubId)
}
