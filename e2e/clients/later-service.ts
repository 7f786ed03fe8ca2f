import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * The service as a later version may be: each object of its answers has a field more, and jobs have a status that is not among
 * those of today.
 */
export async function startLaterService(serviceUrl: string): Promise<{ url: string; close(): Promise<unknown> }> {
  const server = createServer(async (request, response) => {
    const { authorization = '' } = request.headers
    const answer = await fetch(`${serviceUrl}${request.url}`, { headers: { authorization } })
    const body = JSON.stringify(asLater(await answer.json()))
    response.writeHead(answer.status, { 'content-type': 'application/json; charset=utf-8' }).end(body)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections()
      return once(server.close(), 'close')
    },
  }
}

function asLater(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asLater)
  if (value === null || typeof value !== 'object') return value
  const fields = Object.entries(value).map(([name, item]) => [name, name === 'status' ? 'drying' : asLater(item)])
  return { ...Object.fromEntries(fields), added_later: { since: 2, words: ['more'] } }
}
