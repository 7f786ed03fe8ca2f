import { readProblem } from '@printyard/protocol/connection-problems'
import type { Context } from '../../context/context.ts'
import type { AccountId } from '../../kernel/ids.ts'
import { type HealthEntry, needsPerson } from '../../live/health-entries.ts'
import { workIn } from '../events/work.ts'
import { writeHubHealth } from '../hubs/state/hub-health.queries.ts'
import { writePrinterHealth } from '../printers/state/printer-state.queries.ts'
import { closeFarmTask, openFarmTask } from '../worklist/farm-tasks.ts'
import { type HealthSubject, lockHealth, type Subject } from './health.queries.ts'

/**
 * Writes down what is wrong with a printer or hub: what `change` makes of what was kept. What is new and needs a person
 * gets a task, what is over closes its own. A change of nothing but words is no event. Answers what is kept afterwards.
 */
export function recordHealth(
  context: Pick<Context, 'db' | 'clock'>,
  accountId: AccountId,
  about: Subject,
  change: (kept: HealthEntry[]) => HealthEntry[],
): Promise<HealthEntry[]> {
  return context.db.beginForFarm(accountId, async (sql) => {
    const subject = await lockHealth(sql, accountId, about)
    if (!subject) return []
    const next = change(subject.health)
    const appeared = without(next, subject.health)
    const gone = without(subject.health, next)
    if (subject.kind === 'printer') await writePrinterHealth(sql, accountId, subject.id, next)
    else await writeHubHealth(sql, accountId, subject.id, next)
    if (appeared.length === 0 && gone.length === 0) return next
    const work = workIn(sql, { accountId, actor: 'system', now: context.clock.now() })
    await work.record({
      type: subject.kind === 'printer' ? 'printer.health_changed' : 'hub.health_changed',
      subjectId: subject.id,
      data: { problems: reasonsOf(next), appeared: reasonsOf(appeared), gone: reasonsOf(gone) },
    })
    for (const entry of appeared.filter(needsPerson)) await openFarmTask(work, taskFor(subject, entry))
    for (const entry of gone) {
      const about = { source: 'health' as const, subjectId: taskSubject(subject.id, entry) }
      await closeFarmTask(work, about)
    }
    return next
  })
}

/** A printer can have several problems, and each is another piece of work. */
const taskSubject = (id: string, { reason }: HealthEntry) => `${id} ${reason}`

function taskFor(subject: HealthSubject, entry: HealthEntry) {
  const { message, remedy } = readProblem(entry)
  const isPrinter = subject.kind === 'printer'
  return {
    source: 'health' as const,
    subjectId: taskSubject(subject.id, entry),
    printerId: subject.kind === 'printer' ? subject.id : null,
    task_type: 'maintenance' as const,
    priority: 'high' as const,
    title: `Look at ${isPrinter ? '' : 'the hub '}${subject.name}: ${message.replace(/\.$/, '')}`,
    subtitle: subject.location,
    description: `${message} ${remedy} Since ${entry.since}. This task closes by itself when the problem is gone.`,
  }
}

const without = (entries: readonly HealthEntry[], others: readonly HealthEntry[]) =>
  entries.filter(({ reason }) => !others.some((other) => other.reason === reason))

const reasonsOf = (entries: readonly HealthEntry[]) => entries.map(({ reason }) => reason)
