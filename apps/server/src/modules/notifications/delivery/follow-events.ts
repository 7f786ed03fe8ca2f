import type { Context } from '../../../context/context.ts'
import type { App } from '../../../http/types.ts'
import { runAccountWorker, runWhileListening } from '../../background/account-worker.ts'
import { listAccountsBehind } from './fan-out.queries.ts'
import { fanOut } from './fan-out.ts'
import { NotificationSender } from './notification-sender.ts'
import { interestingTypes } from './read-event.ts'
import { closeSenders } from './send-to-channel.ts'

/** Time within which what comes is looked at together. */
const gatherMs = 100

/** Finds what no notice told, such as what another process recorded, or what was not final yet. */
const sweepMs = 1_000

/** Tells people of what happens, from the moment the application listens. Any number may run on one database. */
export function notifyPeople(app: App, context: Context): void {
  runWhileListening(app, () => startNotifications(context))
  app.addHook('onClose', async () => closeSenders(context))
}

/** The same without an application that listens. */
export function startNotifications(context: Context): { stop: () => Promise<void> } {
  const sender = new NotificationSender(context)
  const reader = runAccountWorker(context, {
    name: 'look for what people are to be told',
    atOnce: 1,
    gatherMs,
    sweepMs,
    wokenBy: interestingTypes,
    findAccounts: () => listAccountsBehind(context.db.sql),
    async work(accountId) {
      // One look at a time: what is left has its turn after those of other accounts.
      if (await fanOut(context, accountId)) reader.wake(accountId)
      sender.sweep()
    },
  })
  return {
    async stop() {
      await reader.stop()
      await sender.stop()
    },
  }
}
