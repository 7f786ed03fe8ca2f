import type { Context } from '../../context/context.ts'
import { isConnectionError } from '../../db/database-errors.ts'
import type { App } from '../../http/types.ts'
import type { AccountId } from '../../kernel/ids.ts'
import { KeyedWorker } from '../../kernel/keyed-worker.ts'
import { every } from '../../kernel/timers.ts'
import { isWarmingUp } from '../matching/heating.ts'
import { listAccountsWithWork } from './scheduler.queries.ts'
import { startWaitingJobs } from './start-waiting-jobs.ts'

/** What comes within this time is one wake: jobs are often queued many at once. */
const coalesceMs = 20

/** Finds what no event told: what another process recorded, a pause that is over, a moment that has come. */
const sweepMs = 5_000

/** Accounts whose rounds run at once. Each holds one connection for transactions; requests need the others. */
const mostRounds = 2

/** How long a stop waits for the answers to starts. What is still open then is settled with the hub's journal. */
const stopTimeoutMs = 2_000

/** Whatever happens to these can free a printer or make a job fit. */
const wakingEvents = [
  'job.',
  'printer.',
  'hub.',
  'filament.',
  'material.',
  'worklist.',
  'color.',
  'scheduler.',
  'account.',
]

interface Scheduler {
  /** Looks at an account soon. */
  wake(accountId: AccountId): void
  /** Ends its timers and waits for what is under way. */
  stop(): Promise<void>
}

/** Starts queued jobs by themselves on printers with `auto_start`, from the moment the application listens. */
export function scheduleJobs(app: App, context: Context): void {
  let scheduler: Scheduler | undefined
  app.addHook('onListen', async () => {
    scheduler ??= runScheduler(context)
  })
  app.addHook('onClose', async () => {
    await scheduler?.stop()
  })
}

/** Woken by events and reports; any number may run on one database. */
export function runScheduler(context: Context): Scheduler {
  const starts = new Set<Promise<void>>()
  const rounds = new KeyedWorker<AccountId>(runRound, {
    atOnce: mostRounds,
    gatherMs: coalesceMs,
    onError(error, accountId) {
      // The sweep comes by again.
      if (context.isDraining()) return undefined
      if (isConnectionError(error)) context.log.warn({ err: error }, 'jobs could not be started: the database is away')
      else context.log.error({ err: error, account_id: accountId }, 'a round of the scheduler failed')
      return undefined
    },
  })
  const wake = (accountId: AccountId) => void rounds.request(accountId)

  async function runRound(accountId: AccountId): Promise<void> {
    if (context.isDraining()) return
    for (const { isOver } of await startWaitingJobs(context, accountId)) {
      starts.add(isOver)
      void isOver.finally(() => starts.delete(isOver))
    }
  }

  const stopSweep = every(sweepMs, 'look for jobs to start', context.log, async () => {
    const hubIds = context.hubs.listHubIds()
    if (hubIds.length === 0 || context.isDraining()) return
    for (const accountId of await listAccountsWithWork(context.db.sql, hubIds)) wake(accountId)
  })
  const stopListening = context.db.onChange(({ accountId, what }) => {
    if (wakingEvents.some((prefix) => what.startsWith(prefix))) wake(accountId)
  })
  const stopTelemetry = context.printers.onTelemetry((_printerId, before, { accountId, state }) => {
    const isFree = state.status === 'idle' && before?.status !== 'idle'
    const isOtherFilament =
      before?.filament_type !== state.filament_type ||
      before.filament_color_hex !== state.filament_color_hex ||
      before.slots !== state.slots
    // Every printer of a power group that is warm lets the next one begin.
    const isWarm = before !== undefined && isWarmingUp(before) && !isWarmingUp(state)
    const isMended = before !== undefined && before.problems !== state.problems
    if (isFree || isOtherFilament || isWarm || isMended) wake(accountId)
  })
  for (const hubId of context.hubs.listHubIds()) {
    const hub = context.hubs.find(hubId)
    if (hub) wake(hub.accountId)
  }

  return {
    wake,
    async stop() {
      stopSweep()
      stopListening()
      stopTelemetry()
      await rounds.stop()
      let giveUp: NodeJS.Timeout | undefined
      const patience = new Promise((resolve) => {
        giveUp = setTimeout(resolve, stopTimeoutMs)
      })
      await Promise.race([Promise.all(starts), patience])
      clearTimeout(giveUp)
    },
  }
}
