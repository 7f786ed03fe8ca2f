import { isIP } from 'node:net'
import type { Context } from '../../../context/context.ts'
import type { AccountId, HubId } from '../../../kernel/ids.ts'
import type { HubMessageBody } from '../../../live/hub-messages.ts'
import { type Work, workIn } from '../../events/work.ts'
import { beginReported } from '../../hubs/state/begin-reported.ts'
import { connectionIdentity, readAddress } from '../connection/connection-identity.ts'
import { findSealedConnection, lockPrinter, updatePrinter } from '../printers.queries.ts'
import { sendPrinterSettings } from '../send-settings.ts'

type Moved = HubMessageBody<'printer_moved'>

/**
 * A hub met one of its printers at another address. The hub has tried the credentials there; here it counts that the printer
 * is this hub's, that the serial number is the one of its settings, and that the settings still name the old address.
 */
export async function followMovedPrinter(
  context: Context,
  accountId: AccountId,
  hubId: HubId,
  moved: Moved,
): Promise<void> {
  if (isIP(moved.address) === 0 || moved.address === moved.old_address) return
  const isFollowed = await beginReported(context, { accountId, hubId }, (sql) =>
    follow(context, workIn(sql, { accountId, actor: `hub:${hubId}`, now: context.clock.now() }), hubId, moved),
  )
  if (!isFollowed) return context.log.info({ printer_id: moved.printer_id }, 'a printer that moved is not followed')
  await sendPrinterSettings(context, accountId, hubId)
}

async function follow(
  context: Context,
  work: Work,
  hubId: HubId,
  { printer_id, serial, old_address, address, evidence }: Moved,
): Promise<boolean> {
  const { sql, accountId } = work
  const row = await lockPrinter(sql, accountId, printer_id)
  if (row?.hub_id !== hubId || !row.is_active) return false
  const sealed = await findSealedConnection(sql, accountId, printer_id)
  // Only objects are sealed for printers, and what was tampered with does not open.
  const connection = context.secrets.open(sealed, printer_id) as Record<string, unknown>
  const known = connectionIdentity(row.connection_type, connection).connection_serial
  if (known === null || known !== serial.trim().toUpperCase()) return false
  const typed = String(connection.address ?? '')
  if (readAddress(typed)?.host !== old_address) return false
  const changed = { ...connection, address: typed.replace(old_address, isIP(address) === 6 ? `[${address}]` : address) }
  await updatePrinter(work, printer_id, {
    connection_sealed: context.secrets.seal(changed, printer_id),
    ...connectionIdentity(row.connection_type, changed),
  })
  await work.record({
    type: 'printer.moved',
    subjectId: printer_id,
    data: { old_address, address, serial: known, evidence },
  })
  return true
}
