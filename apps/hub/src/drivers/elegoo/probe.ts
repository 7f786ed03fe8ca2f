import { randomUUID } from 'node:crypto'
import { ConnectionProblemError } from '../connection/connection-problem-error.ts'
import { DriverError } from '../driver.ts'
import type { ProbeRequest } from '../probe.ts'
import { hostOf, knock } from '../wire/knock.ts'
import { addressAtPort, createPrinterHttp, printerAddress, typedPort } from '../wire/printer-http.ts'
import { openTextSocket, parseFrame } from '../wire/text-socket.ts'
import { memberOf, textIn } from '../wire/wire-values.ts'
import { openCc2Link } from './cc2-link.ts'
import { CC2_HTTP_PORT, cc2Password, readCc2Serial } from './cc2-session.ts'
import { findProtocol, MQTT_PORT, SDCP_PORT } from './elegoo-protocol.ts'

const ANSWER_MS = 10_000
const SDCP_ATTRIBUTES = 1
const CC2_ATTRIBUTES = 1001

/** Asks a Centauri Carbon for its attributes, in whichever language it speaks. */
export async function probeElegoo(request: ProbeRequest): Promise<void> {
  const { connection, signal } = request
  const base = printerAddress(connection, SDCP_PORT)
  const port = typedPort(connection)
  if (port !== undefined) await knock(hostOf(base), port, signal)
  const protocol = await findProtocol(base, { protocol: connection.protocol, port }, signal)
  return protocol === 'sdcp' ? probeSdcp(base, port, request) : probeCc2(base, port, request)
}

async function probeSdcp(
  base: URL,
  port: number | undefined,
  { connection, signal, report }: ProbeRequest,
): Promise<void> {
  const address = new URL('websocket', addressAtPort(base, port, SDCP_PORT))
  address.protocol = 'ws:'
  const told = Promise.withResolvers<unknown>()
  const socket = await openTextSocket({
    address,
    question: { text: 'ping', everyMs: ANSWER_MS },
    silenceMs: ANSWER_MS,
    signal,
    onText(text) {
      const frame = parseFrame(text)
      const attributes = memberOf(frame, 'Attributes')
      if (attributes !== undefined) told.resolve(attributes)
    },
  }).catch((cause: unknown) => {
    signal.throwIfAborted()
    throw new ConnectionProblemError('not_this_family', {}, { cause })
  })
  try {
    const id = randomUUID().replaceAll('-', '')
    const Data = { Cmd: SDCP_ATTRIBUTES, RequestID: id, MainboardID: '', TimeStamp: now(), From: 1, Data: {} }
    await socket.send(JSON.stringify({ Id: 'printyard', Topic: 'sdcp/request/', Data }))
    const attributes = await Promise.race([told.promise, socket.closed])
    signal.throwIfAborted()
    // It takes the connection of one client too many and lets go of it at once.
    if (attributes === undefined) throw new ConnectionProblemError('too_many_connections')
    const serial = textIn(memberOf(attributes, 'MainboardID'), 128)
    report({
      serial,
      model: textIn(memberOf(attributes, 'MachineName'), 120),
      firmware_version: textIn(memberOf(attributes, 'FirmwareVersion'), 100),
    })
    assertSerial(textIn(connection.mainboard_id, 128) ?? textIn(connection.serial, 128), serial)
  } finally {
    socket.close()
  }
}

async function probeCc2(base: URL, port: number | undefined, { connection, signal, report }: ProbeRequest) {
  const host = hostOf(base)
  await knock(host, port ?? MQTT_PORT, signal)
  const password = cc2Password(connection)
  const http = createPrinterHttp(addressAtPort(base, connection.http_port, CC2_HTTP_PORT), { 'x-token': password })
  const serial = textIn(connection.serial, 64) ?? (await readCc2Serial(http, password, signal))
  if (/[/+#]/.test(serial)) throw new ConnectionProblemError('serial_differs')
  const link = await openCc2Link({
    host,
    port: port ?? MQTT_PORT,
    serial,
    password,
    onStatusChange: () => undefined,
    onAttributes: () => undefined,
    waitFactor: 1,
    signal,
  }).catch((error: unknown) => {
    signal.throwIfAborted()
    // The door opened before: what hangs up on us now is something else.
    const isForeign = error instanceof DriverError && error.code === 'UNREACHABLE'
    throw isForeign ? new ConnectionProblemError('not_this_family', {}, { cause: error }) : error
  })
  try {
    const attributes = await link.ask(CC2_ATTRIBUTES, {}, signal)
    report({
      serial: textIn(memberOf(attributes, 'sn'), 64) ?? serial,
      model: textIn(memberOf(attributes, 'machine_model'), 120),
      firmware_version: textIn(memberOf(attributes, 'software_version', 'ota_version'), 100),
    })
    assertSerial(serial, textIn(memberOf(attributes, 'sn'), 64))
  } finally {
    link.close()
  }
}

function assertSerial(wanted: string | null, shown: string | null): void {
  if (wanted !== null && shown !== null && wanted !== shown) throw new ConnectionProblemError('serial_differs')
}

const now = () => Math.floor(Date.now() / 1_000)
