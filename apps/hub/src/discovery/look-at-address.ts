import type { PrinterSettings } from '@printyard/protocol/messages'
import { isBambuSerial } from '../drivers/bambu/bambu-models.ts'
import { inspectCertificate } from '../drivers/bambu/inspect-certificate.ts'
import { knownAuthorities } from '../drivers/bambu/known-authorities.ts'
import { probePrinter } from '../drivers/probe-printer.ts'
import { knock } from '../drivers/wire/knock.ts'
import { createPrinterHttp, type HttpAnswer } from '../drivers/wire/printer-http.ts'
import { memberOf } from '../drivers/wire/wire-values.ts'
import type { Log } from '../util/log.ts'
import type { Sighting } from './sighting.ts'

/** Each door is given up after so long. */
const DOOR_MS = 4_000
const MAX_ANSWER_BYTES = 64 * 1024

type Seen = Pick<Sighting, 'serial' | 'model' | 'evidence'>

interface At {
  ip: string
  port: number
  dataDir: string
  log: Log
  signal: AbortSignal
}

/** A harmless question that needs no login and that only one family answers in its own way. */
interface Door {
  connection_type: PrinterSettings['connection_type']
  /** Ports at which the family is found; the first is its own, of which nothing is said. */
  ports: readonly [number, ...number[]]
  look(at: At): Promise<Seen | undefined>
}

const doors: readonly Door[] = [
  {
    connection_type: 'moonraker',
    ports: [7125, 80],
    look: (at) =>
      askHttp(at, 'access/info', ({ json }) =>
        Array.isArray(memberOf(json, 'result', 'available_sources')) ? 'It tells its ways in as Moonraker does.' : null,
      ),
  },
  {
    connection_type: 'octoprint',
    ports: [80, 5000],
    look: (at) =>
      askHttp(at, 'plugin/appkeys/probe', ({ status }) =>
        status === 204 ? 'It offers application keys as OctoPrint does.' : null,
      ),
  },
  {
    connection_type: 'prusalink',
    ports: [80, 8080],
    look: (at) =>
      askHttp(at, 'api/version', ({ status, headers }) =>
        status === 401 && /realm="(Printer API|Administrator)"/.test(headers['www-authenticate'] ?? '')
          ? 'It asks for a login as PrusaLink does.'
          : null,
      ),
  },
  { connection_type: 'bambu', ports: [8883], look: lookAtCertificate },
  { connection_type: 'elegoo', ports: [3030], look: (at) => lookByProbe(at, 'elegoo', { protocol: 'sdcp' }) },
  { connection_type: 'creality', ports: [9999], look: (at) => lookByProbe(at, 'creality', {}) },
]

/**
 * Answers which printers answer at this IP address, by the doors that their families have; at a given port instead of those when there
 * is one. Bounded in time and bytes, without any credential, and at addresses that `resolveTyped` has let through.
 */
export async function lookAtAddress({
  ip,
  port,
  ...rest
}: Omit<At, 'port'> & { port: number | undefined }): Promise<Sighting[]> {
  const tries = doors.flatMap((door) => (port === undefined ? door.ports : [port]).map((at) => ({ door, at })))
  const found = await Promise.all(
    tries.map(async ({ door, at }): Promise<Sighting[]> => {
      const signal = AbortSignal.any([rest.signal, AbortSignal.timeout(DOOR_MS)])
      // Nothing there, something else, or too slow: no difference to the caller.
      const seen = await door.look({ ...rest, ip, port: at, signal }).catch(() => undefined)
      if (!seen) return []
      const { connection_type, ports } = door
      return [{ connection_type, address: ip, port: at === ports[0] ? null : at, name: null, ...seen }]
    }),
  )
  rest.signal.throwIfAborted()
  return found.flat()
}

async function askHttp(
  { ip, port, signal }: At,
  path: string,
  recognize: (answer: HttpAnswer) => string | null,
): Promise<Seen | undefined> {
  await knock(ip, port, signal)
  const http = createPrinterHttp(new URL(`http://${ip.includes(':') ? `[${ip}]` : ip}:${port}/`), {})
  const answer = await http.ask({ method: 'GET', path, timeoutMs: DOOR_MS, maxBytes: MAX_ANSWER_BYTES, signal })
  const evidence = recognize(answer)
  return evidence === null ? undefined : { serial: null, model: null, evidence: `${evidence} (port ${port})` }
}

async function lookAtCertificate({ ip, port, dataDir, signal }: At): Promise<Seen | undefined> {
  await knock(ip, port, signal)
  const seen = await inspectCertificate({ host: ip, port, authorities: knownAuthorities(dataDir) }, signal)
  if (!isBambuSerial(seen.serial)) return undefined
  const voucher = seen.isVouched ? `vouched for by ${seen.issuer}` : 'that no known authority vouches for'
  return { serial: seen.serial, model: null, evidence: `Its certificate names a Bambu Lab serial number, ${voucher}.` }
}

/** For families without a login: what the driver asks first is harmless enough. */
async function lookByProbe(
  { ip, port, dataDir, log, signal }: At,
  connection_type: 'elegoo' | 'creality',
  more: Record<string, unknown>,
): Promise<Seen | undefined> {
  const connection = { address: ip, port, ...more }
  const { printer, problem } = await probePrinter({
    connection_type,
    connection,
    dataDir,
    log,
    timeoutMs: DOOR_MS,
    signal,
  })
  if (problem) return undefined
  const { serial, model } = printer
  return { serial, model, evidence: `It answers as ${model ?? `a printer of ${connection_type}`} does (port ${port}).` }
}
