import { columnsOf, type RowOf } from '../../../db/columns.ts'
import type { Json, Sql } from '../../../db/database.ts'
import type { MemberRow, ShiftRow, UserRow } from '../../../db/rows.generated.ts'
import { mostUnpaged } from '../../../http/schema.ts'
import { type AccountId, type MemberId, newId, type UserId } from '../../../kernel/ids.ts'
import type { Work } from '../../events/work.ts'
import type { Shift, ShiftMember } from './on-shift.ts'

const memberColumns = columnsOf<MemberRow>('m')('id', 'user_id', 'role')
const userColumns = columnsOf<UserRow>('u')('name')

/** A member as the table of shifts has them. */
export interface RosteredMember extends ShiftMember {
  memberId: MemberId
  name: string
}

type Row = RowOf<typeof memberColumns> &
  RowOf<typeof userColumns> &
  Partial<Pick<ShiftRow, 'switched_on' | 'switched_until'>> & {
    weekly: Json
  }

/** Members with their shifts, those who joined first first; with `memberId` that one alone. */
export async function listRoster(sql: Sql, accountId: AccountId, memberId?: MemberId): Promise<RosteredMember[]> {
  const rows = await sql<Row[]>`
    select ${memberColumns(sql)}, ${userColumns(sql)}, coalesce(s.weekly, '[]') as weekly, s.switched_on, s.switched_until
    from members m join users u on u.id = m.user_id
    left join shifts s on s.account_id = m.account_id and s.user_id = m.user_id
    where m.account_id = ${accountId} ${memberId === undefined ? sql`` : sql`and m.id = ${memberId}`}
    order by m.created_at, m.id limit ${mostUnpaged}`
  return rows.map(({ id, user_id, role, name, weekly, switched_on, switched_until }) => ({
    memberId: id,
    userId: user_id,
    role,
    name,
    // Written by `setWeekly` alone, in this form.
    weekly: weekly as unknown as Shift[],
    switched: switched_until == null || switched_on == null ? null : { isOn: switched_on, until: switched_until },
  }))
}

/** The time zone by whose clock shifts begin and end. */
export async function findShiftZone(sql: Sql, accountId: AccountId): Promise<string> {
  const [account] = await sql<[{ time_zone: string }]>`select time_zone from accounts where id = ${accountId}`
  return account.time_zone
}

export async function setWeekly(work: Work, userId: UserId, weekly: readonly Shift[]): Promise<void> {
  await upsert(work, userId, { weekly: work.sql.json(weekly.map(({ day, from, to }) => ({ day, from, to }))) })
}

/** Null: the week counts again. */
export async function setSwitch(work: Work, userId: UserId, to: { isOn: boolean; until: Date } | null): Promise<void> {
  await upsert(work, userId, { switched_on: to?.isOn ?? null, switched_until: to?.until ?? null })
}

async function upsert({ sql, accountId, now }: Work, userId: UserId, change: object): Promise<void> {
  const row = { account_id: accountId, id: newId('shift', now.getTime()), user_id: userId, ...change, updated_at: now }
  await sql`
    insert into shifts ${sql(row)}
    on conflict on constraint shifts_user_key do update set ${sql({ ...change, updated_at: now })}`
}
