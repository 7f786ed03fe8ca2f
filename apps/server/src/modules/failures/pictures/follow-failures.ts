import type { Context } from '../../../context/context.ts'
import type { App } from '../../../http/types.ts'
import { runAccountWorker, runWhileListening } from '../../background/account-worker.ts'
import { storePicture } from './store-picture.ts'
import { listAccountsWithUnseen, takeUpFailures } from './wanted-pictures.queries.ts'

/** Cameras of one account that are asked at once; the others have their turn after them, or are too late. */
const camerasAtOnce = 4

/** Looks at prints that failed or were stopped, from the moment the application listens. Any number may run on one database. */
export function pictureFailures(app: App, context: Context): void {
  runWhileListening(app, () => startFailurePictures(context))
}

/** The same without an application that listens. */
export function startFailurePictures(context: Context): { stop: () => Promise<void> } {
  const stopping = new AbortController()
  const worker = runAccountWorker(context, {
    name: 'look at prints that failed',
    atOnce: 4,
    gatherMs: 0,
    wokenBy: ['job.failed', 'job.cancelled'],
    // Finds what a process that ended has left.
    sweepMs: 5_000,
    findAccounts: () => listAccountsWithUnseen(context.db.sql),
    async work(accountId) {
      const failures = await takeUpFailures(context.db.sql, accountId, context.clock.now(), camerasAtOnce)
      const inTime = failures.filter((failure) => failure.is_in_time)
      await Promise.all(inTime.map((failure) => storePicture(context, accountId, failure, stopping.signal)))
      if (failures.length === camerasAtOnce) worker.wake(accountId)
    },
  })
  return {
    async stop() {
      stopping.abort()
      await worker.stop()
    },
  }
}
