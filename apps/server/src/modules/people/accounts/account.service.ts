import type { Sql } from '../../../db/database.ts'
import type { AccountRow } from '../../../db/rows.generated.ts'
import type { Actor } from '../../../kernel/actor.ts'
import { notFound, validationError } from '../../../kernel/errors.ts'
import { recordEvent } from '../../events/events.queries.ts'
import { isTimeZone } from './accounts.service.ts'

type Columns = Pick<
  AccountRow,
  'id' | 'name' | 'time_zone' | 'requeue_rejected_units' | 'require_second_factor' | 'created_at'
>
export type AccountChange = Partial<
  Pick<Columns, 'name' | 'time_zone' | 'requeue_rejected_units' | 'require_second_factor'>
>

export async function getAccount(sql: Sql, accountId: string) {
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
export async function changeAccount(sql: Sql, actor: Actor, body: AccountChange, now: Date) {
  const change = { ...body, ...(body.name !== undefined && { name: body.name.trim() }) }
  if (change.name === '') throw validationError({ name: ['must not be empty'] })
  if (change.time_zone !== undefined && !isTimeZone(change.time_zone)) {
    throw validationError({ time_zone: [`"${change.time_zone}" is not a time zone; write it like Europe/Berlin.`] })
  }
  await sql`update accounts set ${sql({ ...change, updated_at: now })} where id = ${actor.accountId}`
  await recordEvent(sql, actor.accountId, {
    type: 'account.changed',
    subjectId: actor.accountId,
    data: { fields: Object.keys(body) },
    actor: actor.label,
  })
  return getAccount(sql, actor.accountId)
}
