import type { Sql } from '../../../db/database.ts'
import type { AccountId, HubId, PrinterId } from '../../../kernel/ids.ts'
import type { Work } from '../../events/work.ts'

/**
 * The statement that takes the next fence of a printer for a command through its hub, as a part of the statement that
 * records the command.
 */
export const takeFence = (
  sql: Sql,
  accountId: AccountId,
  { printer_id, hub_id }: { printer_id: PrinterId; hub_id: HubId },
) =>
  sql`
      update printers set fence = fence + 1
      where account_id = ${accountId} and id = ${printer_id} and hub_id = ${hub_id}
      returning fence`

/** As `takeFence`, to print on it: only when it is in service, its plate is clear and its power stays on. */
export const takeFenceToPrint = (
  sql: Sql,
  accountId: AccountId,
  { printer_id, hub_id }: { printer_id: PrinterId; hub_id: HubId },
  now: Date,
) => sql`
      update printers set fence = fence + 1
      where account_id = ${accountId} and id = ${printer_id} and hub_id = ${hub_id}
        and is_active and not in_maintenance and plate_state = 'clear'
        and (power_off_until is null or power_off_until <= ${now})
      returning fence, plate_state, plate_run_mark, run_mark`

/** The next fences of the printers of `claimed (printer_id)`, which the whole statement defines. Its rows go on with those of `claimed`. */
export const takeFencesOfClaimed = (sql: Sql, accountId: AccountId) => sql`
      update printers p set fence = p.fence + 1
      from claimed where p.account_id = ${accountId} and p.id = claimed.printer_id
      returning claimed.*, p.fence`

interface ToldFence {
  printer_id: PrinterId
  fence: number
}

/** Raises the fences of printers that their hub has seen higher ones of: how many were behind. */
export async function raiseFences({ sql, accountId, now: at }: Work, told: readonly ToldFence[]): Promise<number> {
  const rows = await sql`
    update printers p set fence = told.fence, fence_raised_at = ${at}, updated_at = ${at}
    from unnest(${told.map(({ printer_id }) => printer_id)}::text[], ${told.map(({ fence }) => fence)}::bigint[])
      as told (printer_id, fence)
    where p.account_id = ${accountId} and p.id = told.printer_id and p.fence < told.fence
    returning p.id`
  return rows.length
}
