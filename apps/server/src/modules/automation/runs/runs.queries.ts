import { columnsOf, type RowOf } from '../../../db/columns.ts'
import type { Sql } from '../../../db/database.ts'
import type { PageBounds, PageRow } from '../../../db/page-bounds.ts'
import type { AutomationRunRow as TableRow } from '../../../db/rows.generated.ts'
import type { AccountId, AutomationRuleId, EventId } from '../../../kernel/ids.ts'
import type { Work } from '../../events/work.ts'
import type { ActionName } from '../rules/actions.ts'

/** Outcome of one action. */
export interface Step {
  do: ActionName
  /** `not_needed`: what it is for was so already. `not_done`: the rule is on trial. */
  result: 'done' | 'refused' | 'not_needed' | 'not_done'
  /** Reason why it was refused, or what was made; often empty. */
  detail: string
}

const columns = columnsOf<TableRow>('r')(
  'id',
  'rule_id',
  'event_id',
  'kind',
  'title',
  'path',
  'about',
  'outcome',
  'steps',
  'happened_at',
  'created_at',
)
type RunRow = Omit<RowOf<typeof columns>, 'steps'> & { steps: Step[] }
export type NewRun = Omit<RunRow, 'created_at'>
type RunOutcome = RunRow['outcome']

/** A run with the name of its rule; null when that was deleted. */
export type ListedRun = PageRow<RunRow & { rule_name: string | null }>

export async function insertRun({ sql, accountId, now }: Work, { steps, ...run }: NewRun): Promise<void> {
  const row = { account_id: accountId, ...run, steps: sql.json(steps as never), created_at: now }
  await sql`insert into automation_runs ${sql(row)}`
}

/** The rules that had their turn with an event. */
export async function listRulesRun(
  sql: Sql,
  accountId: AccountId,
  eventId: EventId,
): Promise<ReadonlySet<AutomationRuleId>> {
  const rows = await sql<Pick<RunRow, 'rule_id'>[]>`
    select rule_id from automation_runs where account_id = ${accountId} and event_id = ${eventId}`
  return new Set(rows.map((row) => row.rule_id))
}

/** Answers how often a rule acted in this time. */
export async function countActed(
  sql: Sql,
  accountId: AccountId,
  ruleId: AutomationRuleId,
  since: Date,
): Promise<number> {
  const [counted] = await sql<[{ acted: number }]>`
    select count(*)::int as acted from automation_runs
    where account_id = ${accountId} and rule_id = ${ruleId} and outcome = 'ran' and created_at > ${since}`
  return counted.acted
}

/** Answers how often something was only counted since this time, and since the rule last came to its number. */
export async function countWaiting(
  sql: Sql,
  accountId: AccountId,
  ruleId: AutomationRuleId,
  { about, since }: { about: string; since: Date },
): Promise<number> {
  const [counted] = await sql<[{ waiting: number }]>`
    with own as (
      select id, outcome, happened_at from automation_runs
      where account_id = ${accountId} and rule_id = ${ruleId} and about = ${about} and created_at > ${since}
    )
    select count(*)::int as waiting from own
    where outcome = 'counted' and happened_at > ${since}
      and id > coalesce((select max(id) from own where outcome <> 'counted'), '')`
  return counted.waiting
}

/** Answers what rules did, the newest first, by the index `automation_runs_by_time` or `automation_runs_by_rule`. */
export async function listRuns(
  sql: Sql,
  accountId: AccountId,
  { rule_id: ruleId, outcome, limit, offset, after }: PageBounds & { rule_id?: AutomationRuleId; outcome?: RunOutcome },
): Promise<ListedRun[]> {
  return sql<ListedRun[]>`
    select ${columns(sql)}, a.name as rule_name, r.created_at::text as page_key
    from automation_runs r left join automation_rules a on a.account_id = r.account_id and a.id = r.rule_id
    where r.account_id = ${accountId}
      ${ruleId === undefined ? sql`` : sql`and r.rule_id = ${ruleId}`}
      ${outcome === undefined ? sql`` : sql`and r.outcome = ${outcome}`}
      ${after ? sql`and (r.created_at, r.id) < (${after.key}::timestamptz, ${after.id})` : sql``}
    order by r.created_at desc, r.id desc limit ${limit} offset ${offset}`
}

/** Runs whose IDs, which begin with their time, come before this one, a few of each account. */
export async function deleteRunsBefore(sql: Sql, beforeId: string, limit: number): Promise<number> {
  const { count } = await sql`
    /* every account: runs of all accounts grow old alike */
    delete from automation_runs r using (
      select each.account_id, each.id from accounts a
      cross join lateral (
        select o.account_id, o.id from automation_runs o where o.account_id = a.id and o.id < ${beforeId}
        order by o.id limit ${limit} for update skip locked
      ) each
      limit ${limit}
    ) old
    where r.account_id = old.account_id and r.id = old.id`
  return count
}
