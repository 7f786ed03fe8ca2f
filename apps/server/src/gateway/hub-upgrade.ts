import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { CONNECT_PATH, MAX_FRAME_BYTES, SUBPROTOCOL } from '@printyard/protocol/version'
import { type ServerOptions, WebSocketServer } from 'ws'
import type { Context } from '../context/context.ts'
import { connectionsOf } from '../http/connections/open-connections.ts'
import { makeConnectLimiter, makeFailureLimiter } from '../http/rate-limit.ts'
import { makeRefusalLog } from '../http/request/log-refusals.ts'
import type { App } from '../http/types.ts'
import { clientNetwork } from '../kernel/client-network.ts'
import { AppError } from '../kernel/errors.ts'
import { hashSecret } from '../kernel/hash-secret.ts'
import { findHubByTokenHash } from '../modules/hubs/hubs.queries.ts'
import { confirmToken } from '../modules/hubs/token-renewal.ts'
import { runHubSession } from './hub-session.ts'
import { endStaleConnections } from './stale-connections.ts'
import { renewTokensOfConnected } from './token-renewals.ts'
import { Turns } from './turns.ts'

/** Time that a hub that was told goodbye may take to say it too. A stop of the service waits for this. */
const closeTimeoutMs = 2_000

/** Tokens that are looked up at once. Addresses take turns, so that one with many tokens does not hold up the hubs of another. */
const lookUpLimits = { atOnce: 4, longestMs: 10_000 }

const makeLookUps = () => new Turns<string>(lookUpLimits)

/** True when a request to become another protocol is meant for hubs; every other one is answered as plain HTTP. */
export function isForHubs({ url, headers }: Pick<IncomingMessage, 'url' | 'headers'>): boolean {
  return headers.upgrade?.toLowerCase() === 'websocket' && (url ?? '').split('?')[0] === CONNECT_PATH
}

/** Lets hubs in at `/hub/v1/connect`: the token is checked before the connection becomes a WebSocket. */
export function answerHubConnections(app: App, context: Context): void {
  // The types of ws do not know `closeTimeout` yet.
  const options: ServerOptions & { closeTimeout: number } = {
    noServer: true,
    maxPayload: MAX_FRAME_BYTES,
    perMessageDeflate: false,
    closeTimeout: closeTimeoutMs,
    handleProtocols: (offered) => (offered.has(SUBPROTOCOL) ? SUBPROTOCOL : false),
  }
  const sockets = new WebSocketServer(options)
  const failures = makeFailureLimiter(context.limits, 'hub-failures')
  const isTooMany = makeConnectLimiter(context.limits)
  endStaleConnections(app, context)
  renewTokensOfConnected(app, context)
  const logRefusal = context.memory.hold(makeRefusalLog, context)
  const lookUps = context.memory.hold(makeLookUps, undefined)

  app.server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy())
    admit(request)
      .then((admission) => {
        if (typeof admission === 'number') {
          if (admission === 401 || admission === 429) {
            const code = admission === 401 ? 'TOKEN_INVALID' : 'RATE_LIMITED'
            logRefusal({ status: admission, code, address: request.socket.remoteAddress ?? '', route: CONNECT_PATH })
          }
          refuse(socket, admission)
        }
        // The stop may have started while the token was looked up.
        else if (context.isDraining()) refuse(socket, 503)
        else {
          connectionsOf(context).release(request.socket)
          sockets.handleUpgrade(request, socket, head, (accepted) =>
            runHubSession(context, { socket: accepted, stream: socket }, admission.hub, admission.confirmToken),
          )
        }
      })
      .catch((error: unknown) => {
        context.log.warn({ err: error }, 'a hub could not be let in')
        refuse(socket, 503)
      })
  })

  // Connected hubs were told already; those that have not said hello would hold up the stop.
  app.addHook('preClose', async () => {
    for (const socket of sockets.clients) socket.close(1012, 'service_restart')
  })

  /** 401, or 429 for an address that has tried too many tokens; one that is right is never held up by these. */
  async function refuseUnknown({ socket }: IncomingMessage): Promise<401 | 429> {
    const address = socket.remoteAddress ?? ''
    try {
      await failures.refuseIfExhausted(address)
    } catch (error) {
      if (error instanceof AppError && error.code === 'RATE_LIMITED') return 429
      throw error
    }
    await failures.recordFailure(address)
    return 401
  }

  async function admit(request: IncomingMessage) {
    if (context.isDraining()) return 503
    const offered = request.headers['sec-websocket-protocol']?.split(',').map((name) => name.trim()) ?? []
    if (!offered.includes(SUBPROTOCOL)) return 426
    const [, token] = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '') ?? []
    if (!token) return refuseUnknown(request)
    const tokenHash = hashSecret(token)
    const { socket } = request
    const isWaiting = () => !socket.destroyed
    const lookUp = () => findHubByTokenHash(context.db.sql, tokenHash)
    // A thousand hubs behind one address are more than strangers may hold open there.
    const found = connectionsOf(context).lookUp(socket)
    const hub = await lookUps.run(clientNetwork(socket.remoteAddress ?? ''), lookUp, isWaiting).finally(found)
    // Whose token it was is not known, so nothing counts against its address.
    if (!isWaiting()) return 503
    if (!hub) return refuseUnknown(request)
    if (await isTooMany(hub.id)) return 429
    const identity = { accountId: hub.account_id, hubId: hub.id, name: hub.name }
    return { hub: identity, confirmToken: () => confirmToken(context, identity, tokenHash) }
  }
}

const reasons: Record<number, string> = {
  401: 'Unauthorized',
  426: 'Upgrade Required',
  429: 'Too Many Requests',
  503: 'Service Unavailable',
}

function refuse(socket: Duplex, status: number): void {
  const extra =
    { 426: `Sec-WebSocket-Protocol: ${SUBPROTOCOL}\r\n`, 429: 'Retry-After: 60\r\n' }[status as 426 | 429] ?? ''
  socket.end(`HTTP/1.1 ${status} ${reasons[status]}\r\n${extra}Content-Length: 0\r\nConnection: close\r\n\r\n`)
}
