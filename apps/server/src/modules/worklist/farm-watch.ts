import { HUB_STALE_AFTER_MS } from '@printyard/protocol/version'
import type { Context } from '../../context.ts'
import { settleAttempt } from '../jobs/attempts.service.ts'
import { honourCancels } from '../jobs/cancel-job.ts'
import { closeFarmTask, openFarmTask } from './farm-tasks.ts'
import {
  type FateToAskAbout,
  listFatesToAskAbout,
  listOrdersLostWithHub,
  listPrintersInError,
  listSilentHubs,
  listTasksWithoutReason,
  lockFateToAskAbout,
} from './farm-watch.queries.ts'

/** How long something may stay unclear before a person is asked to look. */
const patienceMs = 10 * 60_000

/** How long nobody is asked again about a fate whose task was closed without an answer. */
const askAgainAfterMs = 60 * 60_000

/**
 * One turn of looking after all farms: what needs a person gets a task, what does not any more is closed. Everything that
 * it decides by is in the database, so that a restart forgets nothing, and several processes that do it at once make each
 * task once.
 */
export async function watchFarms(context: Context): Promise<void> {
  await honourCancels(context)
  await giveUpOrdersLostWithHub(context)
  await askAboutFates(context)
  await askAboutErrors(context)
  await askAboutSilentHubs(context)
  await closeTasksWithoutReason(context)
}

const before = (context: Context, ms: number) => new Date(context.clock.now().getTime() - ms)

/** A hub that vanished with an order on its way may have begun it: from now on its fate is unknown. */
async function giveUpOrdersLostWithHub(context: Context): Promise<void> {
  const silentSince = { attempt: before(context, patienceMs), hub: before(context, patienceMs) }
  for (const order of await listOrdersLostWithHub(context.db.sql, silentSince)) {
    if (context.hubs.isOnline(order.hub_id)) continue
    await settleAttempt(context, order.account_id, order.id, {
      phase: 'starting',
      outcome: 'unknown',
      reason_code: 'HUB_LOST',
      evidence: { kind: 'silence', run_id: null, detail: 'The hub went away while the order was on its way' },
      unknownSince: order.updated_at,
      actor: 'system',
    })
  }
}

async function askAboutFates(context: Context): Promise<void> {
  const since = { unknown: before(context, patienceMs), closed: before(context, askAgainAfterMs) }
  for (const { account_id, id } of await listFatesToAskAbout(context.db.sql, since)) {
    await context.db.begin(async (sql) => {
      const fate = await lockFateToAskAbout(sql, account_id, id)
      if (fate) await openFarmTask(sql, account_id, questionAbout(fate), context.clock.now())
    })
  }
}

function questionAbout(fate: FateToAskAbout) {
  const what = fate.product_name ?? fate.file_name
  const since = fate.unknown_since?.toISOString() ?? ''
  return {
    source: 'unknown_fate' as const,
    subjectId: fate.printer_id,
    printerId: fate.printer_id,
    attemptId: fate.id,
    task_type: 'maintenance' as const,
    priority: 'high' as const,
    title: `Look at ${fate.printer_name}: did it print ${what}?`,
    subtitle: fate.location,
    description:
      `Plate ${fate.plate_number} of ${fate.plates_total} of the job ${fate.job_id} (${fate.file_name}) was sent to ` +
      `${fate.printer_name}, and since ${since} nothing shows what became of it. Nothing else starts there until ` +
      'somebody says what they see: it was printed, it failed, or it was never started. Resolve the job with that.',
  }
}

async function askAboutErrors(context: Context): Promise<void> {
  for (const printer of await listPrintersInError(context.db.sql, before(context, patienceMs))) {
    const reason = context.hubs.findLive(printer.id)?.state.status_reason
    await context.db.begin((sql) =>
      openFarmTask(
        sql,
        printer.account_id,
        {
          source: 'printer_error',
          subjectId: printer.id,
          printerId: printer.id,
          task_type: 'maintenance',
          priority: 'high',
          title: `Look at ${printer.name}: it reports an error`,
          subtitle: printer.location,
          description: `Since ${printer.error_since?.toISOString() ?? ''}${reason ? `: ${reason}` : ''}. This task closes by itself when the error is gone.`,
        },
        context.clock.now(),
      ),
    )
  }
}

async function askAboutSilentHubs(context: Context): Promise<void> {
  for (const hub of await listSilentHubs(context.db.sql, before(context, patienceMs))) {
    const printers = hub.printers === 1 ? 'Its printer is' : `Its ${hub.printers} printers are`
    await context.db.begin((sql) =>
      openFarmTask(
        sql,
        hub.account_id,
        {
          source: 'hub_silent',
          subjectId: hub.id,
          printerId: null,
          task_type: 'maintenance',
          priority: 'high',
          title: `Look at the hub ${hub.name}: nothing is heard of it`,
          subtitle: '',
          description: `Since ${hub.last_seen_at.toISOString()}. ${printers} out of reach; what they print goes on. This task closes by itself when the hub is heard again.`,
        },
        context.clock.now(),
      ),
    )
  }
}

async function closeTasksWithoutReason(context: Context): Promise<void> {
  const closed = { status: 'completed' as const, by: 'system', now: context.clock.now() }
  for (const task of await listTasksWithoutReason(context.db.sql, before(context, HUB_STALE_AFTER_MS))) {
    await context.db.begin((sql) =>
      closeFarmTask(sql, task.account_id, { source: task.source, subjectId: task.subject_id }, closed),
    )
  }
}
