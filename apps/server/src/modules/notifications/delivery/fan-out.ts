import type { Context } from '../../../context/context.ts'
import type { Sql } from '../../../db/database.ts'
import type { AccountId } from '../../../kernel/ids.ts'
import { mayUse } from '../../../kernel/policy.ts'
import { finalEvents, takeNextEvents } from '../../events/feed-readers.queries.ts'
import { dueTime } from '../rules/due-time.ts'
import type { Kind } from '../rules/kinds.ts'
import { matchedKind } from '../rules/matches.ts'
import type { Occurrence } from '../rules/occurrence.ts'
import { listActiveRules, type RuleRow } from '../rules/rules.queries.ts'
import { listEvents, type WholeEvent } from './facts.queries.ts'
import {
  endSubject,
  type FanOutChannel,
  insertNotification,
  listOpenChannels,
  moveFeed,
  noteTold,
} from './fan-out.queries.ts'
import { isOfInterest, readEvent } from './read-event.ts'

/** Looks through what happened in an account since the last time, and notes what which channel is to be told. */
export async function fanOut({ db, clock }: Pick<Context, 'db' | 'clock'>, accountId: AccountId): Promise<void> {
  for (let hasMore = true; hasMore; ) {
    hasMore = await db.begin(async (sql) => {
      const look = finalEvents(await takeNextEvents(sql, 'notification_feeds', [accountId]))
      const events = look.events.flat()
      const last = events.at(-1)
      if (!last) return false
      const interesting = events.filter(({ type }) => isOfInterest(type)).map(({ id }) => id)
      if (interesting.length > 0) {
        const whole = await listEvents(sql, accountId, interesting)
        await tellOf(sql, accountId, whole, clock.now())
      }
      await moveFeed(sql, last)
      return look.hasMore
    })
  }
}

async function tellOf(sql: Sql, accountId: AccountId, events: readonly WholeEvent[], now: Date): Promise<void> {
  const rules = await listActiveRules(sql, accountId)
  const channels = await listOpenChannels(sql, accountId)
  for (const event of events) {
    const read = await readEvent(sql, accountId, event)
    if (read === undefined) continue
    if ('ends' in read) {
      await endSubject(sql, accountId, read.ends)
      continue
    }
    for (const { channel, rule, kind, dueAt } of targetsOf(read, rules, channels, now)) {
      // A channel is not told that itself is paused: it could not be.
      if (event.subject_id === channel.id) continue
      if (read.lasts && !(await noteTold(sql, accountId, channel.id, read.subject, read.severity))) continue
      await insertNotification(
        sql,
        accountId,
        {
          channel_id: channel.id,
          rule_id: rule.id,
          event_id: event.id,
          kind,
          subject: read.subject,
          severity: read.severity,
          title: read.title,
          body: read.body,
          path: read.path,
          printer_id: read.printerId,
          task_id: read.taskId,
          is_digest: rule.digest_minutes > 0 && read.severity !== 'high',
          due_at: dueAt,
        },
        now,
      )
    }
  }
}

interface Target {
  channel: FanOutChannel
  rule: RuleRow
  kind: Kind
  dueAt: Date
}

/** Each channel once, by the rule that sends to it first. */
function targetsOf(
  occurrence: Occurrence,
  rules: readonly RuleRow[],
  channels: readonly FanOutChannel[],
  now: Date,
): Target[] {
  const targets = new Map<string, Target>()
  for (const rule of rules) {
    const kind = matchedKind(rule, occurrence)
    if (kind === undefined) continue
    const dueAt = dueTime(rule, occurrence.severity, now)
    for (const channel of channels.filter((each) => isNamed(rule, each))) {
      const known = targets.get(channel.id)
      if (!known || dueAt < known.dueAt) targets.set(channel.id, { channel, rule, kind, dueAt })
    }
  }
  return [...targets.values()]
}

function isNamed(rule: RuleRow, { id, kind, user_id: userId, role }: FanOutChannel): boolean {
  if (kind !== 'web_push') return rule.channel_ids.includes(id)
  if (userId === null || role === null) return false
  return rule.user_ids.includes(userId) || (rule.to_acting_members && mayUse(role, 'write'))
}
