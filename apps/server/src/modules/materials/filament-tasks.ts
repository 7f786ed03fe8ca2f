import type { Context } from '../../context/context.ts'
import type { AccountId } from '../../kernel/ids.ts'
import { makeStartRounds } from '../../live/start-rounds.ts'
import { type Work, workIn } from '../events/work.ts'
import type { FarmFacts, PrinterFacts } from '../matching/farm-facts.ts'
import { filamentFit } from '../matching/filament-match.ts'
import { loadDemand } from '../matching/load-demand.ts'
import { closeFarmTask, filamentSubject, listFilamentTasks, openFarmTask } from '../worklist/farm-tasks.ts'
import { type FilamentChange, filamentChanges, keyOf, type LoadedPrinter } from './filament-changes.ts'

/** A task that a person closed although the filament is still needed is not made again for this long. */
const quietMs = 60 * 60_000

/**
 * Keeps the tasks to change filament of all farms in line with their queues. Of a farm whose printers are just being started all of the
 * queue would be read beside that, and is another one afterwards: it has its turn when they are, and the others do not wait for that.
 */
export async function sweepFilamentTasks(
  context: Pick<Context, 'db' | 'clock' | 'hubs' | 'printers' | 'memory'>,
): Promise<void> {
  const accounts = await context.db.sql<{ id: AccountId }[]>`
    /* every account: the sweep looks after the queues of all farms */
    select a.id from accounts a
    where exists (select from jobs j where j.account_id = a.id and j.status = 'queued')
       or exists (
         select from worklist_tasks w
         where w.account_id = a.id and w.filament_key is not null and w.status in ('pending', 'in_progress')
       )`
  const rounds = context.memory.hold(makeStartRounds, undefined)
  const starting: AccountId[] = []
  for (const { id } of accounts) {
    if (rounds.end(id)) starting.push(id)
    else await keepFilamentTasks(context, id)
  }
  async function keepAfterStarts(id: AccountId): Promise<void> {
    await rounds.end(id)
    await keepFilamentTasks(context, id)
  }
  await Promise.all(starting.map(keepAfterStarts))
}

/** Makes the tasks that the queue of a farm asks for, and closes those that are done or not needed any more. */
export async function keepFilamentTasks(
  context: Pick<Context, 'db' | 'clock' | 'hubs' | 'printers'>,
  accountId: AccountId,
): Promise<void> {
  const now = context.clock.now()
  await context.db.begin(async (sql) => {
    const work = workIn(sql, { accountId, actor: 'system', now })
    const { printers: all, demand, farm } = await loadDemand(context, sql, accountId)
    const printers = all.filter(({ is_active, in_maintenance }) => is_active && !in_maintenance).map(presentPrinter)
    const known = await listFilamentTasks(sql, accountId, new Date(now.getTime() - quietMs))
    const changes = filamentChanges(printers.toSorted(byName), demand, known, farm)
    const isSame = (a: Pick<FilamentChange, 'printerId' | 'key'>) => (b: Pick<FilamentChange, 'printerId' | 'key'>) =>
      a.printerId === b.printerId && a.key === b.key
    for (const change of changes) if (!known.some(isSame(change))) await openTask(work, change)
    for (const task of known) {
      if (!task.isOpen || changes.some(isSame(task))) continue
      const printer = printers.find(({ id }) => id === task.printerId)
      // What is loaded at a printer whose hub is away, or connected to another process, cannot be told.
      if (printer && !printer.is_in_sight && demand.some((wanted) => keyOf(wanted) === task.key)) continue
      const about = { source: 'filament' as const, subjectId: filamentSubject(task.printerId, task.key) }
      const status = printer && isLoaded(printer, task.key, farm) ? 'completed' : 'cancelled'
      await closeFarmTask(work, about, status)
    }
  })
}

const byName = (a: LoadedPrinter, b: LoadedPrinter) => a.name.localeCompare(b.name)

function presentPrinter(printer: PrinterFacts): LoadedPrinter {
  return {
    ...printer,
    is_free: !printer.has_live_attempt,
    is_in_sight: printer.hub_id === null || printer.hub_online,
  }
}

/** True when every filament of a task is in the printer now. */
function isLoaded(printer: LoadedPrinter, key: string, farm: FarmFacts): boolean {
  return key.split('\n').every((line) => {
    const [type = '', color = ''] = line.split('|')
    const need = { indexes: [0], type, color, preset_id: '', tool: null, grams: null }
    return printer.places.some((place) => filamentFit(place, need, true, farm) === 'yes')
  })
}

async function openTask(work: Work, change: FilamentChange): Promise<void> {
  const { printerId, key } = change
  await openFarmTask(work, {
    source: 'filament',
    subjectId: filamentSubject(printerId, key),
    filamentKey: key,
    printerId,
    task_type: 'filament_change',
    priority: 'medium',
    title: `Load ${change.filament}`,
    subtitle: change.printerName,
    description: '',
    jobs: change.jobs,
  })
}
