import { ConnectionProblemError } from '../connection/connection-problem-error.ts'
import type { ProbeRequest } from '../probe.ts'
import { hostOf, knock } from '../wire/knock.ts'
import { printerAddress } from '../wire/printer-http.ts'
import { textIn } from '../wire/wire-values.ts'
import { isBambuSerial } from './bambu-models.ts'
import { openBambuMqtt } from './bambu-mqtt.ts'
import { type BambuPicture, emptyPicture, mergeMessage } from './bambu-report.ts'
import { refusesCommands } from './bambu-state.ts'
import { inspectCertificate, type SeenCertificate } from './inspect-certificate.ts'
import { knownAuthorities } from './known-authorities.ts'
import { certificateChanged, findFirstSeen, readTrust } from './printer-trust.ts'

const MQTT_PORT = 8883
const ANSWER_TIMEOUT_MS = 10_000

/**
 * Looks at the printer's certificate, and only when that is believed logs in with the access code and reads a full report.
 * Nothing secret is sent to a printer whose certificate no one vouches for and no one has pinned.
 */
export async function probeBambu({ connection, dataDir, signal, report }: ProbeRequest): Promise<void> {
  const address = printerAddress(connection, MQTT_PORT)
  const host = hostOf(address)
  const port = Number(address.port || MQTT_PORT)
  await knock(host, port, signal)
  const seen = await inspectCertificate({ host, port, authorities: knownAuthorities(dataDir) }, signal)
  const typed = textIn(connection.serial, 64)?.toUpperCase()
  const isPrinter = isBambuSerial(seen.serial) || (typed !== undefined && seen.serial === typed)
  if (!isPrinter && !seen.isVouched && connection.allow_any_certificate !== true) {
    throw new ConnectionProblemError('not_this_family')
  }
  report({
    serial: isPrinter ? seen.serial : null,
    certificate_fingerprint: seen.fingerprint,
    is_certificate_vouched: seen.isVouched,
  })
  const serial = typed ?? seen.serial
  assertBelieved(seen, { connection, dataDir, serial })
  const accessCode = textIn(connection.access_code)
  if (accessCode === null) throw new ConnectionProblemError('credentials_missing')
  await readReport(
    { host, port, serial, accessCode, fingerprint: seen.fingerprint },
    { connection, dataDir, signal, report },
  )
}

function assertBelieved(
  seen: SeenCertificate,
  { connection, dataDir, serial }: Pick<ProbeRequest, 'connection' | 'dataDir'> & { serial: string },
): void {
  const trust = readTrust(connection, serial, dataDir)
  if (trust.kind === 'any') return
  if (seen.serial !== serial) throw new ConnectionProblemError('serial_differs')
  // With an authority of its own the connection itself judges, as the driver's does.
  if (trust.kind === 'ca') return
  if (trust.kind === 'pinned') {
    if (trust.fingerprint !== seen.fingerprint) throw certificateChanged(seen.fingerprint)
    return
  }
  if (seen.isVouched) return
  const known = findFirstSeen(dataDir, serial)
  if (known === seen.fingerprint) return
  if (known !== undefined) throw certificateChanged(seen.fingerprint)
  throw new ConnectionProblemError('certificate_unknown')
}

async function readReport(
  at: { host: string; port: number; serial: string; accessCode: string; fingerprint: string },
  { connection, dataDir, signal, report }: ProbeRequest,
): Promise<void> {
  const { host, port, serial, accessCode, fingerprint } = at
  const ownTrust = readTrust(connection, serial, dataDir)
  let picture: BambuPicture = emptyPicture()
  const isRead = Promise.withResolvers<void>()
  const link = await openBambuMqtt({
    host,
    port,
    serial,
    accessCode,
    // The one that was just believed, and no other.
    trust: ownTrust.kind === 'first_use' ? { kind: 'pinned', fingerprint } : ownTrust,
    answerTimeoutMs: ANSWER_TIMEOUT_MS,
    signal,
    onMessage(message) {
      picture = mergeMessage(picture, message)
      if (picture.gcodeState !== null && picture.firmware !== null) isRead.resolve()
    },
  })
  try {
    link.tell('info', 'get_version')
    link.tell('pushing', 'pushall', { version: 1, push_target: 1 })
    const ended = await Promise.race([isRead.promise, link.closed])
    signal.throwIfAborted()
    if (ended !== undefined) throw new ConnectionProblemError('too_many_connections')
  } finally {
    link.close('the test is over')
    report({ model: picture.productName, firmware_version: picture.firmware })
  }
  if (refusesCommands(picture)) throw new ConnectionProblemError('developer_mode_off')
}
