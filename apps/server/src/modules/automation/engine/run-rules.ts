import type { Context } from '../../../context/context.ts'
import { type AccountId, type EventId, newId } from '../../../kernel/ids.ts'
import { finalEvents, takeNextEvents } from '../../events/feed-readers.queries.ts'
import { type Work, workBy, workIn } from '../../events/work.ts'
import { listEvents, type WholeEvent } from '../../notifications/delivery/facts.queries.ts'
import { isOfInterest, readEvent } from '../../notifications/delivery/read-event.ts'
import type { Kind } from '../../notifications/rules/kinds.ts'
import { matchedKind } from '../../notifications/rules/matches.ts'
import type { Occurrence } from '../../notifications/rules/occurrence.ts'
import { moveFeed } from '../feed/feed.queries.ts'
import type { ActionName } from '../rules/actions.ts'
import { listWatchingRules, type RuleRow } from '../rules/rules.queries.ts'
import { countActed, countWaiting, insertRun, listRulesRun, type NewRun, type Step } from '../runs/runs.queries.ts'
import { act } from './act.ts'

/** Actor for a rule, in records. */
const actorPrefix = 'rule:'

const hourMs = 3_600_000

/**
 * What one look does at most. It is one transaction, and events of all accounts become final only after the transactions that are older
 * than theirs.
 */
const mostSteps = 20
const mostMs = 250

/**
 * Looks through what happened in an account since the last time, and does what its rules say. What a rule does, the note of it and the
 * position in the feed are one transaction: a process that is killed leaves all of it undone, and the next one does it.
 *
 * @returns whether there may be more to look through
 */
export async function runRules(context: Context, accountId: AccountId): Promise<boolean> {
  return context.db.begin(async (sql) => {
    const look = finalEvents(await takeNextEvents(sql, 'automation_feeds', [accountId]))
    const events = look.events.flat()
    const interesting = events.filter(({ type }) => isOfInterest(type)).map(({ id }) => id)
    const whole = interesting.length > 0 ? await listEvents(sql, accountId, interesting) : []
    const work = workIn(sql, { accountId, actor: 'system', now: context.clock.now() })
    const stoppedIn = await lookAt(context, work, whole)
    const reached = stoppedIn === undefined ? events.at(-1) : events[events.findIndex(({ id }) => id === stoppedIn) - 1]
    if (reached) await moveFeed(sql, reached)
    return look.hasMore || stoppedIn !== undefined
  })
}

/** Does what rules say of these events. Answers the event at which it stopped for now, of which some rules may have had their turn. */
async function lookAt(context: Context, work: Work, events: readonly WholeEvent[]): Promise<EventId | undefined> {
  const [first] = events
  if (!first) return undefined
  const rules = await listWatchingRules(work.sql, work.accountId)
  if (rules.length === 0) return undefined
  const startedAt = performance.now()
  // Of the first event some rules had their turn when the last look stopped in it.
  let had = await listRulesRun(work.sql, work.accountId, first.id)
  let steps = 0
  for (const event of events) {
    // What rules do runs no rules.
    const read = event.actor.startsWith(actorPrefix) ? undefined : await readEvent(work.sql, work.accountId, event)
    if (read !== undefined && !('ends' in read)) {
      for (const rule of rules) {
        const kind = matchedKind({ ...rule, is_active: true }, read)
        if (kind === undefined || had.has(rule.id)) continue
        if (steps >= mostSteps || performance.now() - startedAt > mostMs) return event.id
        steps += await meet(context, work, { rule, kind, occurrence: read, event })
      }
    }
    had = new Set()
  }
  return undefined
}

/** A run of which it is not known yet what comes of it. */
type Started = Omit<NewRun, 'outcome' | 'steps'>

interface Match {
  rule: RuleRow
  kind: Kind
  occurrence: Occurrence
  event: WholeEvent
}

/** One occurrence that a rule waits for. Answers how many steps it took. */
async function meet(context: Context, work: Work, { rule, kind, occurrence, event }: Match): Promise<number> {
  const { now } = work
  const about = aboutOf(occurrence)
  const run: Started = {
    id: newId('automationRun', now.getTime()),
    rule_id: rule.id,
    event_id: event.id,
    kind,
    title: occurrence.title,
    path: occurrence.path,
    about,
    happened_at: event.created_at,
  }
  const outcome = await outcomeOf(work, rule, run)
  const own = workBy(work, `${actorPrefix}${rule.id}`)
  const steps = outcome === 'ran' ? await takeSteps(context, own, { rule, run, occurrence }) : []
  if (outcome === 'trial') steps.push(...rule.actions.map((action) => notDone(action.do)))
  await insertRun(work, { ...run, outcome, steps })
  return steps.length
}

async function outcomeOf(work: Work, rule: RuleRow, run: Started): Promise<NewRun['outcome']> {
  const { sql, accountId, now } = work
  if (rule.times > 1) {
    const since = new Date(run.happened_at.getTime() - rule.within_minutes * 60_000)
    const waiting = await countWaiting(sql, accountId, rule.id, { about: run.about, since })
    if (waiting + 1 < rule.times) return 'counted'
  }
  if (rule.mode === 'trial') return 'trial'
  const acted = await countActed(sql, accountId, rule.id, new Date(now.getTime() - hourMs))
  return acted < rule.most_per_hour ? 'ran' : 'held'
}

async function takeSteps(
  context: Context,
  work: Work,
  { rule, run, occurrence }: { rule: RuleRow; run: Started; occurrence: Occurrence },
): Promise<Step[]> {
  await work.record({
    type: 'automation_rule.ran',
    subjectId: rule.id,
    data: { run_id: run.id, kind: run.kind, title: run.title, event_id: run.event_id, about: run.about },
  })
  const steps: Step[] = []
  for (const action of rule.actions) steps.push(await act(context, work, { action, rule, occurrence }))
  return steps
}

const notDone = (name: ActionName): Step => ({ do: name, result: 'not_done', detail: '' })

/** Answers what repeated occurrences are counted by. */
function aboutOf({ printerId, orderId, skuId, productId, subject }: Occurrence): string {
  return printerId ?? orderId ?? skuId ?? productId ?? subject
}
