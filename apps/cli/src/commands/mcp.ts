import { once } from 'node:events'
import { serveByHttp, serveByStdio } from '@printyard/mcp/serve'
import { PrintyardError } from '@printyard/sdk'
import { CommandError } from '../command-error.ts'

export interface McpOptions {
  url?: string
  http?: string
}

/** Serves until the client leaves, or, by HTTP, until a signal. Standard output belongs to the protocol. */
export async function serveMcp(options: McpOptions): Promise<void> {
  const apiKey = process.env.PRINTYARD_API_KEY ?? ''
  if (apiKey === '' && options.http === undefined)
    throw new CommandError('Set PRINTYARD_API_KEY to an API key: printyard keys create makes one.', 2)
  const url = options.url ?? process.env.PRINTYARD_URL ?? 'http://127.0.0.1:4400'
  try {
    if (options.http === undefined) return await serveByStdio({ url, apiKey })
    const port = readPort(options.http)
    const server = await serveByHttp({ url, port })
    process.stderr.write(`MCP at ${server.url}; each client sends its own API key as a bearer token.\n`)
    await Promise.race([once(process, 'SIGTERM'), once(process, 'SIGINT')])
    await server.close()
  } catch (error) {
    if (!(error instanceof PrintyardError)) throw error
    throw new CommandError(error.message, 1, { cause: error })
  }
}

function readPort(text: string): number {
  const port = Number(text)
  if (!/^\d+$/.test(text) || port > 65_535) throw new CommandError('--http takes a port from 0 to 65535.', 2)
  return port
}
