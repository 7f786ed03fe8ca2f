import { ConnectionProblemError } from '../connection/connection-problem-error.ts'
import { DriverError } from '../driver.ts'
import type { ProbeRequest } from '../probe.ts'
import { hostOf, knock } from '../wire/knock.ts'
import { createPrinterHttp, printerAddress } from '../wire/printer-http.ts'
import { memberOf, textIn } from '../wire/wire-values.ts'
import { readChallenge } from './digest.ts'
import { createPrusaLinkApi } from './prusalink-api.ts'

const DEFAULT_PORT = 80
const DEFAULT_USER = 'maker'
const QUESTION_TIMEOUT_MS = 10_000

/** Logs in to PrusaLink and asks what it is. */
export async function probePrusaLink({ connection, signal, report }: ProbeRequest): Promise<void> {
  const base = printerAddress(connection, DEFAULT_PORT)
  await knock(hostOf(base), Number(base.port || 443), signal)
  const http = createPrinterHttp(base, {})
  const password = textIn(connection.password)
  const apiKey = textIn(connection.api_key)
  const door = await http.ask({ method: 'GET', path: 'api/version', timeoutMs: QUESTION_TIMEOUT_MS, signal })
  // Its own login is what tells it from other servers, before anything secret is sent.
  const asksForLogin = door.status === 401 && readChallenge(door.headers['www-authenticate']) !== undefined
  if (!asksForLogin) throw new ConnectionProblemError('not_this_family')
  if (password === null && apiKey === null) throw new ConnectionProblemError('credentials_missing')
  const api = createPrusaLinkApi(http, {
    username: textIn(connection.username) ?? DEFAULT_USER,
    password: password ?? '',
    apiKey,
  })
  const version = await api.read('api/version', signal)
  if (textIn(memberOf(version, 'api')) === null) throw new ConnectionProblemError('not_this_family')
  report({ firmware_version: textIn(memberOf(version, 'firmware'), 100) })
  const info = await api.read('api/v1/info', signal).catch((error: unknown) => {
    if (!(error instanceof DriverError && error.code === 'REFUSED')) throw error
    throw new ConnectionProblemError('unsupported_firmware', {}, { cause: error })
  })
  report({ serial: textIn(memberOf(info, 'serial'), 64), model: textIn(memberOf(info, 'name'), 120) })
}
