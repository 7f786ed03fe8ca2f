import type { Context } from '../../../context/context.ts'
import type { Sql, Transaction } from '../../../db/database.ts'
import type { AccountId, HubId } from '../../../kernel/ids.ts'

type Reporting = Pick<Context, 'db' | 'hubs' | 'fences'>

/** Hub whose report it is. */
interface Reporter {
  accountId: AccountId
  hubId: HubId
}

/**
 * `beginForFarm` for what a hub reports: while the transaction lasts, no newer connection of the hub is let in on any process.
 *
 * @throws StaleConnectionError when one was let in already
 */
export function beginReported<T>(
  { db, hubs, fences }: Reporting,
  { accountId, hubId }: Reporter,
  work: (sql: Transaction) => Promise<T>,
): Promise<T> {
  return db.beginForFarm(accountId, async (sql) => {
    await fences.hold(sql, hubId, hubs.findHere(hubId))
    return work(sql)
  })
}

/** The same for a single statement, which is no transaction where this is the only process. */
export function writeReported<T>(context: Reporting, reporter: Reporter, write: (sql: Sql) => Promise<T>): Promise<T> {
  return context.fences.isShared ? beginReported(context, reporter, write) : write(context.db.sql)
}
