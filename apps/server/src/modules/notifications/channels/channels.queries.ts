import { columnsOf, type RowOf } from '../../../db/columns.ts'
import type { Sql } from '../../../db/database.ts'
import type { PageBounds, PageRow } from '../../../db/page-bounds.ts'
import type { NotificationChannelRow as TableRow } from '../../../db/rows.generated.ts'
import type { AccountId, NotificationChannelId } from '../../../kernel/ids.ts'
import type { Work } from '../../events/work.ts'
import type { EndpointHealth } from '../../outbound/retry-schedule.ts'

const columns = columnsOf<TableRow>()(
  'id',
  'kind',
  'name',
  'user_id',
  'target',
  'settings_sealed',
  'paused_at',
  'pause_reason',
  'failures',
  'failing_since',
  'retry_at',
  'created_by',
  'created_at',
  'updated_at',
)
export type ChannelRow = RowOf<typeof columns>

/** Channels that were entered in a form, the newest first. */
export async function listChannels(
  sql: Sql,
  accountId: AccountId,
  { limit, offset, after }: PageBounds,
): Promise<PageRow<ChannelRow>[]> {
  return sql<PageRow<ChannelRow>[]>`
    select ${columns(sql)}, created_at::text as page_key from notification_channels
    where account_id = ${accountId} and kind <> 'web_push'
      ${after ? sql`and (created_at, id) < (${after.key}::timestamptz, ${after.id})` : sql``}
    order by created_at desc, id desc limit ${limit} offset ${offset}`
}

export async function findChannel(
  sql: Sql,
  accountId: AccountId,
  channelId: NotificationChannelId,
  { isLocked = false } = {},
): Promise<ChannelRow | undefined> {
  const [row] = await sql<ChannelRow[]>`
    select ${columns(sql)} from notification_channels
    where account_id = ${accountId} and id = ${channelId} and kind <> 'web_push' ${isLocked ? sql`for update` : sql``}`
  return row
}

type NewRow = Pick<TableRow, 'id' | 'kind' | 'name' | 'user_id' | 'target' | 'settings_sealed'> &
  Partial<Pick<TableRow, 'endpoint_hash'>>

export async function insertChannel({ sql, accountId, actor, now }: Work, row: NewRow): Promise<ChannelRow> {
  const all = { account_id: accountId, ...row, created_by: actor, created_at: now, updated_at: now }
  const [made] = await sql<[ChannelRow]>`insert into notification_channels ${sql(all)} returning ${columns(sql)}`
  return made
}

/** The sender is to read it again: the lease ends. */
export async function updateChannel(
  { sql, accountId, now }: Work,
  channelId: NotificationChannelId,
  change: Partial<Pick<TableRow, 'name' | 'user_id' | 'target' | 'settings_sealed' | 'paused_at' | 'pause_reason'>> &
    Partial<EndpointHealth>,
): Promise<ChannelRow> {
  const row = { ...change, lease_id: null, leased_until: null, updated_at: now }
  const [changed] = await sql<[ChannelRow]>`
    update notification_channels set ${sql(row)} where account_id = ${accountId} and id = ${channelId}
    returning ${columns(sql)}`
  return changed
}

/** What it was told is removed by its age. */
export async function deleteChannel({ sql, accountId }: Work, channelId: NotificationChannelId): Promise<void> {
  await sql`delete from notification_states where account_id = ${accountId} and channel_id = ${channelId}`
  await sql`
    update notifications set status = 'dropped'
    where account_id = ${accountId} and channel_id = ${channelId} and status = 'pending'`
  await sql`delete from notification_channels where account_id = ${accountId} and id = ${channelId}`
}

/** Answers which of these are channels that were entered in a form. */
export async function listKnownChannels(sql: Sql, accountId: AccountId, ids: readonly string[]): Promise<Set<string>> {
  const rows = await sql<{ id: string }[]>`
    select id from notification_channels
    where account_id = ${accountId} and id = any(${[...ids]}) and kind <> 'web_push'`
  return new Set(rows.map((row) => row.id))
}
