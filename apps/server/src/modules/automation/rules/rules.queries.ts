import { columnsOf, type RowOf } from '../../../db/columns.ts'
import type { Sql } from '../../../db/database.ts'
import type { PageBounds, PageRow } from '../../../db/page-bounds.ts'
import type { AutomationRuleRow as TableRow } from '../../../db/rows.generated.ts'
import type { AccountId, AutomationRuleId } from '../../../kernel/ids.ts'
import type { Work } from '../../events/work.ts'
import type { Action } from './actions.ts'

const columns = columnsOf<TableRow>()(
  'id',
  'name',
  'mode',
  'kinds',
  'least_severity',
  'locations',
  'printer_ids',
  'product_ids',
  'times',
  'within_minutes',
  'most_per_hour',
  'actions',
  'created_at',
  'updated_at',
)
/** A rule. Its actions were checked before they were written. */
export type RuleRow = Omit<RowOf<typeof columns>, 'actions'> & { actions: Action[] }
export type RuleSettings = Omit<RuleRow, 'id' | 'created_at' | 'updated_at'>

/** The newest first, by the index `automation_rules_by_time`. */
export async function listRules(
  sql: Sql,
  accountId: AccountId,
  { limit, offset, after }: PageBounds,
): Promise<PageRow<RuleRow>[]> {
  return sql<PageRow<RuleRow>[]>`
    select ${columns(sql)}, created_at::text as page_key from automation_rules
    where account_id = ${accountId}
      ${after ? sql`and (created_at, id) < (${after.key}::timestamptz, ${after.id})` : sql``}
    order by created_at desc, id desc limit ${limit} offset ${offset}`
}

/** Those that look at what happens, the oldest first. */
export async function listWatchingRules(sql: Sql, accountId: AccountId): Promise<RuleRow[]> {
  return sql<RuleRow[]>`
    select ${columns(sql)} from automation_rules where account_id = ${accountId} and mode <> 'off' order by created_at, id`
}

export async function findRule(
  sql: Sql,
  accountId: AccountId,
  ruleId: AutomationRuleId,
  { isLocked = false } = {},
): Promise<RuleRow | undefined> {
  const [row] = await sql<RuleRow[]>`
    select ${columns(sql)} from automation_rules
    where account_id = ${accountId} and id = ${ruleId} ${isLocked ? sql`for update` : sql``}`
  return row
}

export async function insertRule(
  { sql, accountId, actor, now }: Work,
  { actions, ...rule }: RuleSettings & { id: AutomationRuleId },
): Promise<RuleRow> {
  const row = { account_id: accountId, ...rule, created_by: actor, created_at: now, updated_at: now }
  const [made] = await sql<[RuleRow]>`
    insert into automation_rules ${sql({ ...row, actions: sql.json(actions as never) })} returning ${columns(sql)}`
  return made
}

export async function updateRule(
  { sql, accountId, now }: Work,
  ruleId: AutomationRuleId,
  { actions, ...change }: Partial<RuleSettings>,
): Promise<RuleRow> {
  const row = { ...change, ...(actions && { actions: sql.json(actions as never) }), updated_at: now }
  const [changed] = await sql<[RuleRow]>`
    update automation_rules set ${sql(row)} where account_id = ${accountId} and id = ${ruleId}
    returning ${columns(sql)}`
  return changed
}

export async function deleteRule({ sql, accountId }: Work, ruleId: AutomationRuleId): Promise<void> {
  await sql`delete from automation_rules where account_id = ${accountId} and id = ${ruleId}`
}
