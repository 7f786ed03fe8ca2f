import { ConnectionProblemError } from '../connection/connection-problem-error.ts'
import { CredentialsRefusedError } from '../connection/keep-connected.ts'
import { DriverError } from '../driver.ts'
import type { ProbeRequest } from '../probe.ts'
import { hostOf, knock } from '../wire/knock.ts'
import { createPrinterHttp, printerAddress } from '../wire/printer-http.ts'
import { memberOf, textIn } from '../wire/wire-values.ts'
import { isKeyRefused } from './is-key-refused.ts'
import { type JsonRpcSocket, openJsonRpcSocket, RpcError } from './json-rpc-socket.ts'

const DEFAULT_PORT = 7125
const QUESTION_TIMEOUT_MS = 10_000
const SILENCE_MS = 20_000

/** Introduces itself to Moonraker and asks for its version and Klipper's. */
export async function probeMoonraker({ connection, signal, report }: ProbeRequest): Promise<void> {
  const base = printerAddress(connection, DEFAULT_PORT)
  await knock(hostOf(base), Number(base.port || 443), signal)
  const apiKey = textIn(connection.api_key)
  const headers: Record<string, string> = apiKey === null ? {} : { 'x-api-key': apiKey }
  const address = new URL('websocket', base)
  address.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:'
  const socket = await openJsonRpcSocket({
    address,
    headers,
    onNotification: () => undefined,
    silenceMs: SILENCE_MS,
    signal,
  }).catch((error: unknown) => {
    throw isForeign(error) ? new ConnectionProblemError('not_this_family', {}, { cause: error }) : error
  })
  try {
    await read(socket, apiKey, { signal, report })
  } catch (error) {
    if (!(error instanceof RpcError)) throw error
    const isLogin = await isKeyRefused(createPrinterHttp(base, headers), signal)
    if (!isLogin) throw new ConnectionProblemError('not_this_family', {}, { cause: error })
    throw new ConnectionProblemError(
      apiKey === null ? 'credentials_missing' : 'credentials_wrong',
      {},
      { cause: error },
    )
  } finally {
    socket.close()
  }
}

async function read(
  socket: JsonRpcSocket,
  apiKey: string | null,
  { signal, report }: Pick<ProbeRequest, 'signal' | 'report'>,
): Promise<void> {
  const ask = (method: string, params: Record<string, unknown> = {}) =>
    socket.call(method, params, QUESTION_TIMEOUT_MS, signal)
  await ask('server.connection.identify', {
    client_name: 'printyard connection test',
    version: '1',
    // Of agents there may be one of each name; any number of others.
    type: 'other',
    url: 'https://localhost',
    ...(apiKey === null ? {} : { api_key: apiKey }),
  })
  const info = await ask('server.info')
  const version = textIn(memberOf(info, 'moonraker_version'), 80)
  if (version === null) throw new ConnectionProblemError('not_this_family')
  report({ firmware_version: `Moonraker ${version}` })
  if (textIn(memberOf(info, 'klippy_state')) === 'disconnected') {
    throw new ConnectionProblemError('printer_not_connected', {
      message: 'Moonraker answers, but Klipper does not run.',
      remedy: 'Start Klipper, and look into its log if it does not stay up.',
    })
  }
  const printer = await ask('printer.info')
  // Klipper knows no model: the name of its host is what a person called a computer.
  report({ firmware_version: textIn(memberOf(printer, 'software_version'), 100) })
}

/** The door opened before: what fails now is what stands behind it. A wrong key is told apart already. */
function isForeign(error: unknown): boolean {
  if (error instanceof CredentialsRefusedError) return false
  return error instanceof DriverError && (error.code === 'UNREACHABLE' || error.code === 'REFUSED')
}
