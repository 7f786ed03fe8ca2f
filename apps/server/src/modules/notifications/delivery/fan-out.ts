import type { Context } from '../../../context/context.ts'
import type { Sql } from '../../../db/database.ts'
import type { AccountId, EventId, UserId } from '../../../kernel/ids.ts'
import { canUse } from '../../../kernel/policy.ts'
import { finalEvents, takeNextEvents } from '../../events/feed-readers.queries.ts'
import { recipientsAt } from '../../people/shifts/on-shift.ts'
import { findShiftZone, listRoster } from '../../people/shifts/shifts.queries.ts'
import { dueTime } from '../rules/due-time.ts'
import type { Kind } from '../rules/kinds.ts'
import { matchedKind } from '../rules/matches.ts'
import type { Occurrence } from '../rules/occurrence.ts'
import { listActiveRules, type RuleRow } from '../rules/rules.queries.ts'
import { listEvents, type WholeEvent } from './facts.queries.ts'
import {
  endSubject,
  type FanOutChannel,
  insertNotifications,
  listOpenChannels,
  moveFeed,
  recordTold,
} from './fan-out.queries.ts'
import { isOfInterest, readEvent } from './read-event.ts'

/**
 * What one look writes at most, but for what one event comes to. It is one transaction, and events of all accounts become final only
 * after the transactions that are older than theirs.
 */
const mostNotifications = 2_000

/**
 * Looks through what happened in an account since the last time, and notes what which channel is to be told.
 *
 * @returns whether there may be more to look through
 */
export async function fanOut({ db, clock }: Pick<Context, 'db' | 'clock'>, accountId: AccountId): Promise<boolean> {
  return db.begin(async (sql) => {
    const look = finalEvents(await takeNextEvents(sql, 'notification_feeds', [accountId]))
    const events = look.events.flat()
    const last = events.at(-1)
    if (!last) return false
    const interesting = events.filter(({ type }) => isOfInterest(type)).map(({ id }) => id)
    const whole = interesting.length > 0 ? await listEvents(sql, accountId, interesting) : []
    const stoppedAt = await queueNotifications(sql, accountId, whole, clock.now())
    await moveFeed(sql, events.find(({ id }) => id === stoppedAt) ?? last)
    return look.hasMore || stoppedAt !== undefined
  })
}

/** Records what is to be told of these events. Answers the last of them that was looked at, if that is not the last of all. */
async function queueNotifications(
  sql: Sql,
  accountId: AccountId,
  events: readonly WholeEvent[],
  now: Date,
): Promise<EventId | undefined> {
  if (events.length === 0) return undefined
  const rules = await listActiveRules(sql, accountId)
  const channels = await listOpenChannels(sql, accountId)
  const onShiftAt = await readShifts(sql, accountId, rules)
  let written = 0
  for (const [index, event] of events.entries()) {
    const read = await readEvent(sql, accountId, event)
    if (read === undefined) continue
    if ('ends' in read) {
      for (const subject of read.ends) await endSubject(sql, accountId, subject)
      continue
    }
    written += await queueForEvent(sql, accountId, event, read, targetsOf(read, rules, channels, onShiftAt, now), now)
    if (written >= mostNotifications && index < events.length - 1) return event.id
  }
  return undefined
}

/** Records what is to be told of one event; answers how many channels are. */
async function queueForEvent(
  sql: Sql,
  accountId: AccountId,
  event: WholeEvent,
  occurrence: Occurrence,
  named: readonly Target[],
  now: Date,
): Promise<number> {
  // A channel is not told that itself is paused: it could not be.
  const able = named.filter(({ channel }) => channel.id !== event.subject_id)
  const { lasts, subject, severity, title, body, path, printerId, taskId } = occurrence
  const news = lasts
    ? await recordTold(
        sql,
        accountId,
        able.map(({ channel }) => channel.id),
        subject,
        severity,
      )
    : new Set(able.map(({ channel }) => channel.id))
  const targets = able.filter(({ channel }) => news.has(channel.id))
  const rows = targets.map(({ channel, rule, kind, dueAt }) => ({
    channel_id: channel.id,
    rule_id: rule.id,
    event_id: event.id,
    kind,
    subject,
    severity,
    title,
    body,
    path,
    printer_id: printerId,
    task_id: taskId,
    is_digest: rule.digest_minutes > 0 && severity !== 'high',
    due_at: dueAt,
  }))
  await insertNotifications(sql, accountId, rows, now)
  return rows.length
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
  onShiftAt: OnShiftAt,
  now: Date,
): Target[] {
  const targets = new Map<string, Target>()
  for (const rule of rules) {
    const kind = matchedKind(rule, occurrence)
    if (kind === undefined) continue
    const dueAt = dueTime(rule, occurrence.severity, now)
    // Those on shift when it is sent: what waits for a digest or the end of quiet hours goes to the shift of then.
    const onShift = rule.to_on_shift ? onShiftAt(dueAt) : undefined
    for (const channel of channels.filter((each) => isNamed(rule, each, onShift))) {
      const known = targets.get(channel.id)
      if (!known || dueAt < known.dueAt) targets.set(channel.id, { channel, rule, kind, dueAt })
    }
  }
  return [...targets.values()]
}

/** @param onShift of a rule that tells those on shift; a channel that is several people's is told in any case */
function isNamed(
  rule: RuleRow,
  { id, kind, user_id: userId, role }: FanOutChannel,
  onShift: ReadonlySet<UserId> | undefined,
): boolean {
  const isOff = onShift !== undefined && userId !== null && !onShift.has(userId)
  if (kind !== 'web_push') return rule.channel_ids.includes(id) && !isOff
  if (userId === null || role === null) return false
  if (rule.user_ids.includes(userId) || (rule.to_acting_members && canUse(role, 'write'))) return true
  return onShift !== undefined && !isOff
}

type OnShiftAt = (at: Date) => ReadonlySet<UserId>

/** Answers who is told at a moment by rules that notify those on shift. Without such a rule nothing is read. */
async function readShifts(sql: Sql, accountId: AccountId, rules: readonly RuleRow[]): Promise<OnShiftAt> {
  if (!rules.some(({ to_on_shift }) => to_on_shift)) return () => new Set()
  const members = await listRoster(sql, accountId)
  const timeZone = await findShiftZone(sql, accountId)
  // Most are sent at once, and so at the same moment.
  const known = new Map<number, ReadonlySet<UserId>>()
  return (at) => {
    const told = known.get(at.getTime()) ?? recipientsAt(members, timeZone, at).userIds
    known.set(at.getTime(), told)
    return told
  }
}
