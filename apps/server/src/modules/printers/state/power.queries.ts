import type { Sql } from '../../../db/database.ts'
import type { AccountId, PrinterId } from '../../../kernel/ids.ts'
import { held } from '../../attempts/under-way/live-attempts.ts'

/**
 * Takes a printer to switch its power off: until then nothing is started on it. False when a job of ours is starting or printing there.
 * `sql` is a transaction: the printer is locked first, as a start locks it, so that what the second statement sees of attempts
 * is all that could have been started.
 */
export async function takePowerOff(
  sql: Sql,
  accountId: AccountId,
  printerId: PrinterId,
  { now, until }: { now: Date; until: Date },
): Promise<boolean> {
  await sql`select id from printers where account_id = ${accountId} and id = ${printerId} for no key update`
  const rows = await sql`
    update printers p set power_off_until = ${until}
    where p.account_id = ${accountId} and p.id = ${printerId}
      and (p.power_off_until is null or p.power_off_until <= ${now})
      and not exists (
        select from attempts a
        where a.account_id = p.account_id and ${held(sql, 'a', 'printer_id')} = p.id)
    returning p.id`
  return rows.length > 0
}

/** Ends what was taken by a clock that was ahead, and was set back since: no right one says later than `latest`. */
export async function releasePowerAfter(sql: Sql, latest: Date): Promise<void> {
  await sql`
    /* every account: the clock is that of all of them */
    update printers set power_off_until = null where power_off_until > ${latest}`
}

/** Jobs may be started on the printer again. */
export async function releasePower(sql: Sql, accountId: AccountId, printerId: PrinterId): Promise<void> {
  await sql`
    update printers set power_off_until = null
    where account_id = ${accountId} and id = ${printerId} and power_off_until is not null`
}
