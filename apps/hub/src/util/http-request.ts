import { type Agent, type IncomingMessage, type RequestOptions, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { pipeline } from 'node:stream/promises'
import type { Trust } from './trust.ts'

interface HttpRequest {
  method?: string
  headers?: Record<string, string | number>
  /** Sent while it comes; left out, nothing is sent. */
  body?: string | AsyncIterable<Uint8Array> | undefined
  /** Agent whose connections may be used again; left out, the request has one of its own. */
  agent?: Agent | undefined
  /** Authorities trusted over HTTPS; left out, the authorities that Node knows. */
  trust?: Trust | undefined
  /** Ends the request and its answer, however far they are. */
  signal: AbortSignal
}

/** The `code` of the error when no connection came about in time: nothing was sent. */
export const CONNECT_TIMEOUT = 'CONNECT_TIMEOUT'
const CONNECT_MS = 10_000

/**
 * Sends one request, follows no redirect, and resolves with the answer once its head is here. Anyone who asks reads the body or
 * destroys it.
 *
 * Not by `fetch`: it costs a hub 20 MB. And when an upload breaks off and its file goes away or changes, it leaves a
 * rejection behind that no one can catch, and the hub with all its printers ends.
 */
export async function requestOnce(url: URL, request: HttpRequest): Promise<IncomingMessage> {
  try {
    return await send(url, request)
  } catch (error) {
    // The other side had closed a connection that was kept open. Only a question may be asked a second time.
    if (request.agent && request.method === 'GET' && isReset(error)) {
      return send(url, { ...request, agent: undefined })
    }
    throw error
  }
}

function send(
  url: URL,
  { method = 'GET', headers, body, agent, trust, signal }: HttpRequest,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const options: RequestOptions & Partial<Trust> = { method, signal, agent: agent ?? false, ...trust }
    options.headers = { accept: '*/*', ...headers }
    const sent = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, options)
    sent.on('response', (answer) => {
      // What breaks from here on is told to anyone who reads the answer.
      resolve(answer)
      // A refusal may come before everything was sent; the rest of it is not wanted then.
      if (!agent) answer.once('close', () => sent.destroy())
    })
    sent.on('error', reject)
    sent.on('socket', (socket) => {
      if (!socket.connecting) return
      const giveUp = () => sent.destroy(Object.assign(new Error('no connection'), { code: CONNECT_TIMEOUT }))
      const timer = setTimeout(giveUp, CONNECT_MS)
      socket.once('connect', () => clearTimeout(timer))
      socket.once('close', () => clearTimeout(timer))
    })
    if (typeof body === 'object') pipeline(body, sent).catch(reject)
    else sent.end(body)
  })
}

function isReset(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ECONNRESET' || error.code === 'EPIPE')
}
