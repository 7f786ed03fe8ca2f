import { setTimeout as wait } from 'node:timers/promises'
import type { Logger } from 'pino'
import { buildApp } from './app.ts'
import { Cluster } from './cluster/cluster.ts'
import { type Context, defaultTimeouts, type Timeouts } from './context/context.ts'
import type { ConnectedDatabase, OpenedDatabase } from './db/connect-database.ts'
import { DatabaseClock } from './db/database-clock.ts'
import { openFileStore } from './file-store/open-file-store.ts'
import { answerPeers } from './gateway/peer-questions.ts'
import { releaseAbandonedKeys } from './http/idempotency.ts'
import { systemClock } from './kernel/clock.ts'
import type { Config } from './kernel/config.ts'
import { newId } from './kernel/ids.ts'
import { Memory } from './kernel/memory.ts'
import { openSecretBox } from './kernel/secret-box.ts'
import { every } from './kernel/timers.ts'
import { openLimits } from './limits/open-limits.ts'
import { ownFences } from './live/fences.ts'
import { createLive } from './live/live.ts'
import { noPeers } from './live/peers.ts'
import { downloadsOf } from './modules/account-data/download/export-downloads.ts'
import { acceptRestoredAutomationFeeds } from './modules/automation/feed/feed.queries.ts'
import { getSchedule } from './modules/backups/backup-schedule.queries.ts'
import { makerOf, watchBackups } from './modules/backups/backups.service.ts'
import { watchCertificate } from './modules/certificate/certificate.service.ts'
import { acceptRestoredEvents } from './modules/events/event-feed.queries.ts'
import { removeStaleUploads } from './modules/files/uploads.service.ts'
import { watchFarms } from './modules/floor/farm-watch.ts'
import { watchHealth } from './modules/health/follow-health.ts'
import { watchConditions } from './modules/health/printer-conditions.ts'
import { sharedFences } from './modules/hubs/state/shared-fences.ts'
import { settleAbandonedCommands } from './modules/jobs/life/follow-printer.ts'
import { sweepFilamentTasks } from './modules/materials/filament-tasks.ts'
import { acceptRestoredNotificationFeeds } from './modules/notifications/account/feed.queries.ts'
import { removeWhatIsOver } from './modules/retention/retention.service.ts'
import { resumePrinterTime, sweepPrinterTime } from './modules/timeline/follow-printer-time.ts'
import { acceptRestoredFeeds } from './modules/webhooks/delivery/fan-out.queries.ts'
import { lookEveryMs, type ServedCertificate } from './tls/served-certificate.ts'

/** Time that hubs that have a command are waited for before they are told to go to another process. */
const settleTimeoutMs = 2_000

/** Time that requests that are under way may still take when the service stops. */
const drainTimeoutMs = 5_000

export interface RunningService {
  /** Address at which it listens, such as `http://127.0.0.1:4400`. */
  url: string
  context: Context
  /** Resolves when the service cannot go on: its own database does not come up any more. */
  failed: Promise<Error>
  /** Stops orderly: no new work, requests finished, hubs told, database stopped. Under 10 s; can be called twice. */
  stop(): Promise<void>
}

/** What a service is started with. */
interface Start {
  config: Config
  version: string
  log: Logger
  timeouts?: Timeouts | undefined
  certificate: ServedCertificate | undefined
}

/**
 * Runs the service on a database, which it closes in the end; also when it cannot start. With that of a data directory all is built while its
 * server starts.
 */
export async function runService(
  { database, kind }: OpenedDatabase,
  connecting: Promise<ConnectedDatabase>,
  { config, version, log, timeouts = defaultTimeouts, certificate }: Start,
): Promise<RunningService> {
  let isDraining = false
  const started: (() => Promise<void> | void)[] = [async () => (await connecting.catch(() => undefined))?.close()]
  try {
    // With the database of a data directory there is no other process that hubs could connect to.
    const isShared = kind === 'external'
    if (isShared) await connecting
    const readInstallation = async () => (await getSchedule((await connecting).database.sql)).installation_id
    const { limits, close: closeLimits } = await openLimits(config, log)
    started.push(closeLimits)
    const processId = newId('process')
    const secrets = await openSecretBox(config)
    // An embedded database has the clock of this machine.
    const databaseClock = isShared ? await DatabaseClock.open(database.sql, { log }) : undefined
    const clock = databaseClock ?? systemClock
    const fences = isShared ? sharedFences(database, processId) : ownFences
    const cluster =
      isShared && config.redisUrl !== undefined
        ? new Cluster({ config, processId, installationId: await readInstallation(), secrets, clock, log })
        : undefined
    const context: Context = {
      config,
      version,
      db: database,
      ...createLive(fences, cluster ?? noPeers),
      memory: new Memory(),
      limits,
      files: await openFileStore(config, readInstallation, log),
      secrets,
      clock,
      log,
      timeouts,
      certificate,
      isDraining: () => isDraining,
    }
    const app = await buildApp(context)
    started.push(() => app.close())
    const connected = await connecting
    database.coherence.join(log, { isAlone: !isShared })
    const others = isShared ? await database.coherence.countOthers() : 0
    if (others > 0 && config.redisUrl === undefined) {
      log.warn(
        { setting: 'REDIS_URL' },
        'another process works on this database: without REDIS_URL neither shows what hubs of the other report, nor sends them commands',
      )
    }
    if (cluster) {
      started.push(() => cluster.close())
      cluster.answerBy(answerPeers(context))
      await cluster.join(context)
    }
    await Promise.all([
      takeOver(context, { isAlone: !isShared, hasOthers: others > 0 }),
      ...[
        acceptRestoredEvents,
        acceptRestoredFeeds,
        acceptRestoredNotificationFeeds,
        acceptRestoredAutomationFeeds,
      ].map((accept) => accept(database.sql)),
    ])
    const timers = [
      ...(databaseClock === undefined ? [] : [databaseClock.follow()]),
      every(15_000, 'look where the time of printers goes', log, () => sweepPrinterTime(context)),
      every(10_000, 'settle abandoned orders', log, () =>
        settleAbandonedCommands(context, new Date(context.clock.now().getTime() - 5_000)),
      ),
      every(15_000, 'ask for filament', log, () => sweepFilamentTasks(context)),
      every(10_000, 'look after the farms', log, () => watchFarms(context)),
      every(5_000, 'look after the health of printers and hubs', log, () => watchHealth(context)),
      every(5_000, 'tell which printers are out of reach', log, () => watchConditions(context)),
      every(10_000, 'make the backups that are due', log, () => watchBackups(context)),
      ...(certificate === undefined
        ? []
        : [
            every(lookEveryMs, 'look whether there is another certificate', log, async () => certificate.look()),
            every(60_000, 'tell when the certificate ends', log, () => watchCertificate(context)),
          ]),
      every(3_600_000, 'remove stale uploads', log, () => removeStaleUploads(context)),
      every(3_600_000, 'remove what is over', log, () => removeWhatIsOver(context)),
    ]
    started.push(...timers)
    await removeStaleUploads(context)
    await watchCertificate(context)
    const address = await app.listen({ host: config.host, port: config.port })
    // The framework does not know what the server of ours speaks.
    const url = certificate === undefined ? address : address.replace(/^http:/, 'https:')
    connected.announce({ url })

    let stopping: Promise<void> | undefined
    async function stop(): Promise<void> {
      isDraining = true
      for (const stopTimer of timers) stopTimer()
      const childrenStopped = Promise.all([makerOf(context).stop(), downloadsOf(context).stop()])
      if (cluster) await settleCommands(context)
      context.hubs.closeAll({
        reason: 'service_restart',
        message: 'The service is restarting.',
        // Another process lets it in at once.
        retry_after_ms: cluster ? 0 : 1_000,
      })
      // Other processes hear meanwhile that the hubs have left.
      if (cluster) await wait(config.drainSeconds * 1_000)
      const dropConnections = setTimeout(() => app.server.closeAllConnections(), drainTimeoutMs)
      await app.close()
      clearTimeout(dropConnections)
      await childrenStopped
      await cluster?.close()
      closeLimits()
      await connected.close()
    }
    return {
      url,
      context,
      failed: connected.embedded?.failed ?? new Promise(() => undefined),
      stop() {
        stopping ??= stop()
        return stopping
      },
    }
  } catch (error) {
    isDraining = true
    await undo(error, started)
    throw error
  }
}

/** Settles what a former process left: commands and requests without an answer, and printers that nothing watched meanwhile. */
async function takeOver(
  context: Context,
  { isAlone, hasOthers }: { isAlone: boolean; hasOthers: boolean },
): Promise<void> {
  const now = context.clock.now().getTime()
  const settle = async () => {
    // With the embedded database this is the only service: whatever waits for an answer was left by a former one.
    await settleAbandonedCommands(context, new Date(isAlone ? now + 24 * 3_600_000 : now))
    // Another process has watched the printers meanwhile.
    if (!hasOthers) await resumePrinterTime(context)
  }
  await Promise.all([settle(), isAlone && releaseAbandonedKeys(context)])
}

/** Waits a moment for hubs that have a command: without their connection it would not be known what came of it. */
async function settleCommands({ pending }: Context): Promise<void> {
  const untilMs = performance.now() + settleTimeoutMs
  while (!pending.isEmpty && performance.now() < untilMs) await wait(20)
}

/** Stops what was started before a failure, the last first. */
async function undo(error: unknown, started: (() => Promise<void> | void)[]): Promise<void> {
  for (const stop of started.reverse()) {
    try {
      await stop()
    } catch (stopping) {
      throw new AggregateError([error, stopping], 'The service could not start, nor stop what it had started.')
    }
  }
}
