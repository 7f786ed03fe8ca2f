import type { Context } from '../../context/context.ts'
import { toAppError } from '../error-handler.ts'
import type { App } from '../types.ts'
import { createRefusalLog } from './refusal-log.ts'

const refusals: readonly number[] = [401, 403, 429]

/** The log of refused callers of this service: one for requests and for connections of hubs. */
export const makeRefusalLog = ({ log }: Pick<Context, 'log'>) => createRefusalLog(log)

/** Writes down requests that were refused for who sent them, or for sending too many. */
export function logRefusals(app: App, context: Context): void {
  const logRefusal = context.memory.hold(makeRefusalLog, context)
  app.addHook('onError', async (request, _reply, error) => {
    const { status, code } = toAppError(error)
    if (!refusals.includes(status)) return
    // The pattern, never the address itself: an upload address is a secret.
    const { url: route } = request.routeOptions
    // Not set yet where it is not known who asks.
    const actor: Partial<typeof request.actor> | undefined = request.actor
    const apiKeyId = actor?.apiKeyId ?? request.namedKeyId
    logRefusal({ status, code, address: request.ip, apiKeyId, userId: actor?.userId, route })
  })
}
