import type { Sql } from '@printyard/server/db/database'
import { notFound } from '@printyard/server/kernel/errors'
import { type AccountId, readId } from '@printyard/server/kernel/ids'
import { findAccount } from '@printyard/server/modules/people/accounts/accounts.queries'

/** The account that a person has typed the ID of. @throws AppError `NOT_FOUND` */
export async function getAccountId(sql: Sql, typed: string): Promise<AccountId> {
  const accountId = readId('account', typed)
  if (!accountId || !(await findAccount(sql, accountId))) throw notFound('account')
  return accountId
}
