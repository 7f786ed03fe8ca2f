import type { Context } from '../../../context/context.ts'
import type { App } from '../../../http/types.ts'
import { runWhileListening } from '../../background/account-worker.ts'
import { senderOf } from '../settings/open-shop.ts'
import { ShopRunner } from './shop-runner.ts'

/** Speaks with the shops of all accounts from the moment the application listens. */
export function followShops(app: App, context: Context): void {
  runWhileListening(app, () => startShops(context))
  app.addHook('onClose', async () => senderOf(context).close())
}

/** The same without an application that listens. */
export function startShops(context: Context): { stop: () => Promise<void> } {
  const runner = new ShopRunner(context)
  return { stop: () => runner.stop() }
}
