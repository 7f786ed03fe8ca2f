import { connect } from 'node:net'
import { DriverError } from '../driver.ts'

/** What a printer of Elegoo's speaks: the Centauri Carbon SDCP, the Centauri Carbon 2 MQTT. */
export type ElegooProtocol = 'sdcp' | 'mqtt'

export const SDCP_PORT = 3030
export const MQTT_PORT = 1883
const PROBE_MS = 5_000

/**
 * The language of the printer at this address: as its settings say, else by the port, else by asking. Rejects with a
 * `DriverError` `UNREACHABLE` or `NO_ANSWER` when nothing there tells.
 */
export async function findProtocol(
  base: URL,
  wanted: { protocol?: unknown; port?: number | undefined },
  signal: AbortSignal,
): Promise<ElegooProtocol> {
  const { protocol, port } = wanted
  if (protocol === 'sdcp' || protocol === 'mqtt') return protocol
  if (port === SDCP_PORT) return 'sdcp'
  if (port === MQTT_PORT) return 'mqtt'
  const host = base.hostname.replace(/^\[|\]$/g, '')
  if (port !== undefined) return (await speaksHttp(host, port, signal)) ? 'sdcp' : 'mqtt'
  try {
    if (await speaksHttp(host, SDCP_PORT, signal)) return 'sdcp'
  } catch (error) {
    if (!(error instanceof DriverError && error.code === 'UNREACHABLE')) throw error
  }
  await speaksHttp(host, MQTT_PORT, signal)
  return 'mqtt'
}

/** True when a WebSocket can be had at this port; an MQTT broker hangs up on such a question. */
function speaksHttp(host: string, port: number, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason)
    const socket = connect({ host, port })
    let isConnected = false
    const end = (settle: () => void) => {
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
      socket.destroy()
      settle()
    }
    const silent = () => new DriverError('NO_ANSWER', `nothing at port ${port} answers within ${PROBE_MS} ms`)
    const timer = setTimeout(() => end(() => reject(silent())), PROBE_MS)
    const onAbort = () => end(() => reject(signal.reason))
    signal.addEventListener('abort', onAbort, { once: true })
    socket.on('connect', () => {
      isConnected = true
      socket.write(`GET / HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
    })
    socket.on('data', (data) => end(() => resolve(data.toString('latin1').startsWith('HTTP/'))))
    socket.on('error', (error) => {
      if (!isConnected) end(() => reject(new DriverError('UNREACHABLE', error.message, { cause: error })))
    })
    socket.on('close', () => end(() => resolve(false)))
  })
}
