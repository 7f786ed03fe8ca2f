import type { Context } from '../../../context/context.ts'
import type { App } from '../../../http/types.ts'
import { runWhileListening } from '../../background/account-worker.ts'
import { openSender } from '../../outbound/open-sender.ts'
import type { Sender } from '../../outbound/send-request.ts'
import { DeliveryEngine } from './delivery-engine.ts'

/** Sends events to webhooks, from the moment the application listens. Any number may run on one database. */
export function deliverEvents(app: App, context: Context): void {
  runWhileListening(app, () => startDeliveries(context))
  app.addHook('onClose', async () => senderOf(context).close())
}

/** The same without an application that listens. */
export function startDeliveries(context: Context): { engine: DeliveryEngine; stop: () => Promise<void> } {
  const engine = new DeliveryEngine(context, senderOf(context))
  const stopListening = context.db.onChange(({ accountId, what }) => engine.wake(accountId, what))
  return {
    engine,
    async stop() {
      stopListening()
      await engine.stop()
    },
  }
}

/** Answers what sends the messages of this service, those of test calls too. */
export function senderOf(context: Context): Sender {
  return context.memory.hold(makeSender, context)
}

function makeSender(context: Context): Sender {
  return openSender(context, 'Printyard-Webhooks', context.config.outboundNetworks)
}
