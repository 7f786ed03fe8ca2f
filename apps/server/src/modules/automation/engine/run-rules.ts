import type { Context } from '../../../context/context.ts'
import { type AccountId, newId } from '../../../kernel/ids.ts'
import { finalEvents, takeNextEvents } from '../../events/feed-readers.queries.ts'
import { type Work, workBy, workIn } from '../../events/work.ts'
import { listEvents, type WholeEvent } from '../../notifications/delivery/facts.queries.ts'
import { isOfInterest, readEvent } from '../../notifications/delivery/read-event.ts'
import type { Kind } from '../../notifications/rules/kinds.ts'
import { matchedKind } from '../../notifications/rules/matches.ts'
import type { Occurrence } from '../../notifications/rules/occurrence.ts'
import type { ActionName } from '../rules/actions.ts'
import { listWatchingRules, type RuleRow } from '../rules/rules.queries.ts'
import { countActed, countWaiting, insertRun, type NewRun, type Step } from '../runs/runs.queries.ts'
import { act } from './act.ts'
import { moveFeed } from './feed.queries.ts'

/** What acts for a rule, in records. */
const actorPrefix = 'rule:'

const hourMs = 3_600_000

/**
 * Looks through what happened in an account since the last time, and does what its rules say. What a rule does, the note of it and the
 * position in the feed are one transaction: a process that is killed leaves all of it undone, and the next one does it.
 */
export async function runRules(context: Context, accountId: AccountId): Promise<void> {
  for (let hasMore = true; hasMore; ) {
    hasMore = await context.db.begin(async (sql) => {
      const look = finalEvents(await takeNextEvents(sql, 'automation_feeds', [accountId]))
      const events = look.events.flat()
      const last = events.at(-1)
      if (!last) return false
      const interesting = events.filter(({ type }) => isOfInterest(type)).map(({ id }) => id)
      if (interesting.length > 0) {
        const work = workIn(sql, { accountId, actor: 'system', now: context.clock.now() })
        await lookAt(context, work, await listEvents(sql, accountId, interesting))
      }
      await moveFeed(sql, last)
      return look.hasMore
    })
  }
}

async function lookAt(context: Context, work: Work, events: readonly WholeEvent[]): Promise<void> {
  const rules = await listWatchingRules(work.sql, work.accountId)
  if (rules.length === 0) return
  for (const event of events) {
    // What rules do runs no rules.
    if (event.actor.startsWith(actorPrefix)) continue
    const read = await readEvent(work.sql, work.accountId, event)
    if (read === undefined || 'ends' in read) continue
    for (const rule of rules) {
      const kind = matchedKind({ ...rule, is_active: true }, read)
      if (kind !== undefined) await meet(context, work, { rule, kind, occurrence: read, event })
    }
  }
}

/** A run of which it is not known yet what comes of it. */
type Begun = Omit<NewRun, 'outcome' | 'steps'>

interface Match {
  rule: RuleRow
  kind: Kind
  occurrence: Occurrence
  event: WholeEvent
}

/** One occurrence that a rule waits for. */
async function meet(context: Context, work: Work, { rule, kind, occurrence, event }: Match): Promise<void> {
  const { now } = work
  const about = aboutOf(occurrence)
  const run: Begun = {
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
}

async function outcomeOf(work: Work, rule: RuleRow, run: Begun): Promise<NewRun['outcome']> {
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
  { rule, run, occurrence }: { rule: RuleRow; run: Begun; occurrence: Occurrence },
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

/** What repeated occurrences are counted by. */
function aboutOf({ printerId, orderId, skuId, productId, subject }: Occurrence): string {
  return printerId ?? orderId ?? skuId ?? productId ?? subject
}
