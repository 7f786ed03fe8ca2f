import type { Context } from '../../../context/context.ts'
import type { Sql } from '../../../db/database.ts'
import type { AccountRow } from '../../../db/rows.generated.ts'
import { notFound, validationError } from '../../../kernel/errors.ts'
import type { AccountId } from '../../../kernel/ids.ts'
import { changedFields } from '../../events/changed-fields.ts'
import type { Work } from '../../events/work.ts'
import { mayGoUnencrypted } from '../mail/mail-encryption.ts'
import { isTimeZone } from './accounts.service.ts'
import { lockMembership } from './people.queries.ts'

type Columns = Pick<
  AccountRow,
  'id' | 'name' | 'time_zone' | 'requeue_rejected_units' | 'require_second_factor' | 'created_at'
>
type AccountChange = Partial<Pick<Columns, 'name' | 'time_zone' | 'requeue_rejected_units' | 'require_second_factor'>>

/** The account as it is answered, with what its owner must know of the installation. */
export async function readAccount({ config }: Pick<Context, 'config'>, sql: Sql, accountId: AccountId) {
  return { ...(await getAccount(sql, accountId)), mail_may_go_unencrypted: mayGoUnencrypted(config) }
}

async function getAccount(sql: Sql, accountId: AccountId) {
  const [account] = await sql<Columns[]>`
    select id, name, time_zone, requeue_rejected_units, require_second_factor, created_at from accounts where id = ${accountId}`
  if (!account) throw notFound('account')
  return { ...account, created_at: account.created_at.toISOString() }
}

/**
 * Changes what is given and leaves the rest as it is.
 *
 * @throws AppError `VALIDATION_ERROR`
 */
export async function changeAccount({ sql, accountId, now, record }: Work, body: AccountChange): Promise<void> {
  const change = { ...body, ...(body.name !== undefined && { name: body.name.trim() }) }
  if (change.name === '') throw validationError({ name: ['must not be empty'] })
  if (change.time_zone !== undefined && !isTimeZone(change.time_zone)) {
    throw validationError({ time_zone: [`"${change.time_zone}" is not a time zone; write it like Europe/Berlin.`] })
  }
  await lockMembership(sql, accountId)
  const before = await getAccount(sql, accountId)
  const fields = changedFields(before, change)
  if (fields.length === 0) return
  await sql`update accounts set ${sql({ ...change, updated_at: now })} where id = ${accountId}`
  await record({ type: 'account.updated', subjectId: accountId, data: { fields } })
}

/** Makes an empty account the one that another service has exported: how it is called, and the settings of its own. */
export async function takeOverAccount(
  { sql, accountId }: Pick<Work, 'sql' | 'accountId'>,
  exported: Pick<Columns, 'name' | 'time_zone' | 'requeue_rejected_units' | 'require_second_factor'> & {
    created_at: string
    updated_at: string
  },
): Promise<void> {
  await lockMembership(sql, accountId)
  await sql`update accounts set ${sql(exported)} where id = ${accountId}`
}
