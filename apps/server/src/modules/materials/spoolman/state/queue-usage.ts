import { type MaterialId, newId } from '../../../../kernel/ids.ts'
import type { Work } from '../../../events/work.ts'

/**
 * Adds what was used of a spool to what Spoolman is to be told of, in the transaction that books it. Nothing where the spool is not one
 * of Spoolman's, or no one asked for that. Where Printyard leads, Spoolman is told what remains instead.
 *
 * @param milligrams what was used, more than 0
 */
export async function queueUsage(
  { sql, accountId, now }: Work,
  materialId: MaterialId,
  milligrams: number,
): Promise<void> {
  await sql`
    insert into spoolman_usages (account_id, id, spool_id, milligrams, state, created_at)
    select s.account_id, ${newId('spoolmanUsage', now.getTime())}, s.spool_id, ${milligrams}, 'pending', ${now}
    from spoolman_spools s
    join spoolman_connections c on c.account_id = s.account_id and c.leader = 'spoolman' and c.sends_usage
    where s.account_id = ${accountId} and s.material_id = ${materialId}`
}
