import { ConnectionProblemError } from '../connection/connection-problem-error.ts'
import type { ProbeRequest } from '../probe.ts'
import { hostOf, knock } from '../wire/knock.ts'
import { createPrinterHttp, type HttpAnswer, printerAddress } from '../wire/printer-http.ts'
import { memberOf, textIn } from '../wire/wire-values.ts'

const DEFAULT_PORT = 80
const QUESTION_TIMEOUT_MS = 10_000
/** Passive login and the push socket as we use them came with this version. */
const OLDEST = [1, 4] as const

/** Asks OctoPrint for its version, and for the printer profile that it uses. */
export async function probeOctoPrint({ connection, signal, report }: ProbeRequest): Promise<void> {
  const base = printerAddress(connection, DEFAULT_PORT)
  await knock(hostOf(base), Number(base.port || 443), signal)
  const apiKey = textIn(connection.api_key)
  const http = createPrinterHttp(base, apiKey === null ? {} : { 'x-api-key': apiKey })
  const ask = (path: string) => http.ask({ method: 'GET', path, timeoutMs: QUESTION_TIMEOUT_MS, signal })
  const version = await ask('api/version')
  if (isRefused(version))
    throw new ConnectionProblemError(apiKey === null ? 'credentials_missing' : 'credentials_wrong')
  const text = textIn(memberOf(version.json, 'text')) ?? ''
  const server = textIn(memberOf(version.json, 'server'), 50)
  // Moonraker can speak a part of this language; its own is the better one.
  if (version.status !== 200 || !/^OctoPrint /.test(text) || /moonraker/i.test(text) || server === null) {
    throw new ConnectionProblemError('not_this_family')
  }
  report({ firmware_version: `OctoPrint ${server}` })
  if (isTooOld(server)) {
    throw new ConnectionProblemError('unsupported_firmware', {
      message: `OctoPrint ${server} is older than what this hub can speak with.`,
      remedy: `Update OctoPrint to version ${OLDEST.join('.')} or later.`,
    })
  }
  const profiles = await ask('api/printerprofiles')
  const known = Object.values(memberOf(profiles.json, 'profiles') ?? {})
  const used = known.find((profile) => memberOf(profile, 'current') === true) ?? known[0]
  report({ model: textIn(memberOf(used, 'model'), 120) })
}

/** OctoPrint says 403; other servers say 401 in their own ways, which are no answer of OctoPrint's. */
function isRefused({ status, json, headers }: HttpAnswer): boolean {
  const isForeign = typeof memberOf(json, 'error') === 'object' || /digest/i.test(headers['www-authenticate'] ?? '')
  if (isForeign) return false
  return status === 403 || (status === 401 && headers['www-authenticate'] !== undefined)
}

function isTooOld(server: string): boolean {
  const [major = 0, minor = 0] = server.split('.').map((part) => Number.parseInt(part, 10))
  if (Number.isNaN(major) || Number.isNaN(minor)) return false
  return major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1])
}
