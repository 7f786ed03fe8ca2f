import type { Context } from '../../context/context.ts'
import type { App } from '../../http/types.ts'
import { type AccountWorker, runAccountWorker, runWhileListening } from '../background/account-worker.ts'
import { isWarmingUp } from '../matching/heating.ts'
import { listAccountsWithWork } from './scheduler.queries.ts'
import { startWaitingJobs } from './start-waiting-jobs.ts'

/** Time within which what comes is one wake: jobs are often queued many at once. */
const coalesceMs = 20

/** Finds what no event told: what another process recorded, a pause that is over, a moment that has come. */
const sweepMs = 5_000

/** Accounts whose rounds run at once. Each holds one connection for transactions as long as it lasts, and up to three for a moment at a time. */
const mostRounds = 2

/** Time that a stop waits for the answers to starts. What is still open then is settled with the hub's journal. */
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

/** Starts queued jobs by themselves on printers with `auto_start`, from the moment the application listens. */
export function scheduleJobs(app: App, context: Context): void {
  runWhileListening(app, () => runScheduler(context))
}

/** Woken by events and reports; any number may run on one database. */
export function runScheduler(context: Context): AccountWorker {
  const starts = new Set<Promise<void>>()
  const rounds = runAccountWorker(context, {
    name: 'start jobs',
    atOnce: mostRounds,
    gatherMs: coalesceMs,
    wokenBy: wakingEvents,
    isWokenElsewhere: true,
    sweepMs,
    async findAccounts() {
      const hubIds = context.hubs.listHubIdsHere()
      return hubIds.length === 0 ? [] : listAccountsWithWork(context.db.sql, hubIds)
    },
    async work(accountId) {
      for (const { isOver } of await startWaitingJobs(context, accountId)) {
        starts.add(isOver)
        void isOver.finally(() => starts.delete(isOver))
      }
    },
  })
  const { wake } = rounds
  const stopTelemetry = context.printers.onTelemetry((_printerId, before, { accountId, state }) => {
    const isFree = state.status === 'idle' && before?.status !== 'idle'
    const isOtherFilament =
      before?.filament_type !== state.filament_type ||
      before.filament_color_hex !== state.filament_color_hex ||
      before.slots !== state.slots
    // Every printer of a power group that is warm lets the next one begin.
    const isWarm = before !== undefined && isWarmingUp(before) && !isWarmingUp(state)
    const isFixed = before !== undefined && before.problems !== state.problems
    if (isFree || isOtherFilament || isWarm || isFixed) wake(accountId)
  })
  for (const hubId of context.hubs.listHubIdsHere()) {
    const hub = context.hubs.findHere(hubId)
    if (hub) wake(hub.accountId)
  }

  return {
    wake,
    async stop() {
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
