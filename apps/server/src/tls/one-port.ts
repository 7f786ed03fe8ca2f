import { createServer as createHttpServer, type RequestListener, type ServerOptions } from 'node:http'
import { createServer as createHttpsServer, type Server } from 'node:https'
import type { Socket } from 'node:net'
import type { ServedCertificate } from './served-certificate.ts'

/** Time that a connection may say nothing at first, and a handshake or an answer over plain HTTP may take. */
const patienceMs = 10_000
/** The first byte of a TLS connection; every method of HTTP begins with a letter. */
const handshakeRecord = 0x16

/** As the framework sets them for servers that it makes itself. */
export type ServerTimes = Partial<Pick<Server, 'keepAliveTimeout' | 'requestTimeout'>>

interface OnePort {
  certificate: ServedCertificate
  /** Options of both protocols. */
  http: ServerOptions
  times: ServerTimes
  /** Answers what comes over TLS. */
  answer: RequestListener
  /** Answers what comes in plain text. */
  answerPlain: RequestListener
}

/**
 * A server that speaks HTTPS, and at the same port answers those who come in plain text: people who type an address without `https`,
 * and phones that have to fetch the authority before they can trust it.
 *
 * A new certificate is for connections that are made from then on; the others go on as they are.
 */
export function createOnePortServer({ certificate, http, times, answer, answerPlain }: OnePort): Server {
  const { cert, key } = certificate.pair
  // HTTP/1.1 alone (decision 0044): hubs come by WebSocket, which `ws` does not speak over HTTP/2.
  const secure = createHttpsServer(
    { ...http, cert, key, ALPNProtocols: ['http/1.1'], handshakeTimeout: patienceMs },
    answer,
  )
  Object.assign(secure, { keepAliveTimeout: times.keepAliveTimeout, requestTimeout: times.requestTimeout })
  certificate.onChange((pair) => secure.setSecureContext({ cert: pair.cert, key: pair.key }))
  // What fails before it is encrypted gets no answer: there is no one who could read it.
  secure.removeAllListeners('tlsClientError')
  secure.on('tlsClientError', (_error, socket) => socket.destroy())

  const plain = createHttpServer({ ...http, keepAlive: false }, (request, response) => {
    response.setHeader('Connection', 'close')
    answerPlain(request, response)
  })
  plain.on('clientError', (_error, socket) => socket.destroy())

  const takeSecure = secure.listeners('connection') as ((this: Server, socket: Socket) => void)[]
  secure.removeAllListeners('connection')
  const sockets = new Set<Socket>()
  secure.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    readFirstByte(socket, (first) => {
      if (first === handshakeRecord) {
        for (const take of takeSecure) take.call(secure, socket)
        return
      }
      // The server for these listens nowhere, so that nothing else looks at their time.
      const timer = setTimeout(() => socket.destroy(), patienceMs)
      socket.once('close', () => clearTimeout(timer))
      plain.emit('connection', socket)
    })
  })
  closeWith(secure, sockets)
  return secure
}

/** Calls `then` with the first byte, which stays where it is; a connection that says nothing, or ends, is destroyed. */
function readFirstByte(socket: Socket, then: (first: number) => void): void {
  const fail = () => socket.destroy()
  const timer = setTimeout(fail, patienceMs)
  socket.on('error', fail)
  socket.once('close', () => clearTimeout(timer))
  const look = () => {
    const data: Buffer | null = socket.read()
    if (data === null) {
      // The other side has ended, or there is nothing yet.
      if (socket.readableEnded) fail()
      else socket.once('readable', look)
      return
    }
    clearTimeout(timer)
    socket.off('error', fail)
    socket.unshift(data)
    then(data[0] ?? 0)
  }
  socket.once('readable', look)
}

/** A stop that drops all connections drops those too that have not come as far as a request. */
function closeWith(server: Server, sockets: ReadonlySet<Socket>): void {
  const closeRequests = server.closeAllConnections.bind(server)
  server.closeAllConnections = () => {
    closeRequests()
    for (const socket of sockets) socket.destroy()
  }
}
