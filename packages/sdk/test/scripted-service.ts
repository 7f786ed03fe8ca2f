import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { Printyard } from '../src/client.ts'
import type { ClientOptions } from '../src/request.ts'

interface ReceivedRequest {
  method: string
  url: string
  headers: IncomingHttpHeaders
  body: string
}

type Answer = (response: ServerResponse, request: ReceivedRequest) => void

export const ok =
  (data: unknown, more: object = {}, headers: Record<string, string> = {}): Answer =>
  (response) =>
    response
      .writeHead(200, { 'content-type': 'application/json', ...headers })
      .end(JSON.stringify({ success: true, data, ...more }))

export const refused =
  (status: number, code: string, headers: Record<string, string> = {}): Answer =>
  (response) =>
    response
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(JSON.stringify({ success: false, error: { code, message: 'No.', details: { reason: 'test' } } }))

/** Takes the request and breaks the connection. */
export const cut: Answer = (response) => response.destroy()

/** Takes the request and never answers. */
export const silent: Answer = () => undefined

/** A service that gives these answers one after another, and a client of it. The last answer is repeated. */
export async function startScriptedService(answers: Answer[], options: Partial<ClientOptions> = {}) {
  const requests: ReceivedRequest[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
    const { method = '', url = '', headers } = request
    const received = { method, url, headers, body: Buffer.concat(chunks).toString() }
    requests.push(received)
    answers[Math.min(requests.length, answers.length) - 1]?.(response, received)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { requests, client: new Printyard({ baseUrl, apiKey: 'printyard_live_test', ...options }) }
}
