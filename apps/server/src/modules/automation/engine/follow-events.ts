import type { Context } from '../../../context/context.ts'
import type { App } from '../../../http/types.ts'
import { type AccountWorker, runAccountWorker, runWhileListening } from '../../background/account-worker.ts'
import { interestingTypes } from '../../notifications/delivery/read-event.ts'
import { listAccountsBehind } from '../feed/feed.queries.ts'
import { runRules } from './run-rules.ts'

/** Time within which what comes is looked at together. */
const gatherMs = 100

/** Finds what no notice told, such as what another process recorded, or what was not final yet. */
const sweepMs = 1_000

/** Runs the rules of all accounts, from the moment the application listens. Any number may run on one database. */
export function automate(app: App, context: Context): void {
  runWhileListening(app, () => startAutomation(context))
}

/** The same without an application that listens. */
export function startAutomation(context: Context): AccountWorker {
  const worker = runAccountWorker(context, {
    name: 'run automation rules',
    atOnce: 1,
    gatherMs,
    sweepMs,
    wokenBy: interestingTypes,
    findAccounts: () => listAccountsBehind(context.db.sql),
    async work(accountId) {
      // What is left waits for the accounts that wait already.
      if (await runRules(context, accountId)) worker.wake(accountId)
    },
  })
  return worker
}
