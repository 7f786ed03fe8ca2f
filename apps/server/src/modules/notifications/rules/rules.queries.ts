import { columnsOf, type RowOf } from '../../../db/columns.ts'
import type { Sql } from '../../../db/database.ts'
import type { PageBounds, PageRow } from '../../../db/page-bounds.ts'
import type { NotificationRuleRow as TableRow } from '../../../db/rows.generated.ts'
import type { AccountId, NotificationRuleId } from '../../../kernel/ids.ts'
import type { Work } from '../../events/work.ts'

const columns = columnsOf<TableRow>()(
  'id',
  'name',
  'is_active',
  'kinds',
  'least_severity',
  'locations',
  'printer_ids',
  'product_ids',
  'channel_ids',
  'user_ids',
  'to_acting_members',
  'to_on_shift',
  'quiet_from',
  'quiet_to',
  'time_zone',
  'urgent_passes',
  'digest_minutes',
  'created_at',
  'updated_at',
)
export type RuleRow = RowOf<typeof columns>
export type RuleSettings = Omit<RuleRow, 'id' | 'created_at' | 'updated_at'>

/** The newest first, by the index `notification_rules_by_time`. */
export async function listRules(
  sql: Sql,
  accountId: AccountId,
  { limit, offset, after }: PageBounds,
): Promise<PageRow<RuleRow>[]> {
  return sql<PageRow<RuleRow>[]>`
    select ${columns(sql)}, created_at::text as page_key from notification_rules
    where account_id = ${accountId}
      ${after ? sql`and (created_at, id) < (${after.key}::timestamptz, ${after.id})` : sql``}
    order by created_at desc, id desc limit ${limit} offset ${offset}`
}

export async function findRule(
  sql: Sql,
  accountId: AccountId,
  ruleId: NotificationRuleId,
  { isLocked = false } = {},
): Promise<RuleRow | undefined> {
  const [row] = await sql<RuleRow[]>`
    select ${columns(sql)} from notification_rules
    where account_id = ${accountId} and id = ${ruleId} ${isLocked ? sql`for update` : sql``}`
  return row
}

export async function insertRule(
  { sql, accountId, actor, now }: Work,
  rule: RuleSettings & { id: NotificationRuleId },
): Promise<RuleRow> {
  const row = { account_id: accountId, ...rule, created_by: actor, created_at: now, updated_at: now }
  const [made] = await sql<[RuleRow]>`insert into notification_rules ${sql(row)} returning ${columns(sql)}`
  return made
}

export async function updateRule(
  { sql, accountId, now }: Work,
  ruleId: NotificationRuleId,
  change: Partial<RuleSettings>,
): Promise<RuleRow> {
  const [changed] = await sql<[RuleRow]>`
    update notification_rules set ${sql({ ...change, updated_at: now })}
    where account_id = ${accountId} and id = ${ruleId} returning ${columns(sql)}`
  return changed
}

export async function deleteRule({ sql, accountId }: Work, ruleId: NotificationRuleId): Promise<void> {
  await sql`delete from notification_rules where account_id = ${accountId} and id = ${ruleId}`
}

/** Those that tell anybody anything, the oldest first. */
export async function listActiveRules(sql: Sql, accountId: AccountId): Promise<RuleRow[]> {
  return sql<RuleRow[]>`
    select ${columns(sql)} from notification_rules where account_id = ${accountId} and is_active order by created_at`
}
