import { newId } from '../../../kernel/ids.ts'
import type { Work } from '../../events/work.ts'
import { insertRule } from '../rules/rules.queries.ts'
import { insertFeed } from './feed.queries.ts'

/** The rule that every account starts with: what needs a person goes to the browsers of those who are on shift. */
const firstRule = {
  name: 'Needs a person',
  kinds: ['needs_person'],
  to_acting_members: false,
  to_on_shift: true,
  is_active: true,
  least_severity: 'low' as const,
  locations: [],
  printer_ids: [],
  product_ids: [],
  channel_ids: [],
  user_ids: [],
  quiet_from: null,
  quiet_to: null,
  urgent_passes: true,
  digest_minutes: 0,
}

/** Looks through what happens in an account from its first channel, browser or rule on, and gives it its first rule. */
export async function followAccount(work: Work): Promise<void> {
  if (!(await insertFeed(work))) return
  const id = newId('notificationRule', work.now.getTime())
  await insertRule(work, { id, ...firstRule, time_zone: await findTimeZone(work) })
  const { name, kinds } = firstRule
  await work.record({ type: 'notification_rule.created', subjectId: id, data: { name, kinds } })
}

/** The time zone of an account, which its rules have unless they say another. */
export async function findTimeZone({ sql, accountId }: Work): Promise<string> {
  const [account] = await sql<{ time_zone: string }[]>`select time_zone from accounts where id = ${accountId}`
  return account?.time_zone ?? 'UTC'
}
