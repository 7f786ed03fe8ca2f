import { createHash, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { localhostHostValidation, localhostOriginValidation, toNodeHandler } from '@modelcontextprotocol/node'
import { createMcpHandler } from '@modelcontextprotocol/server'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import { openFarm } from './farm-server.ts'

interface Service {
  url: string
  apiKey: string
}

/** Serves the client at standard input and output until it closes them. */
export async function serveByStdio({ url, apiKey }: Service): Promise<void> {
  const makeServer = await openFarm(url, apiKey)
  const transport = new StdioServerTransport()
  const ended = once(process.stdin, 'close')
  serveStdio(makeServer, {
    transport,
    onerror: (error) => process.stderr.write(`${error.message}\n`),
  })
  await ended
}

/** Serves clients of this machine by HTTP, who send the API key as a bearer token. */
export async function serveByHttp({ url, apiKey, port }: Service & { port: number }) {
  const handler = createMcpHandler(await openFarm(url, apiKey))
  const handle = toNodeHandler(handler)
  const isOurHost = localhostHostValidation()
  const isOurOrigin = localhostOriginValidation()
  const expected = digest(`Bearer ${apiKey}`)
  const http = createServer((request, response) => {
    if (!isOurHost(request, response) || !isOurOrigin(request, response)) return
    // Compared as it stands: what is no path, such as `//`, cannot be read as one.
    if (request.url?.split('?', 1)[0] !== '/mcp') {
      response.writeHead(404).end()
      return
    }
    if (!timingSafeEqual(digest(request.headers.authorization ?? ''), expected)) {
      response.writeHead(401, { 'www-authenticate': 'Bearer' }).end()
      return
    }
    // Node gives every request that a server takes a method and a URL.
    void handle(request as typeof request & { method: string; url: string }, response)
  })
  http.listen(port, '127.0.0.1')
  await once(http, 'listening')
  const address = http.address()
  const bound = typeof address === 'object' ? address?.port : port
  return {
    url: `http://127.0.0.1:${bound}/mcp`,
    async close() {
      await handler.close()
      http.close()
      http.closeAllConnections()
    },
  }
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
