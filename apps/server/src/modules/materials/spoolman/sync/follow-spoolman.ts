import type { Context } from '../../../../context/context.ts'
import type { App } from '../../../../http/types.ts'
import { runWhileListening } from '../../../background/account-worker.ts'
import { spoolmanSender } from './spoolman-client.ts'
import { SpoolmanRunner } from './spoolman-runner.ts'

/** Follows the Spoolmans of all accounts from the moment the application listens. */
export function followSpoolman(app: App, context: Context): void {
  runWhileListening(app, () => startSpoolman(context))
  app.addHook('onClose', async () => spoolmanSender(context).close())
}

/**
 * The same without an application that listens.
 *
 * @param steadyMs a clock that no one sets, in ms
 */
export function startSpoolman(context: Context, steadyMs = () => performance.now()): { stop: () => Promise<void> } {
  const runner = new SpoolmanRunner(context, steadyMs)
  return { stop: () => runner.stop() }
}
