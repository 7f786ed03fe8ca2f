import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Writes JSON the shortest way that `node:http` knows. */
export function answerJson(response: ServerResponse, body: string): void {
  response.writeHead(200, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
  })
  response.end(body)
}

/** Listens on a free port of this machine and says where, as the harness expects it; ends on SIGTERM. */
export function serveBare(handle: (request: IncomingMessage, response: ServerResponse) => void): void {
  const server = createServer(handle)
  server.listen(0, '127.0.0.1', () => {
    // A server that listens on a port has an address of this form.
    const { port } = server.address() as AddressInfo
    process.stdout.write(`bare server at http://127.0.0.1:${port}\n`)
  })
  process.once('SIGTERM', () => process.exit(0))
}
