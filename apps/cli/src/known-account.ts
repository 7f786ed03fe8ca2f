import type { Sql } from '@printyard/server/db/database'
import { notFound } from '@printyard/server/kernel/errors'
import { findAccount } from '@printyard/server/modules/people/accounts/accounts.queries'

/** @throws AppError `NOT_FOUND` */
export async function checkAccountExists(sql: Sql, accountId: string): Promise<void> {
  if (!(await findAccount(sql, accountId))) throw notFound('account')
}
