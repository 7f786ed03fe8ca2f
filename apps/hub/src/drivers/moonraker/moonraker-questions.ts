import { CredentialsRefusedError } from '../connection/keep-connected.ts'
import type { PrinterHttp } from '../wire/printer-http.ts'
import { memberOf, textIn } from '../wire/wire-values.ts'
import { isKeyRefused } from './is-key-refused.ts'
import { RpcError } from './json-rpc-socket.ts'
import { HISTORY_LENGTH, type HistoryJob, historyIn } from './moonraker-picture.ts'

/** One question on the connection that is being opened; rejects as `JsonRpcSocket.call` does. */
export type Ask = (method: string, params?: Record<string, unknown>) => Promise<unknown>

interface Client {
  printerId: string
  apiKey: string | null
  /** Where a refused key is told from another error. */
  http: PrinterHttp
  signal: AbortSignal
}

const subscribed =
  /^(webhooks|print_stats|virtual_sdcard|display_status|idle_timeout|extruder|heater_bed|mmu)$|^(heater_generic|temperature_fan|temperature_sensor) .*(chamber|enclosure)|^(output_pin|led|neopixel) .*(light|led)/i

/** @throws CredentialsRefusedError when Moonraker refuses the key. */
export async function identify(ask: Ask, { printerId, apiKey, http, signal }: Client): Promise<void> {
  await ask('server.connection.identify', {
    client_name: `printyard ${printerId}`,
    version: '1',
    // Of an `agent` of one name Moonraker admits one: a connection that died unnoticed would keep us out.
    type: 'other',
    url: 'https://localhost',
    ...(apiKey === null ? {} : { api_key: apiKey }),
  }).catch(async (error: unknown) => {
    if (error instanceof RpcError && (await isKeyRefused(http, signal))) {
      throw new CredentialsRefusedError('credentials refused')
    }
    throw error
  })
}

/** What keeps Klipper from being ready, in its own words; null where it only needs time. */
export async function readKlippyMessage(ask: Ask, klippy: string): Promise<string | null> {
  if (klippy !== 'error' && klippy !== 'shutdown') return null
  return textIn(memberOf(await ask('printer.info').catch(() => undefined), 'state_message'), 500)
}

export async function readFirmware(ask: Ask): Promise<string | null> {
  return textIn(memberOf(await ask('printer.info'), 'software_version'), 100)
}

/** The names of Klipper's objects: what the printer has. */
export async function readObjectNames(ask: Ask): Promise<Set<string>> {
  const list = memberOf(await ask('printer.objects.list'), 'objects')
  return new Set(Array.isArray(list) ? list.flatMap((name) => textIn(name) ?? []) : [])
}

/** The present fields of the objects that matter; from then on Moonraker notifies of each change. */
export async function subscribe(ask: Ask, objectNames: ReadonlySet<string>): Promise<unknown> {
  const wanted = [...objectNames].filter((name) => subscribed.test(name))
  const answer = await ask('printer.objects.subscribe', {
    objects: Object.fromEntries(wanted.map((name) => [name, null])),
  })
  return memberOf(answer, 'status')
}

/** The newest jobs, newest first; null where Moonraker keeps no history. */
export async function readHistory(ask: Ask): Promise<HistoryJob[] | null> {
  try {
    return historyIn(await ask('server.history.list', { limit: HISTORY_LENGTH, order: 'desc' }))
  } catch (error) {
    if (error instanceof RpcError) return null
    throw error
  }
}
