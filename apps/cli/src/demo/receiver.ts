import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Host of the programs that the demo farm tells of what happens: this machine alone. */
const receiverHost = '127.0.0.1'

/** A program of others, as far as the farm sees it: what is sent to it is taken. */
export interface Receiver {
  url: string
  port: number
  stop(): Promise<void>
}

/**
 * Starts what takes the webhooks and messages of the demo farm, on loopback. Nothing is kept of what comes.
 *
 * @param port that of the start before; another one is taken where it is in use
 */
export async function startReceiver(port = 0): Promise<Receiver> {
  const server = createServer((request, response) => {
    request.resume().once('end', () => response.writeHead(204).end())
  })
  // The demo ends with its service, also where it could not be set up.
  server.unref()
  server.listen(port, receiverHost)
  try {
    await once(server, 'listening')
  } catch (error) {
    if (port === 0 || (error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
    return startReceiver()
  }
  // A server that listens on TCP has an address of this form.
  const { port: taken } = server.address() as AddressInfo
  return {
    url: `http://${receiverHost}:${taken}`,
    port: taken,
    async stop() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}
