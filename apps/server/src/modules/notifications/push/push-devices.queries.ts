import type { Sql } from '../../../db/database.ts'
import type { PageBounds, PageRow } from '../../../db/page-bounds.ts'
import type { NotificationChannelRow as TableRow } from '../../../db/rows.generated.ts'
import type { AccountId, NotificationChannelId, UserId } from '../../../kernel/ids.ts'
import type { Work } from '../../events/work.ts'

export type DeviceRow = Pick<TableRow, 'id' | 'name' | 'target' | 'endpoint_hash' | 'failing_since' | 'created_at'>

const columns = (sql: Sql) => sql`id, name, target, endpoint_hash, failing_since, created_at`

/** The browsers of a person that are told, the newest first. */
export async function listDevices(
  sql: Sql,
  accountId: AccountId,
  userId: UserId,
  { limit, offset, after }: PageBounds,
): Promise<PageRow<DeviceRow>[]> {
  return sql<PageRow<DeviceRow>[]>`
    select ${columns(sql)}, created_at::text as page_key from notification_channels
    where account_id = ${accountId} and user_id = ${userId} and kind = 'web_push'
      ${after ? sql`and (created_at, id) < (${after.key}::timestamptz, ${after.id})` : sql``}
    order by created_at desc, id desc limit ${limit} offset ${offset}`
}

/** Adds a browser, or gives one that subscribed before to the person who asks now. */
export async function upsertDevice(
  { sql, accountId, actor, now }: Work,
  device: Pick<TableRow, 'id' | 'user_id' | 'name' | 'target' | 'settings_sealed' | 'endpoint_hash'>,
): Promise<DeviceRow & { is_new: boolean }> {
  const row = {
    account_id: accountId,
    kind: 'web_push' as const,
    ...device,
    created_by: actor,
    created_at: now,
    updated_at: now,
  }
  const [made] = await sql<[DeviceRow & { is_new: boolean }]>`
    insert into notification_channels ${sql(row)}
    on conflict on constraint notification_channels_endpoint_key do update
      set user_id = excluded.user_id, name = excluded.name, updated_at = excluded.updated_at
    returning ${columns(sql)}, (xmax = 0) as is_new`
  return made
}

/** The browser and its keys, to be sealed under the ID that it has. */
export async function setDeviceSettings(
  { sql, accountId }: Work,
  deviceId: NotificationChannelId,
  settings_sealed: Buffer,
): Promise<void> {
  await sql`
    update notification_channels set ${sql({ settings_sealed, failures: 0, failing_since: null, retry_at: null })}
    where account_id = ${accountId} and id = ${deviceId}`
}

/** The browsers of a person but for the newest. */
export async function listOldDevices(
  { sql, accountId }: Work,
  userId: UserId,
  newest: number,
): Promise<NotificationChannelId[]> {
  const rows = await sql<{ id: NotificationChannelId }[]>`
    select id from notification_channels
    where account_id = ${accountId} and user_id = ${userId} and kind = 'web_push'
    order by created_at desc, id desc offset ${newest} for update`
  return rows.map(({ id }) => id)
}

/** True when a browser is this person's. */
export async function isOwnDevice(
  sql: Sql,
  accountId: AccountId,
  userId: UserId,
  deviceId: NotificationChannelId,
): Promise<boolean> {
  const rows = await sql`
    select id from notification_channels
    where account_id = ${accountId} and id = ${deviceId} and user_id = ${userId} and kind = 'web_push' for update`
  return rows.length > 0
}
