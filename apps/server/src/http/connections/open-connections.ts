import type { Socket } from 'node:net'
import type { Context } from '../../context/context.ts'
import { every } from '../../kernel/timers.ts'
import type { App } from '../types.ts'
import { type ConnectionLimits, Connections } from './connections.ts'
import { mostOpenFiles } from './open-files.ts'

/** Interval at which the log says that connections were ended, at most. */
const logEveryMs = 60_000

/** The part of the files that the process may have open which is for connections; the rest is for the database and for stored files. */
const partForConnections = 3 / 4

/** An office behind one address has one for each tab and program until it is known whose it is. */
const limitsOfService: ConnectionLimits = {
  ofNetwork: 500,
  ofSite: 1_000,
  ofStrangers: 2_000,
  atRestOfAccount: 1_000,
  graceMs: 1_000,
}

const makeConnections = ({ config }: Pick<Context, 'config'>) =>
  new Connections(limitsOfService, config.trustedProxies ?? '')

/** The open connections of this service. */
export function connectionsOf(context: Context): Connections {
  return context.memory.hold(makeConnections, context)
}

/** Bounds the connections that callers hold open, and says in the log when it had to end some. */
export function boundConnections(app: App, context: Context): void {
  const connections = connectionsOf(context)
  const files = mostOpenFiles()
  connections.limit({
    ...limitsOfService,
    ofStrangers: Math.min(limitsOfService.ofStrangers, Math.floor(files / 2)),
  })
  if (files !== Number.POSITIVE_INFINITY) app.server.maxConnections = Math.floor(files * partForConnections)
  app.server.on('connection', (socket: Socket) => connections.open(socket))
  app.server.on('secureConnection', (socket: Socket) => connections.openSecure(socket))
  let dropped = 0
  app.server.on('drop', () => {
    dropped += 1
  })
  app.addHook('onRequest', (request, _reply, done) => {
    const { actor }: { actor?: typeof request.actor } = request
    if (actor !== undefined) connections.know(request.raw.socket, actor.accountId)
    done()
  })
  const stop = every(logEveryMs, 'tell of connections that were ended', context.log, async () => {
    const ended = connections.takeEnded() + dropped
    dropped = 0
    if (ended > 0) context.log.warn({ count: ended }, 'connections were ended: too many were open')
  })
  app.addHook('onClose', async () => stop())
}
