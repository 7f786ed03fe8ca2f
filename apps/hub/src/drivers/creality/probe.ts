import { ConnectionProblemError } from '../connection/connection-problem-error.ts'
import type { ProbeRequest } from '../probe.ts'
import { hostOf, knock } from '../wire/knock.ts'
import { printerAddress } from '../wire/printer-http.ts'
import { openTextSocket, parseFrame } from '../wire/text-socket.ts'
import { memberOf, textIn } from '../wire/wire-values.ts'
import { askEverything } from './creality-commands.ts'

const DEFAULT_PORT = 9999
const ANSWER_MS = 10_000

/** Asks a printer of the K series for everything; there is no login. */
export async function probeCreality({ connection, signal, report }: ProbeRequest): Promise<void> {
  const base = printerAddress(connection, DEFAULT_PORT)
  await knock(hostOf(base), Number(base.port || DEFAULT_PORT), signal)
  const address = new URL(base)
  address.protocol = 'ws:'
  const told = Promise.withResolvers<unknown>()
  const socket = await openTextSocket({
    address,
    question: { text: askEverything, everyMs: ANSWER_MS },
    silenceMs: ANSWER_MS,
    signal,
    onText(text) {
      const frame = parseFrame(text)
      if (textIn(memberOf(frame, 'model')) !== null) told.resolve(frame)
    },
  }).catch((cause: unknown) => {
    signal.throwIfAborted()
    throw new ConnectionProblemError('not_this_family', {}, { cause })
  })
  try {
    await socket.send(askEverything)
    const frame = await Promise.race([told.promise, socket.closed])
    signal.throwIfAborted()
    if (frame === undefined) throw new ConnectionProblemError('not_this_family')
    const firmware = /sw ver:\s*([^;]+)/i.exec(textIn(memberOf(frame, 'modelVersion')) ?? '')?.[1]
    report({ model: textIn(memberOf(frame, 'model'), 120), firmware_version: textIn(firmware, 100) })
  } finally {
    socket.close()
  }
}
