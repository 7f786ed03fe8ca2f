import { HUB_STALE_AFTER_MS } from '@printyard/protocol/version'
import type { Context } from '../../context/context.ts'
import type { Transaction } from '../../db/database.ts'
import type { AccountId } from '../../kernel/ids.ts'
import { workIn } from '../events/work.ts'
import { askAboutFate } from '../jobs/life/ask-about-fate.ts'
import { settleAttempt } from '../jobs/life/attempts.service.ts'
import { honourCancels } from '../jobs/life/cancel-job.ts'
import {
  listFatesToAskAbout,
  listPrintersInError,
  listPrintsOutOfReach,
  listSilentHubs,
  listSilentStarts,
  listStartsLostWithHub,
  listTasksWithoutReason,
} from '../jobs/life/farm-watch.queries.ts'
import { closeFarmTask, openFarmTask } from '../worklist/farm-tasks.ts'

/** Time that something may stay unclear before a person is asked to look. */
const patienceMs = 10 * 60_000

/** Time that a printer with our print on it may be out of reach before a person is asked to look. */
const outOfReachPatienceMs = 5 * 60_000

/** Time that a start that was sent may be without an outcome. Its hub gives up after 90 s, so it has lost count. */
const startPatienceMs = 5 * 60_000

/** Time that no one is asked again about a fate whose task was closed without an answer. */
const askAgainAfterMs = 60 * 60_000

/**
 * One turn of looking after all farms: what needs a person gets a task, what does not any more is closed. Everything that
 * it decides by is in the database, so that a restart forgets nothing, and several processes that do it at once make each
 * task once.
 */
export async function watchFarms(context: Context): Promise<void> {
  await honourCancels(context)
  await giveUpStartsLostWithHub(context)
  await giveUpSilentStarts(context)
  await askAboutFates(context)
  await askAboutPrintsOutOfReach(context)
  await askAboutErrors(context)
  await askAboutSilentHubs(context)
  await closeTasksWithoutReason(context)
}

/** What no person asked for. */
const asFarm = ({ clock }: Context, sql: Transaction, accountId: AccountId) =>
  workIn(sql, { accountId, actor: 'system', now: clock.now() })

const before = (context: Context, ms: number) => new Date(context.clock.now().getTime() - ms)

/** A hub that vanished with a command on its way may have started it: from now on its fate is unknown. */
async function giveUpStartsLostWithHub(context: Context): Promise<void> {
  const silentSince = { attempt: before(context, patienceMs), hub: before(context, patienceMs) }
  for (const start of await listStartsLostWithHub(context.db.sql, silentSince)) {
    if (context.hubs.isOnline(start.hub_id)) continue
    await settleAttempt(context, start.account_id, start.id, {
      phase: 'starting',
      outcome: 'unknown',
      reason_code: 'HUB_LOST',
      evidence: { kind: 'silence', run_id: null, detail: 'The hub went away while the command was on its way' },
      unknownSince: start.updated_at,
      actor: 'system',
    })
  }
}

/** The clock of the service decides too: a hub may be there and say nothing of a start, as one that restarts all the time. */
async function giveUpSilentStarts(context: Context): Promise<void> {
  const since = { starting: before(context, startPatienceMs), reserved: before(context, patienceMs) }
  for (const start of await listSilentStarts(context.db.sql, since)) {
    await settleAttempt(context, start.account_id, start.id, {
      phase: 'starting',
      outcome: 'unknown',
      reason_code: 'HUB_SILENT',
      evidence: {
        kind: 'silence',
        run_id: null,
        detail: 'The start was sent, and the hub does not say what became of it',
      },
      unknownSince: start.updated_at,
      actor: 'system',
    })
  }
}

/** A printer that does not answer while its hub does, with our print on it: only a person can see how it is. */
async function askAboutPrintsOutOfReach(context: Context): Promise<void> {
  for (const print of await listPrintsOutOfReach(context.db.sql, before(context, outOfReachPatienceMs))) {
    const what = print.product_name ?? print.file_name
    const seen = print.progress === null ? '' : ` It was last seen at ${Math.floor(print.progress)} %.`
    await context.db.begin((sql) =>
      openFarmTask(asFarm(context, sql, print.account_id), {
        source: 'out_of_reach',
        subjectId: print.printer_id,
        printerId: print.printer_id,
        attemptId: print.attempt_id,
        task_type: 'maintenance',
        priority: 'high',
        title: `Look at ${print.printer_name}: it does not answer, and ${what} is on it`,
        subtitle: print.location,
        description:
          `Since ${print.out_of_reach_since?.toISOString() ?? ''} the printer does not answer its hub. It has the job ` +
          `${print.job_id}.${seen} When it answers again its print is followed on, and this task closes by itself. When the ` +
          'print is over, resolve the job with what you see, or stop it and say that you looked (seen_over).',
      }),
    )
  }
}

async function askAboutFates(context: Context): Promise<void> {
  const since = { unknown: before(context, patienceMs), closed: before(context, askAgainAfterMs) }
  for (const { account_id, id } of await listFatesToAskAbout(context.db.sql, since)) {
    await context.db.begin((sql) => askAboutFate(asFarm(context, sql, account_id), id))
  }
}

async function askAboutErrors(context: Context): Promise<void> {
  for (const printer of await listPrintersInError(context.db.sql, before(context, patienceMs))) {
    const reason = context.printers.find(printer.id)?.state.status_reason
    await context.db.begin((sql) =>
      openFarmTask(asFarm(context, sql, printer.account_id), {
        source: 'printer_error',
        subjectId: printer.id,
        printerId: printer.id,
        task_type: 'maintenance',
        priority: 'high',
        title: `Look at ${printer.name}: it reports an error`,
        subtitle: printer.location,
        description: `Since ${printer.error_since?.toISOString() ?? ''}${reason ? `: ${reason}` : ''}. This task closes by itself when the error is gone.`,
      }),
    )
  }
}

async function askAboutSilentHubs(context: Context): Promise<void> {
  for (const hub of await listSilentHubs(context.db.sql, before(context, patienceMs))) {
    const printers = hub.printers === 1 ? 'Its printer is' : `Its ${hub.printers} printers are`
    await context.db.begin((sql) =>
      openFarmTask(asFarm(context, sql, hub.account_id), {
        source: 'hub_silent',
        subjectId: hub.id,
        printerId: null,
        task_type: 'maintenance',
        priority: 'high',
        title: `Look at the hub ${hub.name}: nothing is heard of it`,
        subtitle: '',
        description: `Since ${hub.last_seen_at.toISOString()}. ${printers} out of reach; what they print goes on. This task closes by itself when the hub is heard again.`,
      }),
    )
  }
}

async function closeTasksWithoutReason(context: Context): Promise<void> {
  for (const task of await listTasksWithoutReason(context.db.sql, before(context, HUB_STALE_AFTER_MS))) {
    await context.db.begin((sql) =>
      closeFarmTask(asFarm(context, sql, task.account_id), { source: task.source, subjectId: task.subject_id }),
    )
  }
}
