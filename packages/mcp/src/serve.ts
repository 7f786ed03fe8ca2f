import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { localhostHostValidation, localhostOriginValidation, toNodeHandler } from '@modelcontextprotocol/node'
import { createMcpHandler } from '@modelcontextprotocol/server'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import { ApiError } from '@printyard/sdk'
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

/** Clients with keys of their own that are served by one process; those that came first are let go. */
const mostKeys = 100

/**
 * Serves clients of this machine by HTTP. Each request says by which key it asks, as a bearer token: what it may see and do is what the
 * service allows that key.
 */
export async function serveByHttp({ url, port }: Pick<Service, 'url'> & { port: number }) {
  const farms = new FarmsByKey(url)
  const isOurHost = localhostHostValidation()
  const isOurOrigin = localhostOriginValidation()
  const http = createServer((request, response) => {
    if (!isOurHost(request, response) || !isOurOrigin(request, response)) return
    // Compared as it stands: what is no path, such as `//`, cannot be read as one.
    if (request.url?.split('?', 1)[0] !== '/mcp') {
      response.writeHead(404).end()
      return
    }
    const [, apiKey] = /^Bearer ([\x21-\x7e]{1,200})$/i.exec(request.headers.authorization ?? '') ?? []
    if (apiKey === undefined) {
      refuse(response, 401)
      return
    }
    farms.open(apiKey).then(
      // Node gives every request that a server takes a method and a URL.
      ({ handle }) => handle(request as typeof request & { method: string; url: string }, response),
      (error: unknown) => refuse(response, statusOf(error)),
    )
  })
  http.listen(port, '127.0.0.1')
  await once(http, 'listening')
  const address = http.address()
  const bound = typeof address === 'object' ? address?.port : port
  return {
    url: `http://127.0.0.1:${bound}/mcp`,
    async close() {
      await farms.close()
      http.close()
      http.closeAllConnections()
    },
  }
}

/** What answers the requests of one key. */
interface OpenedFarm {
  handle: ReturnType<typeof toNodeHandler>
  close(): Promise<void>
}

/** The farms of keys that have asked; each is asked for once what its key may do. */
class FarmsByKey {
  readonly #url: string
  readonly #opened = new Map<string, Promise<OpenedFarm>>()

  constructor(url: string) {
    this.#url = url
  }

  /** @throws PrintyardError when the service does not know the key, or does not answer */
  open(apiKey: string): Promise<OpenedFarm> {
    const known = this.#opened.get(apiKey)
    if (known) return known
    const opening = openHandler(this.#url, apiKey)
    this.#opened.set(apiKey, opening)
    opening.catch(() => this.#opened.delete(apiKey))
    const [first] = this.#opened.keys()
    if (this.#opened.size > mostKeys && first !== undefined) this.#letGo(first)
    return opening
  }

  async close(): Promise<void> {
    const opened = await Promise.allSettled(this.#opened.values())
    await Promise.all(opened.map(async (each) => each.status === 'fulfilled' && (await each.value.close())))
  }

  #letGo(apiKey: string): void {
    const opened = this.#opened.get(apiKey)
    this.#opened.delete(apiKey)
    // One that never opened has nothing to close, and its own request was told so.
    opened?.then((farm) => farm.close()).catch(() => undefined)
  }
}

async function openHandler(url: string, apiKey: string): Promise<OpenedFarm> {
  const handler = createMcpHandler(await openFarm(url, apiKey))
  return { handle: toNodeHandler(handler), close: () => handler.close() }
}

function statusOf(error: unknown): number {
  if (error instanceof ApiError && (error.status === 401 || error.status === 403)) return error.status
  return 502
}

function refuse(response: ServerResponse, status: number): void {
  response.writeHead(status, status === 401 ? { 'www-authenticate': 'Bearer' } : {}).end()
}
