import type { Sql } from '../../../db/database.ts'
import type { PrinterRow } from '../../../db/rows.generated.ts'
import { openIfReadable, type SecretBox } from '../../../kernel/secret-box.ts'

/**
 * Seals the connections of all printers again, by the present key. Answers how many, and which cannot be opened by any key: they stay as
 * they are. `sql` is a transaction.
 */
export async function resealConnections(
  secrets: Pick<SecretBox, 'seal' | 'open'>,
  sql: Sql,
): Promise<{ sealed: number; unreadable: string[] }> {
  const printers = await sql<Pick<PrinterRow, 'account_id' | 'id' | 'connection_sealed'>[]>`
    /* every account: the key is that of the whole service */
    select account_id, id, connection_sealed from printers order by account_id, id for update`
  const unreadable: string[] = []
  for (const { account_id, id, connection_sealed } of printers) {
    const opened = openIfReadable(secrets, connection_sealed, id)
    if (opened === undefined) unreadable.push(id)
    else {
      await sql`
        update printers set connection_sealed = ${secrets.seal(opened.value, id)}
        where account_id = ${account_id} and id = ${id}`
    }
  }
  return { sealed: printers.length - unreadable.length, unreadable }
}
